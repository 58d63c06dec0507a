import fc from 'fast-check'
import t from 'tap'
import { HIDDEN } from '../../../spec/model/hidden-value.js'
import type { Report } from '../../../spec/model/report.js'
import { everywhere, PAYLOADS } from '../../fixtures/hostile-report.js'
import { greenReport, redReport } from '../../fixtures/sample-report.js'
import { folderReporterNames, folderReporters } from '../reporters.js'
import { answerChecks } from './answer-checks.js'
import { renderJest } from './jest.js'
import { ruleTests } from './rule-tests.js'
import { escapeUnits, forComment, quoted } from './test-language.js'
import { TestVariables } from './text-parts.js'

const NAMES = folderReporterNames.filter((name) => name.startsWith('tests-'))

t.test('a member that comes twice is seen where parsers let the last count', async (t) => {
  const json = { equals: { error: 'unsupported_grant_type' } }
  const scope = { judgement: {}, accounts: [], tokenLifetime: 1, clockSkew: 0 }
  t.strictSame(
    answerChecks({ rule: '7-token-error-body', json }, scope)?.map(({ name }) => name),
    ['is json object', 'json equals'],
  )
})

t.test('the headers of the connection are those of the test, not the recorded ones', async (t) => {
  const report: Report = JSON.parse(JSON.stringify(redReport), (_, value) =>
    Array.isArray(value?.request?.headers)
      ? {
          ...value,
          request: {
            ...value.request,
            headers: [
              ...value.request.headers,
              ...['Host', 'content-length', 'Connection', 'Accept-Encoding', 'Transfer-Encoding'].map(
                (name) => [name, 'x'],
              ),
              ['User-Agent', 'curl'],
            ],
          },
        }
      : value,
  )
  const [test] = ruleTests(report).tests
  t.strictSame(
    test?.requests.map(({ headers }) => headers.map(([name]) => name)),
    [['Content-Type', 'User-Agent']],
  )
})

t.test('each broken rule is a test, with its sentence, its request and what it expects', async (t) => {
  const { tests, variables, verdict } = ruleTests(redReport)
  t.match(verdict, '✗ NOT CONFORMANT: 4 rules are broken')
  t.strictSame(
    tests.map(({ rule, checks, skip }) => [rule, checks.map(({ name, args }) => [name, ...args]), skip]),
    [
      ['2.1-token_type', [['yields token'], ['member equals', 'token_type', 'bearer']], undefined],
      // A judgement of one part is not what all of the expectation asks for.
      [
        '2.1-userId',
        [['yields token'], ['member is text', 'userId'], ['member is not empty', 'userId']],
        undefined,
      ],
      // Its body is no text.
      ['4.1-form-encoding', [], 'only the suite can judge this rule'],
      ['7-token-error-media-type', [['media type is', 'application/json;charset=UTF-8']], undefined],
    ],
  )
  t.match(tests[0], {
    statement: redReport.rules.find(({ id }) => id === '2.1-token_type')?.statement,
    judged: 0,
    requests: [
      {
        method: 'POST',
        base: 'TOKEN_ASSAY_BASE_URL',
        target: [{ text: '/Token' }],
        body: [
          { text: 'grant_type=password&username=alice&password=' },
          { variable: 'TOKEN_ASSAY_PASSWORD', encoding: 'form' },
        ],
      },
    ],
  })
  t.match(variables, [['TOKEN_ASSAY_BASE_URL', 'the base URL, without /Token']])
  t.strictSame(
    variables.filter(([name]) => name.includes('PASSWORD')),
    [
      ['TOKEN_ASSAY_PASSWORD_OF_ALICE', 'password of alice'],
      ['TOKEN_ASSAY_PASSWORD_OF_ALICE_WITH_USER_ID', 'password of alice at with-user-id'],
    ],
  )
})

