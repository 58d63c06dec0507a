import t from 'tap'
import { editBaseline, newBaseline, parseBaseline } from './baseline-file.js'

const entry = (rule: string) => ({
  rule,
  case: '2.1/token-response',
  deployment: '*',
  fingerprint: '0123456789abcdef',
  reason: 'r',
  owner: 'o',
  until: '2099-01-31',
})
const [first, second, third] = [entry('2.1-token_type'), entry('2.1-userName'), entry('2.1-userId')]

t.test('an edited baseline is one, however it was written', async (t) => {
  const { rule, ...same } = second
  const rest = Object.keys(same).map((name) =>
    name === 'owner' ? 'owner: *o' : `${name}: ${JSON.stringify(same[name as keyof typeof same])}`,
  )
  const texts = {
    'spaces.json': JSON.stringify({ waived: [first, second] }, null, 2).replaceAll('\n', '\r\r\n'),
    'block.yaml': `# kept\nwaived: [${JSON.stringify(first)}, ${JSON.stringify(second)}]`,
    'alias.yaml': `waived:\n  - ${JSON.stringify(first).replace('"o"', '&o "o"')}\n  - { rule: ${rule}, ${rest.join(', ')} }\n`,
  }
  for (const [file, text] of Object.entries(texts)) {
    const before = parseBaseline(file, text)
    t.strictSame(before.content.waived, [first, second], file)
    const edited = editBaseline(before, { removed: new Set([0]), added: [third] })
    t.strictSame(parseBaseline(file, edited).content.waived, [second, third], file)
    t.equal(edited.includes('# kept'), text.includes('# kept'))
  }
})

t.test('a new baseline is one, as YAML and as JSON', async (t) => {
  for (const file of ['new.yaml', 'new.json']) {
    const edited = editBaseline(parseBaseline(file, newBaseline(file)), {
      removed: new Set(),
      added: [first],
    })
    t.strictSame(parseBaseline(file, edited).content.waived, [first], file)
  }
})

t.test('a day that is not in the calendar is refused, with its place', async (t) => {
  for (const until of ['2099-02-31', '2098-02-29', '2099-04-31'])
    t.throws(
      () => parseBaseline('b.yaml', `waived:\n  - ${JSON.stringify({ ...first, until })}\n`),
      { message: new RegExp(`^b\\.yaml:2:\\d+: until: expected a day that exists, found \`${until}\`$`) },
      until,
    )
  parseBaseline('b.yaml', `waived:\n  - ${JSON.stringify({ ...first, until: '2096-02-29' })}\n`)
})
