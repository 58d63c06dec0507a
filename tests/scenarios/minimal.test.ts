import t from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import type { Report } from '../../spec/model/report.js'
import { conforming, type Parts, startMinimalServer } from '../fixtures/minimal-server.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }

/** What a server of a few lines gets wrong, and the one rule that it breaks by that. */
const MISTAKES: readonly (readonly [mistake: string, rule: string, changes: Partial<Parts>])[] = [
  ['token_type is capitalised', '2.1-token_type', { token: changed({ token_type: 'Bearer' }) }],
  [
    '.issued is in ISO form',
    '2.1-issued',
    {
      token: (userName, now) => ({
        ...conforming.token(userName, now),
        '.issued': new Date(now).toISOString(),
      }),
    },
  ],
  ['expires_in is a string', '2.1-expires_in', { token: changed({ expires_in: '1209599' }) }],
  [
    'a form is read under application/json',
    '4.1-content-type',
    {
      read: (contentType, body) =>
        contentType === 'application/json' ? new URLSearchParams(body) : conforming.read(contentType, body),
    },
  ],
  [
    'JSON is read under application/json',
    '4.1-content-type',
    {
      read: (contentType, body) =>
        contentType === 'application/json' ? readJson(body) : conforming.read(contentType, body),
    },
  ],
  [
    'grant_type is compared without case',
    '4.1-grant_type',
    { supports: (grantType) => grantType?.toLowerCase() === 'password' },
  ],
  [
    'any password will do',
    '4.1-credentials',
    {
      admits: (account, userName, password) =>
        userName === account.userName && password !== null && password !== '',
    },
  ],
  ['the error has no charset', '7-token-error-media-type', { errorType: 'application/json' }],
  [
    'the error has a second field',
    '7-token-error-body',
    { error: { ...conforming.error, error_description: 'No.' } },
  ],
]

/** For the clock of the server to go on. */
const WAITS = ['2.1/issue-time-advances']

t.test('a conforming server of a few lines is found green', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const report = await assess({ baseUrl: server.url, accounts: [ALICE] }, { seed: 1, runs: 20 })
  t.equal(report.verdict, 'conformant')
  t.strictSame(rulesThat('cantTell', report), [])
})

for (const [mistake, rule, changes] of MISTAKES) {
  t.test(`where ${mistake}, ${rule} is broken and no other rule`, async (t) => {
    await using server = await startMinimalServer(ALICE, changes)
    const report = await assess(
      { baseUrl: server.url, accounts: [ALICE] },
      { seed: 1, runs: 10, skip: WAITS },
    )
    t.strictSame(rulesThat('failed', report), [rule])
    t.equal(report.verdict, 'nonconformant')
  })
}

function changed(members: object): Parts['token'] {
  return (userName, now) => ({ ...conforming.token(userName, now), ...members })
}

function readJson(body: string): URLSearchParams | undefined {
  try {
    return new URLSearchParams(JSON.parse(body))
  } catch {
    return undefined
  }
}

function rulesThat(outcome: 'failed' | 'cantTell', report: Report): readonly string[] {
  return report.rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id)
}