t.test('of a value that a record does not have, it says which one the test can be given', async (t) => {
  const [judged] = redReport.results.flatMap(({ judgements }, at) =>
    judgements.some(({ rule }) => rule === '2.1-token_type') ? [redReport.results[at]] : [],
  )
  const [exchange] = judged?.exchanges ?? []
  if (judged === undefined || exchange === undefined) throw new Error('the sample has no such exchange')
  const contentOf = (rule: string) => {
    const undeclared = { text: 'username=bob&password=‹password›', truncated: false } as const
    const result = {
      ...judged,
      case: 'har:1/Token',
      judgements: [{ rule, outcome: 'failed', exchanges: [0] }],
      exchanges: [{ ...exchange, request: { ...exchange.request, body: undeclared } }],
    } as Report['results'][number]
    const rules = redReport.rules.map((one, at) =>
      at === 0 ? { ...one, id: rule, section: rule.slice(0, 3), outcome: 'failed' as const } : one,
    )
    return new Map(ruleTests({ ...redReport, rules, results: [result] }).variables).get(
      'TOKEN_ASSAY_PASSWORD_2',
    )
  }
  t.equal(
    contentOf('2.1-token_type'),
    'password in the test of 2.1-token_type, which takes right credentials',
  )
  t.equal(
    contentOf('4.1-grant_type'),
    'password in the test of 4.1-grant_type, which takes right credentials',
  )
  t.equal(
    contentOf('4.1-credentials'),
    'password in the test of 4.1-credentials, which takes wrong credentials',
  )
  t.equal(contentOf('7-token-error-media-type'), 'password in the test of 7-token-error-media-type')
})

t.test('where nothing is broken there is no file', async (t) => {
  for (const name of NAMES) t.strictSame(await folderReporters[name].render(greenReport), [], name)
})

t.test('what the failed answer keeps itself is left to the suite', async (t) => {
  const [first] = redReport.results
  const judgement = { rule: '4.1-path', outcome: 'failed', exchanges: [0] } as const
  const result = {
    ...first,
    case: '4.1/password-grant',
    judgements: [judgement],
  } as Report['results'][number]
  const rules = redReport.rules.map((one, at) =>
    at === 0 ? { ...one, id: '4.1-path', outcome: 'failed' as const } : one,
  )
  const { tests } = ruleTests({ ...redReport, rules, results: [result] })
  t.match(
    tests.find(({ rule }) => rule === '4.1-path'),
    { requests: [], skip: 'only the suite can judge this rule' },
  )
})

t.test('what an earlier answer of the run gave is left to the suite', async (t) => {
  const withBody = (text: string): Report =>
    JSON.parse(JSON.stringify(redReport), (_, value) =>
      typeof value?.request?.body?.text === 'string'
        ? { ...value, request: { ...value.request, body: { ...value.request.body, text } } }
        : value,
    )
  for (const given of [
    'a=‹password of bob: last character dropped›',
    'a=‹run›',
    'a=‹KEY from the environment›',
  ])
    t.match(ruleTests(withBody(given)).tests[0], { skip: undefined }, given)
  for (const lost of ['code=‹code›', 'password=‹redacted›', 'password=‹password›'])
    t.match(
      ruleTests(withBody(lost)).tests[0],
      { requests: [], skip: 'only the suite can judge this rule' },
      lost,
    )
})

t.test('a header that an exchange hides is spelled as the target declares it', async (t) => {
  const hidden = ['Authorization', 'Cookie', 'X-Key'].map((name) => [name, HIDDEN] as const)
  const declared = {
    headers: { authorization: 'Bearer ‹KEY from the environment›', Cookie: 'a=‹value of Cookie›' },
  }
  const report: Report = {
    ...redReport,
    target: {
      ...redReport.target,
      deployments: redReport.target.deployments.map((one) => ({ ...one, declared })),
    },
    results: redReport.results.map((result) => ({
      ...result,
      exchanges: result.exchanges.map((one) => ({ ...one, request: { ...one.request, headers: hidden } })),
    })),
  }
  const { tests, variables } = ruleTests(report)
  t.strictSame(tests[0]?.requests[0]?.headers, [
    ['Authorization', [{ text: 'Bearer ' }, variable('KEY', 'KEY from the environment')]],
    ['Cookie', [{ text: 'a=' }, variable('TOKEN_ASSAY_COOKIE', 'value of Cookie')]],
    ['X-Key', [variable('TOKEN_ASSAY_X_KEY', 'whole value of X-Key')]],
  ])
  t.ok(variables.some(([, content]) => content === 'whole value of X-Key'))
})

function variable(name: string, content: string) {
  return { variable: name, content, encoding: 'raw' } as const
}

