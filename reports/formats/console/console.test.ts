import fc from 'fast-check'
import t from 'tap'
import type { Report } from '../../../spec/model/report.js'
import { greenReport, hostile, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { difference, diffLines } from '../shared/diff.js'
import { defuseLine, escapeForTerminal, visible } from '../shared/escape.js'
import { createPage } from '../shared/page.js'
import { breakAnywhere, displayWidth, wrap } from '../shared/wrap.js'
import { renderConsole } from './console.js'

const plain = (report: Report, options: { width?: number; verbose?: boolean; quiet?: boolean } = {}) =>
  renderConsole(report, { color: false, width: 80, ...options })
/** However it is wrapped. */
const lastLine = (text: string) =>
  text
    .trimEnd()
    .replace(/\n {2}/g, ' ')
    .split('\n')
    .at(-1)
const occurrences = (text: string, part: string) => text.split(part).length - 1

t.test('hostile characters become visible', async (t) => {
  t.equal(escapeForTerminal('a\u001b[2J\u009b\u007f\u0000'), 'a\\u001b[2J\\u009b\\u007f\\u0000')
  t.equal(escapeForTerminal('\n\r\t'), '\\n\\r\\t')
  for (const bidi of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c') {
    t.match(escapeForTerminal(bidi), /^\\u[0-9a-f]{4}$/)
  }
  t.equal(
    escapeForTerminal('\u200b\u200d\ufeff\u2028\ud800\u00a0'),
    '\\u200b\\u200d\\ufeff\\u2028\\ud800\\u00a0',
  )
  t.equal(escapeForTerminal('\u{e0041}\u3164'), '\\u{e0041}\\u3164')
  t.equal(escapeForTerminal('Zoë ‹password of alice› 東京 "x" \\'), 'Zoë ‹password of alice› 東京 "x" \\')
})

t.test('commands to a CI service are defused', async (t) => {
  t.equal(escapeForTerminal('::error::x'), '\\u003a:error::x')
  t.equal(defuseLine('  \t::add-mask::x'), '  \t\\u003a:add-mask::x')
  t.equal(defuseLine('\u001b[31m::stop'), '\u001b[31m\\u003a:stop')
  t.equal(
    visible('x ##[group]y ##vso[task]z ##teamcity[a]'),
    'x \\u0023#[group]y \\u0023#vso[task]z \\u0023#teamcity[a]',
  )
  t.equal(defuseLine('a::b, [::1], # 2'), 'a::b, [::1], # 2')
})

t.test('text is broken at the width', async (t) => {
  t.strictSame(wrap('one two three', 7), ['one two', 'three'])
  t.strictSame(wrap('a veryverylong b', 6), ['a', 'veryve', 'rylong', 'b'])
  t.strictSame(breakAnywhere('abcdef', 4), ['abcd', 'ef'])
  t.strictSame(breakAnywhere('{"a":1,"b":2}', 8), ['{"a":1,', '"b":2}'])
  t.strictSame(breakAnywhere('東京東京', 5), ['東京', '東京'])
  t.strictSame(breakAnywhere('東', 1), ['東'])
  const bytes = fc.string({ unit: fc.constantFrom('a', 'b', ',', ' ', '東', 'e\u0301'), maxLength: 40 })
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 12 }), (text, width) => {
      const lines = breakAnywhere(text, width)
      return lines.join('') === text && (width === 1 || lines.every((line) => displayWidth(line) <= width))
    }),
    { seed: 1 },
  )
})

