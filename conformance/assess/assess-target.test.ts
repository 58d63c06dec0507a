import t, { type Test } from 'tap'
import { type Grant, tokenMembers as grantMembers, type Member } from '../../reference/token-response.js'
import { reconcile } from '../../reports/model/reconcile.js'
import { report as validate } from '../../spec/generated/validators.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Judgement, Report, Result } from '../../spec/model/report.js'
import { parseReplay } from '../../spec/model/selection.js'
import { alice, bob, quick, startService, type TestService } from '../fixtures/service.js'
import { resolveTarget } from '../target/target.js'
import type { TargetInput } from '../target/target-input.js'
import { type AssessOptions, assess } from './assess.js'
import { assessTarget } from './assess-target.js'

const accounts = [alice, bob]

/** Assesses, and holds every report to what is true of all of them. */
async function run(
  t: Test,
  server: TestService,
  options: AssessOptions = {},
  target: TargetInput = {},
): Promise<Report> {
  const report = await assess({ baseUrl: server.url, accounts, ...target }, { ...quick, runs: 8, ...options })
  t.ok(validate(report), 'valid against its schema', { errors: validate.errors })
  t.strictSame(reconcile(report), [], 'reconciles')
  const { passed, failed, cantTell, inapplicable, untested } = report.counts
  t.equal(passed + failed + cantTell + inapplicable + untested, report.plan.planned)
  const text = JSON.stringify(report)
  for (const { password } of accounts)
    t.notOk(text.includes(password) || text.includes(encodeURIComponent(password)), 'no password in it')
  return report
}

function firstFailure(report: Report, id: string): Judgement {
  const failed = resultOf(report, id).judgements.find(({ outcome }) => outcome === 'failed')
  if (failed === undefined) throw new TypeError(`${id} has not failed`)
  return failed
}

function resultOf(report: Report, id: string): Result {
  const result = report.results.find((one) => one.case === id)
  if (result === undefined) throw new TypeError(`no result of ${id}`)
  return result
}

const idsWith = (report: Report, outcome: Result['outcome']): readonly string[] =>
  report.results.filter((result) => result.outcome === outcome).map((result) => result.case)

const brokenRules = (report: Report): readonly string[] =>
  report.rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)

t.test('the reference server conforms', async (t) => {
  const server = await startService(t)
  const report = await run(t, server, { strict: true })
  t.equal(report.verdict, 'conformant')
  t.strictSame(idsWith(report, 'failed'), [])
  t.strictSame(idsWith(report, 'cantTell'), [])
  t.strictSame(idsWith(report, 'untested'), ['2.1/issue-time-advances'])
  t.match(resultOf(report, '2.1/issue-time-advances'), { reason: 'filtered', exchanges: [] })
  const { judgements, exchanges } = resultOf(report, '2.1/user-id-of-one-account')
  t.match(judgements, [
    { outcome: 'inapplicable', reason: /declare a deployment with `includesUserId: true`/ },
  ])
  t.strictSame(exchanges, [])
  const withIds = await startService(t, { includesUserId: true })
  const second = await run(t, withIds, {}, { includesUserId: true })
  t.equal(second.verdict, 'conformant')
  t.equal(resultOf(second, '2.1/user-id-of-one-account').outcome, 'passed')
})

t.test('the service without userId is asked as its own users, and blames no other', async (t) => {
  const own = { userName: 'carol', password: 'Carol-reads-3-books', userId: 'id-3' }
  const without = await startService(t)
  const withIds = await startService(t, { includesUserId: true, accounts: [own] })
  const only = ['2.1/members-without-user-id']
  const compared = (password: string): Promise<Report> => {
    const plain = { baseUrl: without.url, accounts: [{ ...alice, password }] }
    const deployments = { plain, 'with-ids': { baseUrl: withIds.url, accounts: [own], includesUserId: true } }
    return run(t, withIds, { only, deployments: ['with-ids'] }, { deployments })
  }
  const outcomeOf = ({ results }: Report) => results.find(({ id }) => id === `with-ids/${only}`)
  t.match(outcomeOf(await compared(alice.password)), { outcome: 'passed' })
  const refused = outcomeOf(await compared('Not-her-1-password'))
  t.match(refused, { outcome: 'cantTell', judgements: [{ reason: /the step `without` was not accepted/ }] })
})

