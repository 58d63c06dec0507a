import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { formatFinding, formatFindings } from '../load/position.js'
import { readSpecificationFiles } from '../load/specification-files.js'
import { checkSpecification } from './check.js'

const ledger = `requirements:
  - { id: 4.1-R1, section: "4.1", level: must, statement: One. }
  - { id: 4.1-R2, section: "4.1", level: should, statement: Two., why: Soon. }
  - { id: 4.1-R3, section: "4.1", level: unspecified, statement: Three., observation: 4.1/three }
  - { id: 4.1-R4, section: "4.1", level: untestable, statement: Four., why: Not shown. }
`
const groups = 'refused: [{ rule: 4.1-R1, given: refusal, status: 400 }]\n'
const cases = `section: "4.1"
cases:
  - { id: 4.1/grant, title: grants, send: {}, expect: [{ rule: 4.1-R1, yieldsToken: true }] }
  - id: 4.1/refusal
    title: refuses
    control: 4.1/grant
    forall: { grant: any }
    steps:
      - { name: one, send: { form: { grant_type: $grant, price: $$5 } } }
      - { name: two, send: { form: { user: $account.userName } } }
    expect:
      - { all: refused, of: one }
      - { rule: 4.1-R1, sameAnswerAs: one }
`

const observations = `observations:
  - { id: 4.1/three, section: "4.1", statement: Three, of: 4.1/grant, shows: answer }
  - { id: 4.1/size, section: "4.1", statement: Size, send: { form: { a: $padding.k16 } }, shows: grant }
`

