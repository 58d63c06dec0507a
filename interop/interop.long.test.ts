import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Outcome, Report } from '../spec/model/report.js'
import { assessImplementation } from './assess-implementation.js'
import { type Implementation, nodeOauth2Server, oauth2MockServer } from './implementations.js'
import { type Assessed, COMMAND, renderPage } from './page.js'

/** Rules by what is to be found of them, each with the reason that the specification and the server's own words give. */
interface Expected {
  readonly failed: Readonly<Record<string, string>>
  readonly cantTell: Readonly<Record<string, string>>
}

/** Both answer as RFC 6749 says, which knows no more than `access_token`, `token_type` and `expires_in`. */
const RFC_6749: Expected = {
  failed: {
    '2.1-token_type': 'RFC 6749 leaves the case free, and both say `Bearer`; this contract says `bearer`.',
    '2.1-userName': 'Neither says whom it authenticated.',
    '2.1-issued': 'Neither says when a token was issued.',
    '2.1-expires': 'Nor when it expires, but for `expires_in`.',
    '4.1-R1': 'Both call a body that is no form `invalid_request`, as RFC 6749 5.2 has it.',
    '7-token-error-body': 'Both describe errors by `error_description` or give them other names.',
  },
  cantTell: {
    '2.1-R1': 'Where there are no dates, their names cannot be judged.',
    '2.1-R2': 'Nor the time between them.',
    '2.1-issue-time': 'Nor whether `.issued` is the time of issue.',
  },
}

const OF_MOCK_SERVER: Expected = {
  failed: {
    ...RFC_6749.failed,
    '4.1-content-type': 'It parses JSON for all of its endpoints, and grants to credentials in a JSON body.',
    '4.1-grant_type':
      'It supports client_credentials, authorization_code and refresh_token too, and asks for no proof.',
    '4.1-username': 'It is a mock: every user is granted a token, without a user name,',
    '4.1-password': 'without a password,',
    '4.1-credentials': 'and with any.',
  },
  cantTell: {
    ...RFC_6749.cantTell,
    '7-token-error-status':
      'Where it grants what the contract refuses, there is no error to judge: other grant types, JSON.',
    '7-token-error-media-type': 'The same.',
  },
}

const OF_NODE_OAUTH2_SERVER: Expected = {
  failed: {
    ...RFC_6749.failed,
    '4.1-R2':
      'Its error says what is wrong with the request, so that a missing grant_type reads otherwise than a wrong media type.',
  },
  cantTell: {
    ...RFC_6749.cantTell,
    '8-R3': 'It is configured for 14 days, but answers no dates to reckon them from.',
  },
}

const assessed: Assessed[] = []

async function judged(t: Test, implementation: Implementation, expected: Expected): Promise<void> {
  const report = await assessImplementation(implementation)
  assessed.push({ implementation, report })
  t.strictSame(rulesThat('failed', report), Object.keys(expected.failed).sort())
  t.strictSame(rulesThat('cantTell', report), Object.keys(expected.cantTell).sort())
  t.equal(report.verdict, 'nonconformant')
}

t.test('what oauth2-mock-server breaks', (t) => judged(t, oauth2MockServer, OF_MOCK_SERVER))

t.test('what @node-oauth/oauth2-server breaks', (t) => judged(t, nodeOauth2Server, OF_NODE_OAUTH2_SERVER))

t.test('a counterexample and the command that repeats it are about the same request', async (t) => {
  // Two rules break in this search, on different inputs.
  const results = assessed.flatMap(({ report }) => report.results)
  const searched = results.filter(({ id }) => id === 'default/4.1/unknown-grant-type')
  t.strictSame(
    searched.map(({ judgements }) => judgements.find(({ outcome }) => outcome === 'failed')?.rule),
    ['4.1-grant_type', '7-token-error-body'],
  )
  // The grants that oauth2-mock-server has besides; what the other answers wrongly to is refused by both.
  t.match(
    searched[0]?.judgements.find(({ rule }) => rule === '4.1-grant_type')?.counterexample?.values.grant,
    /^(client_credentials|authorization_code|refresh_token)$/,
  )
  const found = searched.flatMap(({ judgements }) => judgements.filter(({ outcome }) => outcome === 'failed'))
  for (const { counterexample, reproduce } of found)
    t.match(reproduce, `--data-raw grant_type=${counterexample?.values.grant} `)
})

t.test('docs/interop.md is what these reports say', async (t) => {
  const file = fileURLToPath(new URL('../docs/interop.md', import.meta.url))
  t.equal(readFileSync(file, 'utf8'), renderPage(assessed), `stale: ${COMMAND} writes it anew`)
})

function rulesThat(outcome: Outcome, report: Report): readonly string[] {
  return report.rules
    .filter((rule) => rule.outcome === outcome)
    .map(({ id }) => id)
    .sort()
}