t.test('a case is chosen by its own id, a rule, or the id of its result', async (t) => {
  const server = await startService(t)
  const chosen = async (options: AssessOptions, target: TargetInput = {}): Promise<readonly string[]> => {
    const report = await run(t, server, { skip: [], ...options }, target)
    for (const { outcome, reason } of report.results) if (outcome === 'untested') t.equal(reason, 'filtered')
    return report.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)
  }
  const methods = ['get', 'get-query', 'put', 'patch', 'delete'].map((name) => `default/4.1/method-${name}`)
  t.strictSame(await chosen({ only: ['4.1/method-*'] }), methods)
  t.strictSame(await chosen({ only: ['4.1-method'] }), methods, 'by rule')
  t.strictSame(await chosen({ only: ['default/4.1/method-*t'] }), [methods[0], methods[2]], 'by result')
  t.strictSame(await chosen({ only: ['4.1/method-*'], skip: ['*get*'] }), methods.slice(2), 'skip wins')
  t.strictSame(await chosen({ only: ['1/exchange', '5-R1'] }), [
    'default/1/exchange',
    'default/5/password-grant',
  ])
  const two = { deployments: { one: {}, two: {} } }
  t.strictSame(await chosen({ only: ['1/*'], deployments: ['two'] }, two), ['two/1/exchange'])
  t.strictSame(await chosen({ only: ['1/*'] }, two), ['one/1/exchange', 'two/1/exchange'])

  const without = await run(t, server, { only: ['4.1/json-and-empty-body'], skip: ['7-token-error-*'] })
  const { judgements, outcome } = resultOf(without, '4.1/json-and-empty-body')
  t.strictSame(
    [outcome, judgements.map(({ rule }) => rule)],
    ['passed', ['4.1-R1']],
    'a rule is skipped alone',
  )
  t.equal(without.rules.find(({ id }) => id === '7-token-error-body')?.outcome, 'untested')
  const search = { only: ['4.1/unknown-grant-type'], skip: ['4.1-grant_type', '7-token-error-status'] }
  t.strictSame(
    resultOf(await run(t, server, search), '4.1/unknown-grant-type').judgements.map(({ rule }) => rule),
    ['7-token-error-body', '7-token-error-media-type'],
  )
  t.strictSame(await chosen({ only: ['4.1/method-*', '1/exchange'], skip: ['4.1-method'] }), [
    'default/1/exchange',
  ])

  const report = await run(t, server, { only: ['1/*'], skip: ['x*'].slice(1), deployments: ['default'] })
  t.strictSame(report.selection, { only: ['1/*'], deployments: ['default'] })
  t.equal(
    'selection' in (await run(t, server, { skip: [], only: [], runs: 1, signal: AbortSignal.abort() })),
    false,
  )
})

t.test('a selection that matches nothing is misuse, and nothing is sent', async (t) => {
  const server = await startService(t)
  const misuse: readonly (readonly [AssessOptions, string, RegExp])[] = [
    [
      { only: ['4.1/method'] },
      'nothing-matches',
      /no case, rule or result matches `4.1\/method`.*did you mean/,
    ],
    [{ only: ['1/exchange', '1/EXCHANGE'] }, 'nothing-matches', /`1\/EXCHANGE`/],
    [{ skip: ['nothing*'] }, 'nothing-matches', /`nothing\*`/],
    [{ deployments: ['staging'] }, 'unknown-deployment', /no deployment is named `staging`/],
    [
      { replay: { deployment: 'default', case: '9/none', seed: 1, path: '0' } },
      'nothing-matches',
      /nothing to replay/,
    ],
  ]
  for (const [options, code, message] of misuse) {
    const run_ = assess({ baseUrl: server.url, accounts }, { ...quick, skip: [], ...options })
    await t.rejects(run_, { name: 'AssayError', code, message }, JSON.stringify(options))
    await t.rejects(run_, AssayError)
  }
  t.strictSame(server.journal.entries(), [])
})

/**
 * The report but for what may differ: times, dates, and how many requests there were, as cases that run in the same moment
 * share a control. Tokens are never in it.
 */