/** Findings, with `from` replaced by `to` in the one of the four files that holds it. */
function findings(t: Test, from = '', to = '', file = '4.1-token.yaml'): readonly string[] {
  t.ok(
    [ledger, groups, observations, cases].some((text) => text.includes(from)),
    `the text to replace is there: ${from}`,
  )
  const folder = t.testdir({
    'requirements.yaml': ledger.replace(from, () => to),
    'expectations.yaml': groups.replace(from, () => to),
    'observations.yaml': observations.replace(from, () => to),
    cases: { [file]: cases.replace(from, () => to) },
  })
  return [...checkSpecification(readSpecificationFiles(folder))].map((finding) =>
    formatFinding(finding).replace(/^[^/]*\//, ''),
  )
}

t.test('a sound specification has no findings', async (t) => {
  t.same(findings(t), [])
})

t.test('each fault is found, with its place', async (t) => {
  const faults: readonly (readonly [from: string, to: string, ...findings: readonly string[]])[] = [
    [
      'id: 4.1/three, section',
      'id: 4.1/size, section',
      'observations.yaml:3:11: expected each observation once, found "4.1/size" a second time',
      'requirements.yaml:4:87: expected the id of an observation, found "4.1/three"',
    ],
    [
      'of: 4.1/grant',
      'of: 4.1/grunt',
      'observations.yaml:2:60: expected the id of a case, found "4.1/grunt"; did you mean "4.1/grant"?',
    ],
    [', of: 4.1/grant', '', 'observations.yaml:2:11: expected one of `of`, `send`, `register` and `steps`'],
    [
      'id: 4.1/size',
      'id: 4.2/size',
      'observations.yaml:3:30: expected the section that "4.2/size" begins with, found "4.1"',
    ],
    [
      '$padding',
      '$pudding',
      'observations.yaml:3:73: expected one of $account, $other, $fresh, $second, $each, $padding, $upperFresh, $utf16, found "$pudding"',
    ],
    [
      ', why: Soon.',
      '',
      'requirements.yaml:3:11: expected a case or `why` for the should rule 4.1-R2, found neither',
    ],
    [
      'why: Not shown.',
      'observation: 4.1/three',
      'requirements.yaml:5:85: expected `why` for the untestable rule 4.1-R4, found `observation`',
    ],
    [
      ', why: Soon.',
      ', why: Soon., observation: 4.1/three',
      'requirements.yaml:3:92: expected a case or `why` for the should rule 4.1-R2, found `observation` and `why`',
    ],
    [
      '4.1-R3, section',
      '4.1-R2, section',
      'requirements.yaml:4:11: expected each rule once, found "4.1-R2" a second time',
    ],
    ['Two.', '"ONE!"', 'requirements.yaml:3:61: expected a statement of its own, found that of 4.1-R1'],
    [
      '4.1-R3, section: "4.1"',
      '4.1-R3, section: "4.2"',
      'requirements.yaml:4:28: expected the section that "4.1-R3" begins with, found "4.2"',
    ],
    [
      'statement: One.',
      'statement: One., why: Not shown.',
      'requirements.yaml:2:70: expected a case or `why` for the must rule 4.1-R1, found a case and `why`',
    ],
    [
      'level: must',
      'level: untestable',
      'requirements.yaml:2:11: expected `why` for the untestable rule 4.1-R1, found a case',
    ],
    [
      'section: "4.1"\ncases',
      'section: "4.2"\ncases',
      'cases/4.1-token.yaml:1:10: expected the section that the file name 4.1-token.yaml begins with, found "4.2"',
      'cases/4.1-token.yaml:3:11: expected an id that begins with 4.2/, found "4.1/grant"',
      'cases/4.1-token.yaml:4:9: expected an id that begins with 4.2/, found "4.1/refusal"',
    ],
    [
      'title: grants',
      `title: ${'x'.repeat(71)}`,
      'cases/4.1-token.yaml:3:29: expected a title of at most 70 characters, found 71',
    ],
    [
      'title: grants',
      'title: it Should grant',
      'cases/4.1-token.yaml:3:29: expected a title in the present tense, found "should"',
    ],
    [
      'control: 4.1/grant',
      'control: 4.1/grnat',
      'cases/4.1-token.yaml:6:14: expected the id of a case, found "4.1/grnat"; did you mean "4.1/grant"?',
    ],
    [
      'control: 4.1/grant',
      'control: 4.1/refusal',
      'cases/4.1-token.yaml:6:14: expected another case as the control, found 4.1/refusal itself',
    ],
    [
      'yieldsToken: true',
      'status: 200',
      'cases/4.1-token.yaml:6:14: expected a control that expects `yieldsToken: true` or `registered: true`, found 4.1/grant',
    ],
    [
      '    control: 4.1/grant\n',
      '',
      'cases/4.1-token.yaml:4:9: expected a control for 4.1/refusal, which expects a refusal',
    ],
    [
      'title: grants,',
      'title: grants, control: 4.1/grant,',
      'cases/4.1-token.yaml:3:46: expected another case as the control, found 4.1/grant itself',
    ],
    [
      'of: one',
      'of: onne',
      'cases/4.1-token.yaml:12:29: expected the name of a step of this case, found "onne"; did you mean "one"?',
    ],
    [
      'sameAnswerAs: one',
      'sameAnswerAs: two',
      'cases/4.1-token.yaml:13:39: expected another step than the judged one, found "two"',
    ],
    [
      'name: two',
      'name: one',
      'cases/4.1-token.yaml:10:17: expected each step name once, found "one" a second time',
      'cases/4.1-token.yaml:13:39: expected another step than the judged one, found "one"',
    ],
    [
      '$account.',
      '$acount.',
      'cases/4.1-token.yaml:10:44: expected one of $account, $other, $target, $fresh, $fresh1, $fresh2, $second, $each, $long, $padding, $grant, found "$acount"; did you mean "account"?',
    ],
    ['$grant,', 'x,', 'cases/4.1-token.yaml:7:15: expected a use of $grant, found none'],
    [
      '- { rule: 4.1-R1, sameAnswerAs',
      '- { rule: 4.1-R9, sameAnswerAs',
      'cases/4.1-token.yaml:13:17: expected the id of a rule, found "4.1-R9"; did you mean "4.1-R1"?',
    ],
    [
      '- { all: refused, of: one }\n',
      '',
      'expectations.yaml:1:1: expected a case that names the group "refused", found none',
    ],
    [
      'all: refused',
      'all: refusd',
      'cases/4.1-token.yaml:12:16: expected a group of expectations.yaml, found "refusd"; did you mean "refused"?',
    ],
  ]
  for (const [from, to, ...expected] of faults) t.same(findings(t, from, to), expected, `${from} -> ${to}`)
  t.match(findings(t, 'id: 4.1/refusal', 'id: 4.1/grant'), [
    /4\.1-token\.yaml:4:9: expected each case once, found "4.1\/grant", which .* has already/,
  ])
  t.match(findings(t, '', '', '4.2-token.yaml'), ['cases/4.2-token.yaml:1:10: expected the section'])
})

t.test('the specification that ships is sound', async (t) => {
  const files = readSpecificationFiles(fileURLToPath(new URL('../', import.meta.url)))
  t.equal(formatFindings(checkSpecification(files)), '')
})
