import t from 'tap'
import { parseSpecification } from './load.js'
import { nearest } from './nearest.js'
import { SpecError } from './position.js'
import { readPositioned } from './positioned.js'
import { jsonErrorOffset } from './positioned-json.js'
import { loadSpecification } from './specification.js'

const requirements = `requirements:
  - { id: 4.1-R1, section: "4.1", level: must, statement: A rule., why: Not yet. }
`

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return 'nothing was thrown'
}

t.test('what is written in short is resolved', async (t) => {
  const folder = t.testdir({
    'requirements.yaml': requirements,
    'expectations.yaml': `refused:
  - { rule: 4.1-R1, status: 400 }
  - { rule: 4.1-R1, yieldsToken: false, when: { accounts: 2 } }
`,
    cases: {
      '4.1-b.yaml': `section: "4.1"
cases:
  - id: 4.1/steps
    title: two steps
    steps:
      - { name: one, send: { form: {} }, expect: [{ rule: 4.1-R1, status: 200 }] }
      - { send: { body: "" } }
    expect:
      - { all: refused, of: one, when: { includesUserId: true } }
`,
      '4.1-a.yaml': `section: "4.1"
cases:
  - { id: 4.1/one, title: one, send: { form: [[a, b], [a, c]] }, expect: [{ rule: 4.1-R1, status: 2xx }] }
`,
    },
  })
  const { cases, requirements: rows, hash } = parseSpecification(folder)
  t.same(rows, [
    {
      id: '4.1-R1',
      section: '4.1',
      level: 'must',
      statement: 'A rule.',
      why: 'Not yet.',
      cases: ['4.1/one', '4.1/steps'],
    },
  ])
  t.same(cases, [
    {
      id: '4.1/one',
      title: 'one',
      section: '4.1',
      steps: [
        {
          send: {
            form: [
              ['a', 'b'],
              ['a', 'c'],
            ],
          },
          expect: [{ rule: '4.1-R1', status: '2xx' }],
        },
      ],
    },
    {
      id: '4.1/steps',
      title: 'two steps',
      section: '4.1',
      steps: [
        { name: 'one', send: { form: {} }, expect: [{ rule: '4.1-R1', status: 200 }] },
        {
          send: { body: '' },
          expect: [
            { rule: '4.1-R1', status: 400, of: 'one', when: { includesUserId: true } },
            { rule: '4.1-R1', yieldsToken: false, of: 'one', when: { accounts: 2, includesUserId: true } },
          ],
        },
      ],
    },
  ])
  t.match(hash, /^sha256:[0-9a-f]{16}$/)
})

