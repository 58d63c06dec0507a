import t from 'tap'
import { startAccountService } from '../../../../tests/fixtures/account-service.js'
import { assess } from '../../../assess/assess.js'

const ONLY = ['8/accepted-account', '8/email-a-second-time', '8/too-short', '8/rejected-account']
const HOWS = ['announced', 'silent', 'dropping'] as const

for (const after of [1, 10, 100]) {
  for (const how of HOWS) {
    t.test(
      `connections end after ${after} answers, ${how}: no account twice, and no rule in question`,
      async (t) => {
        const { target, registrations, connections } = await startAccountService(t, { ends: { after, how } })
        const report = await assess(target, { seed: 1, runs: 10, only: ONLY, concurrency: 4 })
        t.equal(report.verdict, 'conformant')
        t.strictSame(
          report.results.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell'),
          [],
        )
        const names = registrations.map(({ userName }) => userName)
        t.ok(names.length > 30, `${names.length} reached the service`)
        t.equal(new Set(names).size, names.length, 'each name once')
        const requests = report.trouble?.reduce((sum, count) => sum + count.requests, 0) ?? 0
        if (after === 100 && how === 'announced') {
          // One for each request at a time, and another where one has ended.
          t.ok(
            connections() <= 4 + Math.ceil(requests / 100),
            `${connections()} connections for ${requests} requests`,
          )
        }
      },
    )
  }
}

t.test(
  'after a registration that was lost on a used connection the case goes on with another account, and says so',
  async (t) => {
    // Both declared accounts sign in; the third request on that connection registers.
    const { target, registrations } = await startAccountService(t, { ends: { after: 2, how: 'dropping' } })
    const only = ['8/accepted-account']
    const { results, accounts, trouble } = await assess(target, { seed: 1, runs: 1, only, concurrency: 1 })
    const [first] = results.flatMap((result) => result.exchanges)
    t.match(first?.resent, /^1×: .*another new account$/)
    t.equal(accounts?.[0]?.made, registrations.length, 'with the one that was lost, which may have been done')
    t.ok((trouble?.[0]?.dropped ?? 0) > 0)
  },
)