function timeless(report: Report): unknown {
  const date = /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g
  return JSON.parse(
    JSON.stringify({ ...report, startedAt: '' }, (key, value: unknown) =>
      key === 'durationMs' || key === 'requests' ? 0 : value,
    ).replace(date, 'date'),
  )
}

t.test('the same seed gives the same report, whatever the concurrency', async (t) => {
  // Faults whose finding takes a search, and one that only some answers show.
  const server = await startService(t, {
    behaviour: {
      supportsGrantType: (grantType) => grantType.trim().toLowerCase() === 'password',
      acceptsMediaType: (type) => /^application\/x-www-form-urlencode/i.test(type ?? ''),
      signIn: ({ account, matches, password }) =>
        matches || password?.includes('cat & more') ? account : undefined,
      tokenType: ({ userName }) => (userName === 'bob' ? 'Bearer' : 'bearer'),
    },
  })
  const one = await run(t, server, { concurrency: 1, seed: 42 })
  t.strictSame(brokenRules(one), ['2.1-token_type', '4.1-content-type', '4.1-grant_type', '4.1-credentials'])
  t.strictSame(timeless(await run(t, server, { concurrency: 16, seed: 42 })), timeless(one), '16 at once')
  t.strictSame(timeless(await run(t, server, { concurrency: 1, seed: 42 })), timeless(one), 'and once more')
  const other = await run(t, server, { seed: 43 })
  t.strictSame(brokenRules(other), brokenRules(one))
  const grantType = '4.1/unknown-grant-type'
  t.not(firstFailure(other, grantType).replay, firstFailure(one, grantType).replay)

  for (const id of ['4.1/unknown-grant-type', '4.1/other-media-type', '4.1/wrong-password']) {
    const found = firstFailure(one, id)
    const replay = parseReplay(found.replay ?? '')
    if (replay === undefined) throw new TypeError(`no replay of ${id}`)
    const report = await run(t, server, { replay, skip: [] })
    const again = firstFailure(report, id)
    t.strictSame(again.counterexample?.values, found.counterexample?.values, 'exactly the counterexample')
    t.equal(again.replay, found.replay)
    t.equal(again.reproduce, found.reproduce)
    t.equal(resultOf(report, id).runs, 1)
    t.strictSame(report.selection, { chosenBy: '--replay', only: [`default/${id}`] })
  }
})

t.test('two faults of one search are both found, and each is small', async (t) => {
  const server = await startService(t, {
    behaviour: {
      supportsGrantType: (grantType) => grantType.toLowerCase() === 'password',
      deliver: (answer, { body }) => {
        const grantType = new URLSearchParams(Buffer.from(body).toString()).get('grant_type') ?? ''
        return { kind: 'answer', answer: grantType.length > 20 ? { ...answer, status: 401 } : answer }
      },
    },
  })
  const report = await run(t, server, { only: ['4.1/unknown-grant-type'], skip: [], runs: 100 })
  t.strictSame(brokenRules(report), ['4.1-grant_type', '7-token-error-status'])
  const { judgements, exchanges } = resultOf(report, '4.1/unknown-grant-type')
  t.match(
    judgements.find(({ rule }) => rule === '7-token-error-status'),
    { expected: '400', actual: '401' },
  )
  const { counterexample } = firstFailure(report, '4.1/unknown-grant-type')
  t.match(String(counterexample?.values.grant).toLowerCase(), /^password$/)
  const lengths = exchanges.map(({ request }) => {
    const body = request.body !== undefined && 'text' in request.body ? request.body.text : ''
    return new URLSearchParams(body).get('grant_type')?.length ?? 0
  })
  t.ok(lengths.includes(21), `the other is shrunk to 21 characters: ${lengths.join()}`)
  const options = { ...quick, only: ['4.1/unknown-grant-type'], skip: [], runs: 100 }
  const target = resolveTarget({ baseUrl: server.url, accounts })
  const large = await assessTarget(target, { ...options, shrinks: () => false })
  t.strictSame(brokenRules(large), brokenRules(report), 'without shrinking, both too')
  const places = resultOf(large, '4.1/unknown-grant-type').judgements.flatMap(
    ({ counterexample }) => counterexample ?? [],
  )
  t.ok(places.length > 0 && places.every(({ shrinks }) => shrinks === 0))
})

