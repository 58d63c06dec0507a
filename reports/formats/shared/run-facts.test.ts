import t from 'tap'
import type { Json } from '../../../spec/model/json.js'
import type { Judgement, Report, Result, Trouble } from '../../../spec/model/report.js'
import { greenReport, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { byReason, failuresOf } from './failures.js'
import { runFacts } from './run-facts.js'
import { troublePhrase } from './trouble.js'
import { verdictSentence } from './verdict-sentence.js'

const none: Trouble = {
  deployment: 'default',
  requests: 815,
  serverErrors: 0,
  dropped: 0,
  timedOut: 0,
  rateLimited: 0,
  waitedMs: 0,
}

t.test('what the target adds to each token request, and shipped clients do not', async (t) => {
  const warned = (tokenRequest: Json): readonly string[] => {
    const deployment = { name: 'default', baseUrl: 'http://127.0.0.1:5000', declared: { tokenRequest } }
    return runFacts({ ...greenReport, target: { name: 'x', deployments: [deployment] } })
  }
  t.strictSame(
    warned({
      form: { client_id: 'web' },
      headers: { 'X-Client': '1' },
      basic: { userName: 'w', password: 'p' },
    }),
    [
      'Warning: `tokenRequest` adds the parameter `client_id`, the header `X-Client`, Basic credentials of a client to every token request. Shipped clients send none of this, so a service that demands it refuses them.',
    ],
  )
  t.strictSame(warned({ path: '/oauth/token' }), [], '4.1-path judges that')
})

t.test('what a budget left out, what went wrong and which accounts were made', async (t) => {
  t.match(runFacts(redReport), [
    /^Skipped \(deployment default\): set `maxFailedLogins: 31` in the target file to run all\. Left out: 11 of 19 wrong passwords, /,
    'Skipped (deployment with-user-id): remove `--max-duration 5` to run all. Left out: 4.1/wrong-password.',
    'Trouble (deployment default): 500 on 39, 429 on 7, 503 on 2, a dropped connection on 2, a time-out on 1 of 815 requests; waited 12.3 s. The service first asked to wait after 12 failed logins: `maxFailedLogins: 11` keeps below its limit.',
    'Accounts (deployment default): 893 made, 890 removed; `cleanUp` failed for 3 accounts (first DELETE /accounts/x‹run›: answered 403).',
  ])
  t.equal(runFacts(redReport).length, 4, 'nothing of a deployment without trouble')
  const [target] = redReport.target.deployments
  const one: Report = {
    ...inconclusiveReport,
    target: { name: 'x', deployments: target === undefined ? [] : [target] },
    trouble: [{ ...none, rateLimited: 3, statuses: { 429: 3 }, waitedMs: 1000 }],
    accounts: [{ deployment: 'default', made: 1100, removed: 0, cleanUpFailed: 0 }],
  }
  t.strictSame(runFacts(one), [
    "Trouble: 429 on 3 of 815 requests; waited 1.0 s. `maxRequestsPerSecond` in the target file keeps below the service's limit.",
    'Accounts: 1,100 made, 0 removed: no `cleanUp` is declared, so they stay.',
  ])
  const left = ['abc', 'abd', 'abe'].map((userName) => ({ userName, email: `${userName}@example.com` }))
  const staying = { deployment: 'default', made: 3, removed: 0, cleanUpFailed: 0, left }
  t.equal(
    runFacts({ ...one, trouble: [], accounts: [staying] }, 1)[0],
    'Accounts: 3 made, 0 removed: no `cleanUp` is declared, so they stay: abc and 2 more.',
  )
  const cases = { '4.1/no-password': 2, '4.1/unknown-user': 37 }
  t.match(
    runFacts({ ...one, trouble: [{ ...none, serverErrors: 39, statuses: { 500: 39 }, cases }] })[0],
    'Trouble: 500 on 39 of 815 requests. By cases: 4.1/unknown-user (37), 4.1/no-password (2).',
  )
  const unanswered = { ...none, requests: 2, dropped: 1, timedOut: 1 }
  t.strictSame(runFacts({ ...one, trouble: [unanswered], accounts: [] }), [], 'the verdict says so')
})

t.test('what no account could show is not taken as shown', async (t) => {
  const [first] = redReport.results
  const facts = (
    outcomes: Readonly<Record<string, Result['outcome']>>,
    accounts: readonly { readonly userName: string }[] = [],
  ): readonly string[] =>
    runFacts({
      ...{ ...redReport, limits: [], trouble: [], accounts: [] },
      target: { name: 'x', deployments: [{ name: 'x', baseUrl: 'http://x', declared: { accounts } }] },
      results: Object.entries(outcomes).flatMap(([id, outcome]) =>
        first === undefined ? [] : [{ ...first, case: id, outcome }],
      ),
    })
  const names = 'user names with letters beyond ASCII'
  const passwords = 'passwords with `+ % & =`, a space or letters beyond ASCII'
  const todo = 'Declare an account that has them, or a `registration` that accepts them.'
  const [ofNames, ofForm, ofPasswords] = [
    '8/user-name-beyond-ascii',
    '4.1/form-special-characters',
    '8/password-of-any-characters',
  ] as const
  const none = 'inapplicable'
  t.strictSame(facts({ [ofNames]: none, [ofForm]: none, [ofPasswords]: none }), [
    `Not tried: ${names}; ${passwords}. ${todo}`,
  ])
  t.strictSame(facts({ [ofNames]: none, [ofPasswords]: 'passed' }, [{ userName: 'alice' }]), [
    `Not tried: ${names}. ${todo}`,
  ])
  t.strictSame(facts({ [ofNames]: none }, [{ userName: 'Zoë' }]), [], 'every answer to it is judged')
  t.strictSame(facts({ [ofNames]: 'failed', [ofForm]: none, [ofPasswords]: 'cantTell' }), [])
  t.strictSame(facts({ [ofNames]: 'untested' }), [], 'the user has left it out')
  t.strictSame(facts({}), [], 'a client, for example')
})

t.test('what an effort left out, once for all deployments that it was left out of', async (t) => {
  const limit = (deployment: string, declared: 'quick' | 'normal' | 'thorough', what = 'x') => ({
    ...{ deployment, setting: '--effort', declared, notTried: [what] },
  })
  const [target] = redReport.target.deployments
  const deployments = target === undefined ? [] : ['a', 'b', 'c'].map((name) => ({ ...target, name }))
  const report = { ...redReport, target: { name: 'x', deployments }, trouble: [], accounts: [] }
  const printed = (...limits: Report['limits']): readonly string[] =>
    runFacts({ ...report, command: 'token-assay run', limits })
  t.strictSame(printed(limit('a', 'normal'), limit('b', 'normal'), limit('c', 'normal')), [
    'Skipped: `token-assay run --effort thorough` runs more. Left out: x.',
  ])
  t.strictSame(runFacts({ ...report, limits: [limit('a', 'normal')] }), [
    'Skipped (deployment a): in a terminal, `token-assay run --effort thorough` runs more. Left out: x.',
  ])
  t.strictSame(printed(limit('a', 'quick'), limit('b', 'quick', 'y'), limit('c', 'quick')), [
    'Skipped (deployments a, c): remove `--effort quick` to run all. Left out: x.',
    'Skipped (deployment b): remove `--effort quick` to run all. Left out: y.',
  ])
  t.strictSame(printed(limit('c', 'thorough')), [
    'Skipped (deployment c): `token-assay run --runs N` runs more. Left out: x.',
  ])
})

t.test('of a report without statuses the kinds are named', async (t) => {
  t.equal(
    troublePhrase([{ ...none, serverErrors: 41, rateLimited: 2 }]),
    'a status of 500 or more on 41, an answer that asks to wait on 2 of 815 requests',
  )
  t.equal(troublePhrase([]), undefined)
})

t.test('what is unstable, and what asks to wait, is one paragraph each', async (t) => {
  const reasons = [
    'unstable: status 500, which did not recur for the same request',
    'unstable: a dropped connection, which did not recur for the same request',
    'The service asked to wait 3600 s, more than the 60 s that a run waits: declare it.',
    'the control 1/exchange could not be judged: The service asked to wait 3599 s, more than the 60 s that a run waits: declare it.',
    'another reason',
  ]
  const results = inconclusiveReport.results.map((result, index) => {
    const reason = reasons[index % reasons.length] ?? ''
    const judgements: readonly Judgement[] = [{ rule: '4.1-R2', outcome: 'cantTell', reason }]
    return { ...result, reason, judgements }
  })
  const trouble = [{ ...none, serverErrors: 41, dropped: 2, statuses: { 500: 41 } }]
  const report: Report = { ...inconclusiveReport, results, trouble }
  t.match(
    byReason(report, 'cantTell').map(({ reason, results }) => [reason, results.length]),
    [
      [
        /^unstable: 500 on 41, a dropped connection on 2 of 815 requests\. The same requests .*`--concurrency 1`/,
        6,
      ],
      [/^The service asked to wait 3600 s, /, 4],
      ['another reason', 2],
    ],
  )
  t.match(
    verdictSentence(
      { ...report, observations: [], results: results.map((result) => ({ ...result, exchanges: [] })) },
      failuresOf(report),
    ),
    /12 cases could not be judged \(unstable: 500 on 41, a dropped connection on 2 of 815 requests\)\.$/,
  )
})

t.test('error rules that a token left without an error are counted', async (t) => {
  const reason = 'a token came instead of an error, so this error rule was not judged'
  const reasonsOf = (rules: readonly string[]) => {
    const judgements = rules.map((rule) => ({ rule, outcome: 'cantTell' as const, reason }))
    const [result] = greenReport.results
    if (result === undefined) throw new TypeError('the sample has results')
    const results = [{ ...result, outcome: 'cantTell' as const, judgements }]
    return byReason({ ...greenReport, results }, 'cantTell').map((group) => group.reason)
  }
  t.strictSame(reasonsOf(['7-a']), [reason])
  t.strictSame(reasonsOf(['7-a', '7-b', '7-c', '7-c']), [
    'a token came instead of an error, so 3 error rules were not judged',
  ])
})