t.test('a difference is marked where it is', async (t) => {
  const page = createPage({ color: false, width: 60 })
  const margin = ' '.repeat(13)
  t.strictSame(diffLines('bearer', 'Bearer', page), [
    '  expected   bearer',
    '  actual     Bearer',
    `${margin}^`,
  ])
  t.strictSame(
    diffLines('application/json;charset=UTF-8', 'application/json', page),
    [
      '  expected   application/json;charset=UTF-8',
      `${margin}${' '.repeat(16)}^^^^^^^^^^^^^^`,
      '  actual     application/json',
    ],
    'what is missing is marked in its place',
  )
  t.strictSame(
    diffLines('一password', '一passw0rd', page).at(-1),
    `${margin}${' '.repeat(7)}^`,
    'wide letters count twice',
  )
  t.strictSame(diffLines('a token', 'status 415', page), ['  expected   a token', '  actual     status 415'])
  for (const [expected, actual] of [
    ['an answer without: Passwords must have one digit.', 'Passwords must have one digit.'],
    ['an answer without: Passwords need a digit.', 'Passwords need 6 characters. Passwords need a digit.'],
    ['at least 1 s later than 12:00:00 GMT', '12:00:00 GMT'],
    ['no request with Authorization: Bearer', 'Authorization: Bearer'],
    ['bearer', 'another member, and bearer'],
  ] as const)
    t.notMatch(diffLines(expected, actual, page).join('\n'), '^', `a description of a value: ${expected}`)
  t.strictSame(
    diffLines('/auth/Token', '/Token', page)[1],
    `${margin} ^^^^^`,
    'what is missing near the beginning',
  )
  t.strictSame(
    diffLines('" two words"', '"two words"', page)[1],
    `${margin} ^`,
    'one of the words of a value',
  )
  t.strictSame(diffLines('', 'x', page), ['  expected   (empty)', '  actual     x'])
  t.strictSame(
    diffLines('e\u0301', 'é', page),
    ['  expected   e\\u0301', '  actual     é'],
    'twins are distinguished',
  )
  const long = diffLines(
    `${'x'.repeat(300)}A${'y'.repeat(300)}`,
    `${'x'.repeat(300)}B${'y'.repeat(300)}`,
    page,
  )
  t.ok(long.every((line) => displayWidth(line) <= 60))
  t.equal(long[1]?.[long[2]?.indexOf('^') ?? 0], 'B', 'the mark of a long text is under the difference')
  t.match(diffLines('bearer', 'Bearer', createPage({ color: true, width: 60 })).join('\n'), '\u001b[7m')
  const similar = fc.string({ unit: fc.constantFrom('a', 'b', '\u202e', '東', '\ud800'), maxLength: 8 })
  fc.assert(
    fc.property(similar, similar, (expected, actual) => {
      fc.pre(expected.normalize() !== actual.normalize())
      const parts = difference(expected, actual)
      const side = (middle: readonly string[]) => [...parts.prefix, ...middle, ...parts.suffix].join('')
      return side(parts.expected) === visible(expected) && side(parts.actual) === visible(actual)
    }),
    { numRuns: 300, seed: 1 },
  )
})

t.test('a failure says everything that is needed to repeat and fix it', async (t) => {
  const text = plain(redReport)
  const start = text.indexOf('7-token-error-media-type (section 7, must)')
  const failure = text.slice(start, text.indexOf('──', start))
  const order = [
    'The error is `application/json;charset=UTF-8`.',
    'default/4.1/unknown-grant-type: a grant type other than password is',
    'The media type of the error differs.',
    'expected   application/json;charset=UTF-8',
    'actual     application/json\n',
    'control: POST http://127.0.0.1:5000/Token → 200',
    'sent       POST http://127.0.0.1:5000/Token',
    'Content-Type: application/x-www-form-urlencoded',
    'grant_type=passwore&username=alice',
    'the re-used connection was closed',
    'came back  400',
    '{"error":"unsupported_grant_type"}',
    'grant = "passwore"',
    'shrunk 5 times; seed -1204871, path 12:1:0',
    "curl -sS -i 'http://127.0.0.1:5000/Token' --data-raw 'grant_type=passwore&username=alice'\n",
    "token-assay run … --replay 'default/4.1/unknown-grant-type@42:12:1:0#AB:C'\n",
  ]
  const places = order.map((part) => failure.indexOf(part))
  t.notOk(places.includes(-1), `all there: ${places}`)
  t.strictSame(
    places,
    [...places].sort((a, b) => a - b),
    'in the order of reading',
  )
})

