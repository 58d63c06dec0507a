import t, { type Test } from 'tap'
import type { Report } from '../../../../spec/model/report.js'
import { assess } from '../../../assess/assess.js'
import { alice, bob, type Login, quick, startService, type TestService } from '../../../fixtures/service.js'
import type { TargetInput } from '../../../target/target-input.js'

const accounts = [alice, bob]

function run(server: TestService, target: TargetInput = {}): Promise<Report> {
  return assess({ baseUrl: server.url, accounts, ...target }, { ...quick, runs: 6 })
}

/** The longest row of refusals without a good login between. */
function mostInARow(logins: readonly Login[]): number {
  let [peak, now] = [0, 0]
  for (const { ok } of logins) {
    now = ok ? 0 : now + 1
    peak = Math.max(peak, now)
  }
  return peak
}

const refused = (logins: readonly Login[]): number => logins.filter(({ ok }) => !ok).length

function staysWithin(t: Test, server: TestService, peak: number, title: string): void {
  t.ok(refused(server.logins) <= peak, `${title}: ${refused(server.logins)} of at most ${peak}`)
  t.ok(mostInARow(server.logins) <= 3, `${title}: ${mostInARow(server.logins)} in a row`)
}

t.test('failed logins stay within the declared budget, three in a row at most', async (t) => {
  for (const maxFailedLogins of [0, 1, 3, 5, 6, 8, 20, 200]) {
    const server = await startService(t)
    const report = await run(server, { maxFailedLogins })
    staysWithin(t, server, maxFailedLogins, `maxFailedLogins ${maxFailedLogins}`)
    const outcomes = report.results.filter(({ case: id }) =>
      /no-password|wrong-password|unknown-user/.test(id),
    )
    const untried = outcomes.filter(({ outcome }) => outcome === 'cantTell')
    for (const { reason } of untried) t.match(reason, /maxFailedLogins/, 'says what to declare')
    if (maxFailedLogins >= 20) t.strictSame(untried, [], 'the default is enough')
    if (maxFailedLogins < 3) t.ok(untried.length > 0)
    t.equal(
      report.verdict,
      untried.length > 0 ? 'inconclusive' : 'conformant',
      'what is not tried is not green',
    )
    t.strictSame(report.counts.failed, 0)
  }
})

t.test('a search among failed logins stays within it too', async (t) => {
  // One account alone; every near miss that is longer is let in: found, shrunk, repeated, and searched on.
  const lenient = await startService(t, {
    behaviour: {
      signIn: ({ account, password, matches }) =>
        matches || password?.startsWith(alice.password) ? account : undefined,
    },
  })
  const report = await run(lenient, { accounts: [alice] })
  t.equal(report.results.find(({ case: id }) => id === '4.1/wrong-password')?.outcome, 'failed')
  staysWithin(t, lenient, 20, 'a password of which the start counts')

  // Lets a wrong password in once, so that every later attempt is refused.
  let once = 0
  const flaky = await startService(t, {
    behaviour: {
      signIn: ({ account, matches, password }) =>
        matches || (account !== undefined && (password ?? '').length > 10 && once++ === 2)
          ? account
          : undefined,
    },
  })
  const second = await run(flaky)
  t.match(second.results.find(({ case: id }) => id === '4.1/wrong-password')?.judgements, [
    { outcome: 'failed', reason: /^seen once in \d+$/ },
  ])
  staysWithin(t, flaky, 20, 'a wrong password let in once')
})

t.test('the throw-away account takes the failures, and the others none', async (t) => {
  const server = await startService(t)
  await run(server)
  const failures = server.logins.filter(({ ok }) => !ok).map(({ userName }) => userName)
  t.ok(failures.includes('bob'), 'the last declared account')
  t.notOk(failures.includes('alice'))
})

t.test('an account that is refused is not hammered', async (t) => {
  const wrong = { ...alice, password: 'not the one of Alice' }
  for (const declared of [[wrong, bob], [bob, wrong], [wrong]]) {
    const server = await startService(t)
    const report = await run(server, { accounts: declared })
    const tries = server.logins.filter(({ userName, ok }) => userName === 'alice' && !ok).length
    t.ok(tries <= 3, `${declared.map(({ userName }) => userName).join()}: ${tries} failed logins of alice`)
    t.not(report.verdict, 'conformant')
  }
})

t.test('an account that is locked out on the way is left alone', async (t) => {
  const soFar: { logins: readonly Login[] } = { logins: [] }
  const server = await startService(t, {
    behaviour: {
      signIn: ({ account, matches }) => (matches && refused(soFar.logins) < 2 ? account : undefined),
    },
  })
  soFar.logins = server.logins
  const report = await run(server)
  // Two that lock them, and a good login of each account that shows it.
  t.equal(refused(server.logins), 4)
  t.equal(report.counts.failed, 0, 'nothing is blamed on the service')
  t.equal(report.verdict, 'inconclusive')
})
