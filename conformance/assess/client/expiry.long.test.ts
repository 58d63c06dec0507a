import t from 'tap'
import { type SessionParts, sessionWith } from '../../../prove/suite/clients/session-faults.js'
import { commandClient } from '../../drivers/host/run-command.js'
import { assayClient } from './assay-client.js'
import { assessClient } from './assess-client.js'

const EXPIRY = { seed: 1, longRunning: true, only: ['client:expiry/*'] } as const

// The life of a token is waited for twice by each of them: together, they wait at the same time.
t.jobs = 10

/** It renews so long before the end. */
function ahead(ms: number): Partial<SessionParts> {
  return { isStale: ({ receivedAtMs, expiresIn }) => Date.now() + ms >= receivedAtMs + expiresIn * 1000 }
}

t.test('clients that go on', async (t) => {
  const conforming = [
    sessionWith({}),
    sessionWith({ isStale: () => false }),
    sessionWith({ isStale: () => false, isChallenged: true }),
    sessionWith({ asksElsewhere: true }),
    sessionWith(ahead(500)),
    sessionWith(ahead(300_000)),
  ]
  const reports = await Promise.all(conforming.map((client) => assayClient(client, EXPIRY)))
  for (const { results, verdict } of reports) {
    t.equal(verdict, 'conformant')
    // They make one request at a time.
    const open = results.flatMap(({ judgements }) => judgements).filter(({ outcome }) => outcome !== 'passed')
    const alone = ['client:expiry-at-once', 'inapplicable']
    t.strictSame(
      open.map(({ rule, outcome }) => [rule, outcome]),
      [alone, alone, alone],
    )
  }
  for (const parts of [{}, ahead(300_000)]) {
    const { results } = await assayClient(sessionWith({ together: 'shares', ...parts }), EXPIRY)
    t.strictSame(new Set(results.map(({ outcome }) => outcome)), new Set(['passed']))
  }
})

t.test('a command that asks for the resource at each line of its standard input', async (t) => {
  const client = `
    import { createInterface } from 'node:readline'
    const { TOKEN_ASSAY_URL: url, TOKEN_ASSAY_USER_NAME: username, TOKEN_ASSAY_PASSWORD: password } = process.env
    let token
    async function signIn() {
      const body = new URLSearchParams({ grant_type: 'password', username, password })
      const response = await fetch(url + '/Token', { method: 'POST', body })
      if (response.status !== 200) process.exit(1)
      token = (await response.json()).access_token
    }
    async function use() {
      return (await fetch(process.env.TOKEN_ASSAY_RESOURCE_URL, { headers: { Authorization: 'Bearer ' + token } })).status
    }
    await signIn()
    let status
    for await (const line of createInterface({ input: process.stdin })) {
      if (line !== 'use') process.exit(9)
      status = await use()
      if (status === 401) {
        await signIn()
        status = await use()
      }
      console.log(JSON.stringify({ status }))
    }
    process.exit(status === 200 ? 0 : 1)`
  const command = commandClient(process.execPath, ['--input-type=module', '--eval', client], 60_000)
  const { results, verdict } = await assessClient(command, EXPIRY)
  const open = results.flatMap(({ judgements }) => judgements).filter(({ outcome }) => outcome !== 'passed')
  t.strictSame(
    [verdict, open.map(({ rule, outcome }) => [rule, outcome])],
    [
      'conformant',
      [
        ['client:expiry-at-once', 'inapplicable'],
        ['client:expiry-at-once', 'inapplicable'],
        ['client:expiry-at-once', 'inapplicable'],
      ],
    ],
  )
})

t.test(
  'a client that does not ask as often as it should shows nothing of the end of its token',
  async (t) => {
    const { verdict, results } = await assayClient(sessionWith({ fetches: () => 1 }), EXPIRY)
    t.equal(verdict, 'inconclusive')
    t.strictSame(new Set(results.map(({ outcome }) => outcome)), new Set(['cantTell']))
    t.match(
      results[1]?.judgements[0]?.reason,
      /answered 1 times by 200, where TOKEN_ASSAY_FETCHES asks for 4/,
    )
  },
)