t.test('failures are grouped by rule, inconclusive results by reason, warnings apart', async (t) => {
  const text = plain(redReport)
  t.equal(occurrences(text, '✗ 2.1-token_type (section'), 1)
  t.equal(occurrences(text, 'how to fix it: token-assay explain 2.1-token_type\n'), 1, 'once for all rules')
  const own = redReport.rules.map((rule) => ({ ...rule, id: `own:${rule.id}` }))
  const ofOwn = redReport.results.map((result) => ({
    ...result,
    judgements: result.judgements.map((judgement) => ({ ...judgement, rule: `own:${judgement.rule}` })),
  }))
  t.notMatch(
    plain({ ...redReport, rules: own, results: ofOwn }),
    'token-assay explain',
    'what cannot be explained',
  )
  t.match(text, /also in {4}with-user-id\/2\.1\/token-response\n/)
  t.equal(occurrences(text, 'connection refused.'), 1)
  t.match(text, /! 4\.1-content-type-spelling \(section 4\.1, should\)/)
  t.equal(occurrences(text, 'the server of 2014 lets them through, until 2027-01-31\n'), 1)
  t.notMatch(text, /✗ 8-alphanumeric/)
  t.match(text, /4\.1 {4}0 of {2}4 {2}1 broken, 1 not as recommended, 1 cannot tell, 1 not run\n/)
  t.match(text, /… 38 more lines, \d+ characters in all\n\s+… the rest was not recorded/)

  const unreachable = plain(inconclusiveReport)
  t.equal(occurrences(unreachable, 'No one answers'), 1)
  t.notMatch(unreachable, 'case-0', 'the one reason is of all cases')
  const besidePassed = { ...inconclusiveReport, counts: { ...inconclusiveReport.counts, passed: 1 } }
  t.match(plain(besidePassed), /12 cases {3}with-user-id\/4\.1\/case-0, .*\n.*case-2 and 9 more\n/)

  const first = redReport.results[0]
  if (!first) throw new Error('the sample has results')
  const twice = [
    { rule: '2.1-userId', outcome: 'failed' as const, message: 'It is absent.', exchanges: [0] },
    ...first.judgements,
  ]
  const shared = plain({ ...redReport, results: [{ ...first, judgements: twice }] })
  t.match(shared, /exchange {3}as above, under 2\.1-token_type\n/, 'one exchange is printed once')
  const [userId, ...others] = twice
  const ofOther = { ...first, id: 'default/2.1/other', case: '2.1/other', judgements: userId ? [userId] : [] }
  const ofTwo = plain({ ...redReport, results: [{ ...first, judgements: others }, ofOther] })
  t.match(ofTwo, /exchange {3}as above, under 2\.1-token_type\n/, 'of two cases too')
})