t.test('each rule that a search breaks has its own input, request and replay', async (t) => {
  // As parts of a framework may: another media type where there is a slash, and another error for what is long.
  const server = await startService(t, {
    behaviour: {
      deliver: (answer, { body }) => {
        const grantType = new URLSearchParams(Buffer.from(body).toString()).get('grant_type') ?? ''
        if (answer.status !== 400) return { kind: 'answer', answer }
        const refusal = grantType.includes('/')
          ? { ...answer, headers: [['Content-Type', 'text/html']] as const }
          : { ...answer, ...(grantType.length > 20 ? { body: '{"error":"invalid_request"}' } : {}) }
        return { kind: 'answer', answer: refusal }
      },
    },
  })
  const id = '4.1/unknown-grant-type'
  const report = await run(t, server, { only: [id], skip: [], runs: 100 })
  const { judgements, exchanges } = resultOf(report, id)
  const failed = judgements.filter(({ outcome }) => outcome === 'failed')
  t.strictSame(
    failed.map(({ rule }) => rule),
    ['7-token-error-body', '7-token-error-media-type'],
  )
  for (const { rule, counterexample, reproduce, replay: text, exchanges: places = [] } of failed) {
    const grant = String(counterexample?.values.grant)
    t.ok(rule === '7-token-error-body' ? grant.length === 21 : grant.includes('/'), `${rule}: ${grant}`)
    t.strictSame(counterexample?.held, { times: 1, of: 1 }, 'it was sent again')
    const own = places.flatMap((place) => exchanges[place] ?? []).filter(({ label }) => label === 'request')
    t.strictSame(
      own.map(({ request: { body } }) => {
        const form = body !== undefined && 'text' in body ? body.text : ''
        return new URLSearchParams(form).get('grant_type')
      }),
      [grant],
      'its own exchange',
    )
    const pair = new URLSearchParams({ grant_type: grant }).toString()
    t.match(reproduce?.replaceAll("'", ''), ` ${pair} `)
    const replay = parseReplay(text ?? '')
    if (replay === undefined) throw new TypeError(`no replay of ${rule}`)
    const repeated = resultOf(await run(t, server, { replay, skip: [] }), id)
    const again = repeated.judgements.find((judgement) => judgement.rule === rule)
    t.match(again, { outcome: 'failed', counterexample: { values: { grant } } }, `${rule}: ${text}`)
  }
})

t.test('a violation that is seen once is a violation', async (t) => {
  let granted = 0
  const server = await startService(t, {
    behaviour: {
      supportsGrantType: (grantType) =>
        grantType === 'password' || (grantType.includes('w') && granted++ === 0),
    },
  })
  const once = await run(t, server, { only: ['4.1/unknown-grant-type'], skip: [] })
  const [judgement] = resultOf(once, '4.1/unknown-grant-type').judgements
  t.match(judgement, { rule: '4.1-grant_type', outcome: 'failed', reason: /^seen once in \d+$/ })
  t.strictSame(
    judgement?.counterexample?.held,
    { times: 0, of: 3 },
    'and the report says that it did not repeat',
  )
  t.equal(once.verdict, 'nonconformant')

  let tokens = 0
  const rare = await startService(t, {
    behaviour: { tokenType: () => (++tokens % 50 === 0 ? 'Bearer' : 'bearer') },
  })
  const report = await run(t, rare, { only: ['2.1/token-response'], skip: [], runs: 100 })
  t.strictSame(brokenRules(report), ['2.1-token_type'])
  const shape = resultOf(report, '2.1/token-response')
  t.match(
    shape.judgements.find(({ outcome }) => outcome === 'failed'),
    { rule: '2.1-token_type', reason: /^seen in 6 of 30\d$/ },
    'one wrong answer in fifty is found, and counted',
  )
  t.equal(shape.exchanges.length, 1, 'the first of them is shown')
})