t.test('a bad case file gets its place, what was expected, and the nearest known key', async (t) => {
  const lines: readonly (readonly [line: string, message: string])[] = [
    [
      '{ id: 4.1/x, titel: x, send: {}, expect: [{ rule: 4.1-R1, status: 400 }] }',
      '3:18: expected a known key, found "titel"; did you mean "title"?',
    ],
    [
      '{ id: 4.1/x, title: x, send: {}, expect: [{ rule: 4.1-R1, staus: 400 }] }',
      '3:63: expected a known key, found "staus"; did you mean "status"?',
    ],
    [
      '{ id: 4.1/x, title: x, send: {}, expect: [{ rule: 4.1-R1 }] }',
      '3:47: expected an expectation with at least one check, such as status or yieldsToken, found a map',
    ],
    [
      '{ id: 4.1/x, title: x, send: {}, steps: [{ send: {} }] }',
      '3:34: expected either `send` or `steps`, found both',
    ],
    ['{ id: 4.1/x, title: x }', '3:5: expected the key "send", found none'],
    [
      '{ id: 4.1/x, title: x, send: { form: {}, json: {} }, expect: [{ all: refused }] }',
      '3:34: expected at most one of `form`, `json` and `body`',
    ],
    [
      '{ id: 4.1/x, title: x, send: { form: { a: 1 } }, expect: [{ all: refused }] }',
      '3:47: expected a string, found a number (put it in quotes)',
    ],
    [
      '{ id: 4.1/x, title: x, send: { form: "a" }, expect: [{ all: refused }] }',
      '3:42: expected a map of texts, or a list of [name, text] pairs, found a string',
    ],
    [
      '{ id: 4.1 x, title: x, send: {}, expect: [{ all: refused }] }',
      '3:11: expected a case id such as 4.1/password-grant or contoso:checkout/locked-account, found another form',
    ],
    [
      '{ id: 4.1/x, title: x, account: mian, send: {}, expect: [{ all: refused }] }',
      '3:37: expected one of main, throwaway, found "mian"; did you mean "main"?',
    ],
    [
      '{ id: 4.1/x, title: x, send: {}, expect: [{ all: refusd }] }',
      '3:54: expected a group of expectations.yaml, found "refusd"; did you mean "refused"?',
    ],
    [
      '{ id: 4.1/x, title: x, send: {}, expect: [{ rule: 4.1-R1, status: 600 }] }',
      '3:71: expected a status from 100 to 599, or 2xx, found a number',
    ],
    [
      '{ id: 4.1/x, title: x, send: {}, expect: [{ rule: 4.1-R1, member: { name: a, nonEmpty: false } }] }',
      '3:92: expected true, found false',
    ],
  ]
  for (const [line, expected] of lines) {
    const folder = t.testdir({
      'requirements.yaml': requirements,
      'expectations.yaml': 'refused: [{ rule: 4.1-R1, status: 400 }]\n',
      cases: { '4.1-a.yaml': `section: "4.1"\ncases:\n  - ${line}\n` },
    })
    const [first = '', ...others] = messageOf(() => parseSpecification(folder)).split('\n')
    if (line.includes('titel')) t.same(others, [], 'that `title` is missing goes without saying')
    t.equal(first.replace(/^.*cases\/4\.1-a\.yaml:/, ''), expected, line)
  }
  t.throws(() => parseSpecification(t.testdir({ 'requirements.yaml': 'requirement: []' })), SpecError)
})

t.test('moving lines leaves the hash, changing a check does not', async (t) => {
  const hash = (before: string, status: number): string =>
    parseSpecification(
      t.testdir({
        'requirements.yaml': before + requirements,
        cases: {
          '4.1-a.yaml': `${before}section: "4.1"\ncases: [{ id: 4.1/x, title: x, send: {}, expect: [{ rule: 4.1-R1, status: ${status} }] }]`,
        },
      }),
    ).hash
  t.equal(hash('', 400), hash('# note\n\n', 400))
  t.not(hash('', 400), hash('', 401))
})

t.test('what is not plain data is refused', async (t) => {
  const bomb = `a: &a [${'x, '.repeat(9)}x]\nb: &b [${'*a, '.repeat(9)}*a]\nc: &c [${'*b, '.repeat(9)}*b]\nd: &d [${'*c, '.repeat(9)}*c]\ne: [*d, *d]`
  const chain = Array.from({ length: 300 }, (_, at) => `- &a${at} [${at === 0 ? '' : `*a${at - 1}`}]`).join(
    '\n',
  )
  const texts = {
    'a: 1\na: 2': 'f.yaml:2:1: expected each key once, found it a second time',
    'a: *b':
      'f.yaml:1:4: expected an anchor before its alias, found none (a text that begins with * is written in quotes)',
    '&a [*a]': 'f.yaml:1:5: expected no alias inside its own anchor',
    'a: !!binary aGk=':
      'f.yaml:1:13: expected no tag, found one (a text that begins with ! is written in quotes)',
    'a: 1\n---\nb: 1': 'f.yaml:2:1: expected one document, found another',
    [bomb]: 'f.yaml: expected at most 20000 values, found more',
    [chain]: 'f.yaml: expected at most 200 levels of nesting',
    [`- &a x\n${'- *a\n'.repeat(8000)}`]: 'f.yaml: expected at most 1000 uses of aliases',
    ['- 1\n'.repeat(20_001)]: 'f.yaml: expected at most 20000 values, found more',
    [Array.from({ length: 20_001 }, (_, at) => `k${at}: 1`).join('\n')]:
      'f.yaml: expected at most 20000 values, found more',
    'a: .nan': 'f.yaml:1:4: expected a number, found one that JSON does not have',
    'a: 1\n&k b: 2\nb: 3': 'f.yaml:3:1: expected each key once, found it a second time',
    ['- '.repeat(5000)]: 'f.yaml: expected at most 200 levels of nesting',
    ['['.repeat(20000)]: 'f.yaml: expected at most 200 levels of nesting',
  }
  for (const [text, message] of Object.entries(texts))
    t.equal(messageOf(() => readPositioned('f.yaml', text)).split('\n')[0], message, text.slice(0, 20))
})