t.test('the verdict comes last', async (t) => {
  t.equal(
    lastLine(plain({ ...redReport, baseline: { stale: [], waived: 1 } })),
    '✗ NOT CONFORMANT: 4 rules are broken: 2.1-token_type, 2.1-userId, 4.1-form-encoding, 7-token-error-media-type. The run stopped early (`--max-duration` is 5): 1 case was not finished. Give `--max-duration` more seconds, or remove it.',
  )
  t.match(
    plain(redReport).replace(/\s+/g, ' '),
    /remove it\. 1 entry of the baseline is stale, and that fails the run\. $/,
  )
  t.match(
    plain({ ...greenReport, baseline: { stale: ['b.yaml:3:5: x'], waived: 0 } }).replace(/\s+/g, ' '),
    /✗ BASELINE STALE: 1 entry of the baseline is stale, and that fails the run\. All else is conformant: 1 rule judged, none broken; 1 not applicable to this target\. $/,
  )
  const [, , , , , waived] = redReport.results
  const waivedOnly = {
    ...greenReport,
    results: [...greenReport.results, ...(waived === undefined ? [] : [waived])],
    rules: [...greenReport.rules, ...redReport.rules.filter(({ id }) => id.startsWith('8-alpha'))],
  }
  t.equal(
    lastLine(plain(waivedOnly, { width: 140 })),
    '✓ CONFORMANT: 2 rules judged, none broken but 1 that the baseline waives; 1 not applicable to this target.',
  )
  t.equal(
    lastLine(plain(greenReport)),
    '✓ CONFORMANT: 1 rule judged, none broken; 1 not applicable to this target.',
  )
  t.equal(
    lastLine(plain(inconclusiveReport)),
    '? INCONCLUSIVE: no request was answered. Deployment with-user-id: connection refused. Check that the service is running, and that its base URL is right.',
  )
  const answered = inconclusiveReport.results.map((result) => ({ ...result, exchanges: [] }))
  t.equal(
    lastLine(plain({ ...inconclusiveReport, results: answered })),
    '? INCONCLUSIVE: no rule is broken, but 12 cases could not be judged: No one answers at http://127.0.0.1:5001: connection refused.',
    'the one reason of all, in the last line',
  )
  const ofTwoReasons = answered.map((result, index) => ({
    ...result,
    judgements: result.judgements.map((judgement) => ({ ...judgement, reason: `reason ${index % 2}` })),
  }))
  t.equal(
    lastLine(plain({ ...inconclusiveReport, results: ofTwoReasons })),
    '? INCONCLUSIVE: no rule is broken, but 12 cases could not be judged.',
  )
  const uncovered = redReport.rules.map((rule) => ({ ...rule, outcome: 'untested' as const, results: [] }))
  t.match(
    lastLine(plain({ ...greenReport, rules: uncovered }, { width: 140 })),
    '0 rules judged, none broken; 11 not covered yet.',
  )
  t.notMatch(
    plain({ ...greenReport, selection: { only: ['1-exchange'] }, rules: uncovered }, { width: 140 }),
    'not covered yet',
    'a run of one rule leaves out the others',
  )
  const empty = {
    ...greenReport,
    verdict: 'inconclusive' as const,
    results: [],
    rules: [],
    counts: { ...greenReport.counts, passed: 0 },
  }
  t.equal(lastLine(plain(empty)), '? INCONCLUSIVE: nothing was executed.')
  const stopped = inconclusiveReport.results.map((result) => ({
    ...result,
    ...{ outcome: 'untested' as const, reason: 'stopped', judgements: [], exchanges: [] },
  }))
  t.equal(
    lastLine(plain({ ...empty, results: stopped })),
    '? INCONCLUSIVE: no case was judged. The run stopped early (by a signal): 12 cases were not finished. Run again to judge the rest.',
  )
  t.match(plain(greenReport), /The target declares no `registration`\.\n {4}8-minimum-length\n/)
  t.match(
    plain(redReport),
    /Partial run \(--only '\*', .*\n.*1 planned case not run\): the verdict is about this\npart only\.\n/,
  )
  t.notMatch(plain({ ...greenReport, selection: { only: [], skip: [] } }), 'Partial')
  t.match(plain({ ...greenReport, selection: { shard: '1/2' } }), '✓ CONFORMANT in the part that ran:')
  const replayed = { chosenBy: '--replay', only: ['default/2.1/token-response'] } as const
  const alone = /A fault that\s+other\s+requests\s+bring\s+about\s+shows\s+again\s+with\s+--last-failed\./
  t.match(plain({ ...greenReport, selection: replayed }), alone)
  t.notMatch(plain({ ...redReport, selection: replayed }), alone)
  const deployments = [{ ...greenReport.target.deployments[0], baseUrl: '' }]
  const client = { ...greenReport, target: { ...greenReport.target, deployments }, selection: replayed }
  t.notMatch(plain(client as never), alone, 'each call of a client is alone')
})