t.test('where valid requests are refused, refusals prove nothing', async (t) => {
  // A refusal of 400, 401 or 403 would be taken for a wrong password.
  const server = await startService(t, { behaviour: { isTokenPath: () => false } })
  const report = await run(t, server)
  t.equal(report.verdict, 'nonconformant')
  t.match(resultOf(report, '1/exchange').judgements, [
    { outcome: 'failed', message: /check that the declared account/ },
  ])
  for (const id of [
    '4.1/wrong-password',
    '4.1/method-get',
    '4.1/unknown-grant-type',
    '4.1/json-and-empty-body',
  ]) {
    const { judgements, reason } = resultOf(report, id)
    t.match(reason, /^the control 4.1\/password-grant, a valid request, was refused \(404\)/, id)
    for (const { outcome } of judgements) t.equal(outcome, 'cantTell')
  }
  t.notOk(
    report.results.some(({ outcome }) => outcome === 'passed'),
    'nothing is green',
  )
})

t.test('a control that fails afterwards makes its negatives undecided', async (t) => {
  let logins = 0
  const server = await startService(t, {
    // The two accounts, the second of which is the control before, and no more.
    behaviour: { signIn: ({ account, matches }) => (matches && ++logins <= 2 ? account : undefined) },
  })
  const report = await run(t, server, { only: ['4.1/method-get'], skip: [], concurrency: 1 })
  t.match(resultOf(report, '4.1/method-get'), {
    outcome: 'cantTell',
    reason: /^the control 4.1\/password-grant/,
  })
  t.strictSame(
    resultOf(report, '4.1/method-get').exchanges.map(({ label }) => label),
    ['control', 'request', 'control again'],
  )
  t.equal(report.verdict, 'inconclusive')

  let more = 0
  const lenient = await startService(t, {
    behaviour: {
      acceptsMethod: () => true,
      signIn: ({ account, matches }) => (matches && ++more <= 3 ? account : undefined),
    },
  })
  const withPut = await run(t, lenient, { only: ['4.1/method-put'], skip: [], concurrency: 1 })
  t.equal(resultOf(withPut, '4.1/method-put').outcome, 'failed', 'a token that was given stays a token')
})

t.test('a run that is stopped reports what it has', async (t) => {
  const server = await startService(t)
  const before = await run(t, server, { signal: AbortSignal.abort() })
  t.equal(before.verdict, 'inconclusive')
  t.equal(server.journal.entries().length, 0, 'nothing was sent')
  t.notOk(before.results.some(({ outcome }) => outcome === 'passed'))

  const controller = new AbortController()
  let finished = 0
  const report = await run(t, server, {
    concurrency: 1,
    signal: controller.signal,
    onResult: ({ outcome }) => {
      if (outcome === 'passed' && ++finished === 4) controller.abort()
    },
  })
  t.ok(idsWith(report, 'passed').length >= 4, 'what was finished is kept')
  const stopped = report.results.filter(({ reason }) => reason === 'stopped')
  t.ok(stopped.length > 10 && stopped.every(({ outcome }) => outcome === 'untested'))
  t.strictSame(idsWith(report, 'failed'), [])
  t.equal(report.verdict, 'inconclusive')

  const late = await run(t, server, { maxDurationMs: 1, runs: 1000 })
  t.ok(
    late.results.some(({ outcome, reason }) => outcome === 'untested' && reason === 'stopped'),
    'out of time',
  )
  t.equal(late.verdict, 'inconclusive')
})

t.test('with bail the first failure is the last', async (t) => {
  const server = await startService(t, { behaviour: { acceptsMethod: () => true } })
  const all = await run(t, server, { concurrency: 1 })
  t.equal(all.counts.failed, 4, 'no one reads the query')
  const report = await run(t, server, { concurrency: 1, bail: true })
  t.equal(report.counts.failed, 1)
  t.equal(report.verdict, 'nonconformant')
  const others = report.results.filter(({ outcome, reason }) => outcome === 'untested' && reason === 'bail')
  t.ok(others.length > 10)
  t.notOk(
    report.results.some(({ reason }) => reason === 'stopped'),
    'it says why',
  )
})