t.test('variables have names that a shell takes, each label its own', async (t) => {
  const variables = new TestVariables('alice')
  const names = (text: string) =>
    variables
      .parts(text, 'raw', { header: 'X-Api-Key' })
      .map((part) => ('variable' in part ? part.variable : part))
  t.strictSame(names('‹password of alice›x‹password of alice: last character dropped›'), [
    'TOKEN_ASSAY_PASSWORD',
    { text: 'x' },
    'TOKEN_ASSAY_PASSWORD_OF_ALICE_LAST_CHARACTER_DROPPED',
  ])
  t.strictSame(names('‹password of bob›'), ['TOKEN_ASSAY_PASSWORD_OF_BOB'])
  t.strictSame(names('‹password of b-o-b›‹password of b.o.b›'), [
    'TOKEN_ASSAY_PASSWORD_OF_B_O_B',
    'TOKEN_ASSAY_PASSWORD_OF_B_O_B_2',
  ])
  // What no one declared may be another value in each place.
  const unknown = new TestVariables('alice')
  const ofTest = (text: string, test: string) =>
    unknown.parts(text, 'form', { test }).flatMap((part) => ('variable' in part ? [part.variable] : []))
  t.strictSame(ofTest('‹password›‹redacted›‹redacted›', 'the test of 4.1-R1'), [
    'TOKEN_ASSAY_PASSWORD_2',
    'TOKEN_ASSAY_REDACTED',
    'TOKEN_ASSAY_REDACTED_2',
  ])
  t.strictSame(ofTest('‹password›‹password of alice›‹password of bob›', 'the test of 4.1-R2'), [
    'TOKEN_ASSAY_PASSWORD_3',
    'TOKEN_ASSAY_PASSWORD',
    'TOKEN_ASSAY_PASSWORD_OF_BOB',
  ])
  t.strictSame(ofTest('‹password of bob›', 'the test of 4.1-R3'), ['TOKEN_ASSAY_PASSWORD_OF_BOB'])
  t.match(new Map(unknown.all).get('TOKEN_ASSAY_PASSWORD_3'), 'password in the test of 4.1-R2')
  t.strictSame(names('‹redacted›‹KEY from the environment›‹value of X-Key›‹é›'), [
    'TOKEN_ASSAY_X_API_KEY',
    'KEY',
    'TOKEN_ASSAY_X_KEY',
    'TOKEN_ASSAY_VALUE',
  ])
  t.strictSame(
    variables.parts('‹redacted›', 'raw', { header: 'Cookie' }),
    [variable('TOKEN_ASSAY_COOKIE', 'whole value of Cookie')],
    'of two headers that a report hides, each has its own',
  )
  t.strictSame(
    variables.parts('‹password of alice›‹KEY from the environment›', 'form', { service: 'canary' }),
    [
      { variable: 'TOKEN_ASSAY_PASSWORD_CANARY', content: 'password of alice at canary', encoding: 'form' },
      { variable: 'KEY', content: 'KEY from the environment', encoding: 'form' },
    ],
    'two services may have passwords of their own',
  )
  const gates = ['a', 'a-'].map((service) => variables.parts('‹value of X›', 'raw', { service })[0])
  t.match(gates, [{ variable: /^TOKEN_ASSAY_X_A$/ }, { variable: /^TOKEN_ASSAY_X_A_2$/ }])
  t.strictSame(names('a‹run›‹run in upper case›‹300 × x›'), [
    { text: 'a' },
    { run: 'lower' },
    { run: 'upper' },
    { repeat: 'x', times: 300 },
  ])
})

t.test('whatever a service sends, a file is what it says', async (t) => {
  for (const [payload, text] of Object.entries(PAYLOADS)) {
    const hostile = everywhere(redReport, (value) =>
      value === 'http://127.0.0.1:5000' ? value : value + text,
    )
    for (const name of NAMES)
      for (const file of await folderReporters[name].render(hostile)) {
        t.match(file.name, folderReporters[name].owns)
        // Controls, and what changes how a line is read; a tab is of Go.
        t.notMatch(file.text, /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u, `${name}, ${payload}`)
      }
    // It is still a program: Node reads it, and runs none of it.
    t.doesNotThrow(() => new Function('require', renderJest(ruleTests(hostile))), payload)
  }
})

t.test('a text is one literal of JavaScript, and a comment one line', async () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'"\\\'`$\n\r\u2028\u202e*/u0022{}'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 30,
  })
  fc.assert(
    fc.property(text, (one) => {
      const read: unknown = new Function(`return ${quoted(one, escapeUnits)}`)()
      const comment = forComment(one)
      return read === one && !/[^\P{C}]|\\|\*\/|\/\*/u.test(comment)
    }),
    { numRuns: 300, seed: 1 },
  )
})