t.test(
  'of a rule a case of its own section comes first, and of two exchanges each names its step',
  async (t) => {
    const [result] = redReport.results
    const [exchange] = result?.exchanges ?? []
    if (!result || !exchange) throw new Error('the sample has an exchange')
    const failing = (testCase: string, labels: readonly string[], replay?: string) => ({
      ...result,
      id: `default/${testCase}`,
      case: testCase,
      judgements: [
        { rule: '2.1-userId', outcome: 'failed' as const, exchanges: [0, 1], ...(replay ? { replay } : {}) },
      ],
      exchanges: labels.map((label) => ({ ...exchange, label })),
    })
    const results = [failing('8/elsewhere', ['a', 'b'], 'r'), failing('2.1/own', ['exact', 'changed'])]
    const text = plain({ ...redReport, results })
    t.match(text, / {2}in {9}default\/2\.1\/own: /)
    t.match(text, / {2}also in {4}default\/8\/elsewhere\n/)
    const [, own] = results
    const twice = own && { ...own, judgements: [...own.judgements, ...own.judgements] }
    t.notMatch(plain({ ...redReport, results: twice ? [twice] : [] }), 'also in', 'not in itself')
    t.match(text, / {2}sent {7}exact: POST http.*\n {2}sent {7}changed: POST http/s)
  },
)

t.test('quiet is a line per broken rule; verbose is everything', async (t) => {
  t.equal(plain(greenReport, { quiet: true }).trimEnd().split('\n').length, 1)
  t.match(
    plain(redReport, { quiet: true }),
    /^✗ 2\.1-token_type: The member token_type is not exactly "bearer"\. \(2 results\)\n {2}expected {2}\S.*\n {2}actual {4}\S/,
  )
  const verbose = plain(redReport, { verbose: true })
  t.notMatch(verbose, 'also in')
  t.match(verbose, 'actual     BEARER')
  t.match(verbose, 'The error for a wrong password')
})

t.test('whatever a target sends, the terminal and the CI service stay ours', async (t) => {
  const unsafe = /[^\P{C}\n]|[\p{Zl}\p{Zp}]|^\s*::|##\[|##vso\[/mu
  const attack = fc.string({
    unit: fc.constantFrom(
      ...hostile,
      '::',
      '##[',
      '##vso[',
      ' ',
      '\u001b[',
      'x',
      '\u202e',
      'é',
      '東',
      '\n',
      '\r',
    ),
    maxLength: 200,
  })
  t.notMatch(plain(redReport, { verbose: true }), unsafe)
  fc.assert(
    fc.property(attack, fc.integer({ min: 1, max: 130 }), fc.boolean(), (text, width, verbose) => {
      const [first] = redReport.results
      if (!first) return false
      const judgements = [
        {
          rule: '2.1-userId',
          outcome: 'failed' as const,
          message: text,
          expected: 'x',
          actual: text,
          pointer: text,
          reproduce: text,
          replay: text,
        },
      ]
      const inconclusive = [{ rule: '2.1-userId', outcome: 'cantTell' as const, reason: text }]
      const request = {
        method: text,
        url: text,
        headers: [[text, text]] as const,
        body: { text, truncated: true },
      }
      const exchanges = [{ label: text, request, response: null, failure: text, resent: text, durationMs: 1 }]
      const rules = redReport.rules.map((rule) => ({ ...rule, statement: text }))
      const results = [
        { ...first, title: text, judgements, exchanges },
        { ...first, id: text, judgements: inconclusive, exchanges },
      ]
      const target = { name: text, deployments: [{ name: text, baseUrl: text, declared: null }] }
      const output = renderConsole({ ...redReport, rules, results, target }, { color: true, width, verbose })
      const bare = output.replace(/\u001b\[\d+m/g, '')
      return !unsafe.test(bare)
    }),
    { numRuns: 60, seed: 1 },
  )
})