t.test('what every answer shows is said after the first, and ends a run with bail', async (t) => {
  const tokenMembers = (grant: Grant) =>
    grantMembers(grant).map(([name, value]): Member => [name, name === 'token_type' ? 'Bearer' : value])
  const server = await startService(t, { behaviour: { tokenMembers } })
  let sent = 0
  const failing: { readonly id: string; readonly sent: number; readonly rules: readonly string[] }[] = []
  const onFailing = ({ id, judgements }: Result): void => {
    const rules = judgements.flatMap(({ rule, outcome }) => (outcome === 'failed' ? rule : []))
    failing.push({ id, sent, rules })
  }
  const options = { concurrency: 1, onFailing, onRequest: () => void sent++ }
  const whole = await run(t, server, options)
  const all = sent
  t.match(failing, [{ id: 'default/2.1/token-response', rules: ['2.1-token_type'] }])
  t.equal(failing.length, 1)
  t.ok((failing[0]?.sent ?? all) <= 3, 'of hundreds of requests')
  sent = 0
  const bailed = await run(t, server, { ...options, bail: true })
  t.ok(sent <= 10 && sent < all / 10, `${sent} of ${all}`)
  t.strictSame(idsWith(bailed, 'failed'), ['2.1/token-response'])
  t.strictSame(idsWith(whole, 'failed'), ['2.1/token-response'])
})

t.test('no service, and half a service', async (t) => {
  const elsewhere = await startService(t, { basePath: '/auth' })
  const gone = await run(t, elsewhere, {}, { baseUrl: 'http://127.0.0.1:1' })
  t.equal(gone.verdict, 'inconclusive')
  t.strictSame([idsWith(gone, 'passed'), idsWith(gone, 'failed')], [[], []])

  const report = await run(t, elsewhere, {}, { baseUrl: elsewhere.url.replace('/auth', '') })
  t.strictSame(idsWith(report, 'passed'), [])
  t.ok(idsWith(report, 'failed').includes('4.1/password-grant'), 'the path is wrong')
})

t.test('a login that is refused for its grant type is no word about the password alone', async (t) => {
  for (const [error, advice] of [
    [
      'unsupported_grant_type',
      /Check that the service reads the form of the request and its `grant_type`, then/,
    ],
    ['invalid_grant', /Check that the account exists and that its password is right/],
  ] as const) {
    const behaviour = { signIn: () => undefined, errorBody: () => ({ error }) }
    const report = await run(t, await startService(t, { behaviour }))
    t.equal(report.verdict, 'inconclusive')
    t.match(JSON.stringify(report.stops ?? report.results), advice, error)
  }
})

t.test('a refused password that a file or a secret store may have lengthened', async (t) => {
  const server = await startService(t)
  for (const [password, note] of [
    ['Wrong-horse-1\n', / The password begins or ends with white space\./],
    ['Wrong-horse-1', /target file\.[^ ]/],
  ] as const) {
    const report = await run(t, server, {}, { accounts: [{ userName: 'alice', password }] })
    t.match(JSON.stringify(report.results), note)
    t.notMatch(JSON.stringify(report), 'Wrong-horse')
  }
})

t.test('an option that there is not, or of another kind, is misuse', async (t) => {
  const target = { baseUrl: 'http://127.0.0.1:1', accounts }
  const misuses = [
    [{ runss: 3 }, 'there is no option `runss`: did you mean `runs`?'],
    [{ effort: 'fast' }, 'option `effort`: expected one of quick, normal, thorough'],
    [{ only: '2.1-token_type' }, 'option `only`: expected a list of texts'],
    [{ runs: 0 }, 'option `runs`: expected a whole number of at least 1'],
    [{ concurrency: Number.NaN }, 'option `concurrency`: expected a whole number from 1 to 256'],
    [{ concurrency: 257 }, 'option `concurrency`: expected a whole number from 1 to 256'],
    [{ maxDurationMs: 2 ** 31 }, 'option `maxDurationMs`: expected a number from 0 to 86400000'],
    [{ signal: 5 }, 'option `signal`: expected an `AbortSignal`'],
    [{ shard: null }, 'option `shard`: expected an object'],
    [{ seed: Number.NaN }, 'option `seed`: expected a whole number'],
    [{ seed: 'ci-42' }, 'option `seed`: expected a whole number'],
    [null, 'the options: expected an object'],
    [{ maxDurationMs: '10' }, 'option `maxDurationMs`: expected a number from 0 to 86400000'],
  ] as const
  for (const [options, message] of misuses)
    await t.rejects(assess(target, options as never), { code: 'usage', message })
})