t.test('places are found through aliases, escapes and missing parts', async (t) => {
  const document = readPositioned('f.yaml', 'a: &x { "b/c~": 1 }\nd:\n  - *x\n  - 2\n')
  t.same(document.value, { a: { 'b/c~': 1 }, d: [{ 'b/c~': 1 }, 2] })
  t.same(document.at('/d/1'), { file: 'f.yaml', line: 4, column: 5 })
  t.same(document.at('/d/0/b~1c~0'), { file: 'f.yaml', line: 1, column: 17 })
  t.same(document.keyAt('/a/b~1c~0'), { file: 'f.yaml', line: 1, column: 9 })
  t.same(document.at('/d/7/x'), { file: 'f.yaml', line: 3, column: 3 }, 'the nearest parent')
})

t.test('where a text stops being JSON', async (t) => {
  const offsets: Readonly<Record<string, number | undefined>> = {
    '{"a": [1, -2.5e3, true, null, "\\u00e9"]}': undefined,
    '': 0,
    '{"a": x}': 6,
    "{'a': 1}": 1,
    '[1,]': 3,
    '{"a": tru}': 9,
    '"ab': 3,
    '[1': 2,
    '1 2': 2,
    '"a\nb"': 2,
    '-': 1,
    '[01]': 2,
  }
  for (const [text, offset] of Object.entries(offsets)) t.equal(jsonErrorOffset(text), offset, text)
})

t.test('a name twice in JSON, whatever the strings look like', async (t) => {
  const texts: Readonly<Record<string, string | undefined>> = {
    '{"a": ":{\\":1", "b": [{ "a": 1 }, { "a": 2 }], "": {}, "__proto__": 1 }': undefined,
    '{"a": 1,\n"\\u0061": 1}': 'f.json:2:1',
    '[{"a": {"b": 1, "c": 2}, "a": {"b": 1}}]': 'f.json:1:26',
    '{"__proto__": 1, "__proto__": 1}': 'f.json:1:18',
  }
  for (const [text, place] of Object.entries(texts)) {
    const read = (): unknown => readPositioned('f.json', text).value
    if (place === undefined) t.strictSame(read(), JSON.parse(text))
    else t.equal(messageOf(read), `${place}: expected each key once, found it a second time`, text)
  }
})

t.test('the nearest name', async (t) => {
  const names = ['--target', '--seed', '--token-lifetime', '--runs']
  t.equal(nearest('--traget', names), '--target')
  t.equal(nearest('--tokenLifetime', names), '--token-lifetime')
  t.equal(nearest('--sed', names), '--seed')
  t.equal(nearest('on', ['of', 'at']), 'of')
  t.equal(nearest('--verbose', names), undefined)
  t.equal(nearest('', names), undefined)
})

t.test('the specification that ships', async (t) => {
  const { cases, requirements: rows } = loadSpecification()
  t.ok(rows.some(({ id }) => id === '9-versioning'))
  t.ok(cases.some(({ id }) => id === '4.1/password-grant'))
})
