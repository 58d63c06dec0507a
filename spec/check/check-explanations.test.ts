import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { readExplanations } from '../load/explanations.js'
import { formatFinding } from '../load/position.js'
import { loadSpecification } from '../load/specification.js'
import type { Requirement } from '../model/specification.js'
import { checkExplanations } from './check-explanations.js'

const rule = { section: '1', level: 'must', statement: 'x' } as const
const ledger: readonly Requirement[] = [
  { ...rule, id: '1-one', cases: ['1/a'] },
  { ...rule, id: '1-none', level: 'untestable', why: 'Not shown.' },
  { ...rule, id: '1-two', cases: ['1/a'] },
]
const yaml = `rules:
  - { rule: 1-one, why: Because., mending: first }
  - { rule: 1-two, why: Because., mending: second }
mendings:
  - { id: first, title: T, advice: A., code: { aspnetcore: a, spring: b, express: c, go: d, flask: e, django: f, php: g } }
  - { id: second, title: T, advice: A., code: { aspnetcore: a, spring: b, express: c, go: d, flask: e, django: f, php: g } }
`

function findings(t: Test, from = '', to = ''): readonly string[] {
  t.ok(yaml.includes(from), from)
  const folder = t.testdir({ spec: { 'explanations.yaml': yaml.replace(from, to) } })
  return [...checkExplanations(readExplanations(`${folder}/spec`), ledger)].map(formatFinding)
}

t.test('each fault is found, with its place', async (t) => {
  const row = '  - { rule: 1-two, why: Because., mending: second }\n'
  t.strictSame(findings(t), [])
  t.strictSame(findings(t, '1-two', '1-tow'), [
    'spec/explanations.yaml:3:13: expected 1-two, in the order of the ledger, found 1-tow',
  ])
  t.match(findings(t, row, ''), [
    'spec/explanations.yaml:2:3: expected 1-two, in the order of the ledger, found the end',
    'spec/explanations.yaml:5:11: expected a rule that "second" mends',
  ])
  t.strictSame(findings(t, row, `${row}${row.replace('two', 'none')}`), [
    'spec/explanations.yaml:4:13: expected the end: no case judges this rule',
  ])
  t.match(findings(t, 'mending: second', 'mending: third'), [
    'spec/explanations.yaml:3:44: expected a mending, found "third"',
    /expected a rule that "second" mends/,
  ])
  t.match(findings(t, 'id: second', 'id: first'), [
    /:3:.* found "second"/,
    /expected each mending once, found "first" again/,
  ])
  t.throws(() => findings(t, 'why: Because., ', ''), {
    message: /spec\/explanations\.yaml:2:5: expected .*why/,
  })
})

t.test('what ships is sound', async (t) => {
  const shipped = readExplanations(fileURLToPath(new URL('..', import.meta.url)))
  t.strictSame([...checkExplanations(shipped, loadSpecification().requirements)], [])
})
