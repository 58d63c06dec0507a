import t from 'tap'
import { everywhere, PAYLOADS } from '../../fixtures/hostile-report.js'
import { greenReport, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { renderGithub } from '../github.js'
import { markdownCode, markdownText } from './escape.js'
import { renderMarkdown } from './markdown.js'

/** What a Markdown reader would take for markup: all but code spans, escapes and references. */
function markup(line: string): string {
  return line
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/(`+) .*? \1(?!`)|(`+)[^`]+\2(?!`)/g, 'code')
    .replace(/&#\d+;/g, '')
}

t.test('the summary says what the report says', async (t) => {
  const text = renderMarkdown(redReport)
  t.match(text, /^## ✗ NOT CONFORMANT\n\n4 rules are broken: 2\.1-token\\_type, /)
  t.match(text, '| passed | failed | cannot tell | not applicable | not run | waived |')
  t.match(text, '| 0 | 6 | 2 | 1 | 1 | 1 |')
  t.match(text, '### 2.1-token\\_type (section 2.1, must)')
  t.match(text, '  - expected `bearer`\n  - actual `Bearer`\n  - at `/token_type`\n')
  t.match(text, '  - `POST http://127.0.0.1:5000/Token → 200`\n')
  t.match(text, '\n- why it matters and how to fix it: `token-assay explain 2.1-token_type`\n\n### ')
  t.match(text, '## Warnings\n')
  t.match(
    text,
    /## Waived\n\n- the server of 2014 lets them through, until 2027-01-31: 8-alphanumeric-.* in default\/8\/at-sign\n/,
  )
  t.match(text, '## Cannot tell\n')
  t.match(text, '| 8-minimum-length | must | – not applicable |')
  t.match(renderMarkdown(greenReport), /^## ✓ CONFORMANT\n/)
  t.match(renderMarkdown(inconclusiveReport), /^## \? INCONCLUSIVE\n/)
})

t.test('no markup, link, command or line comes of a text', async (t) => {
  const kinds = (text: string): readonly string[] =>
    text.split('\n').map((line) => /^(?:#+ |> |\| |\|---|- | {2}- |<\/?details>|$)/.exec(line)?.[0] ?? 'text')
  const plain = kinds(renderMarkdown(everywhere(redReport, (text) => `${text}zz`)))
  for (const [name, payload] of Object.entries(PAYLOADS)) {
    const text = renderMarkdown(everywhere(redReport, (own) => own + payload))
    t.strictSame(kinds(text), plain, `${name}: the same lines`)
    t.notMatch(text, /[^\P{C}\n]|^\s*::|##\[|##vso\[/mu, `${name}: harmless when printed`)
    const left = text
      .split('\n')
      .map(markup)
      .filter((line) => !/^<\/?details>/.test(line))
    t.notMatch(left.join('\n').replace(/^(?:#+|>) /gm, ''), /[<>[\]*_~@]|:\/\/|www\./, `${name}: no markup`)
    const cells = left.filter((line) => line.startsWith('| ')).map((line) => line.split('|').length)
    t.strictSame(cells, [8, 8, ...Array.from(redReport.rules, () => 6), 6], `${name}: no cell more`)
  }
})

t.test('texts in Markdown', async (t) => {
  t.equal(markdownText('a_b*c* <b> [x](y) @me'), 'a\\_b\\*c\\* \\<b\\> \\[x\\](y) &#64;me')
  t.equal(markdownText('- https://x www.y'), '\\- https&#58;//x www&#46;y')
  t.equal(markdownText('12. x\n# y'), '12\\. x\\\\n\\# y')
  t.equal(markdownCode('a`b``c'), '``` a`b``c ```')
  t.equal(markdownCode('a|b'), '`a\\u007cb`')
  t.equal(markdownCode(''), '(empty)')
  t.ok(markdownText('x'.repeat(5000)).length < 500)
})

t.test('annotations: one command a line, each its own', async (t) => {
  const lines = renderGithub(redReport).trimEnd().split('\n')
  t.equal(
    lines[2],
    '::error title=2.1-token_type is broken::The member `token_type` is exactly `bearer`.%0AThe member token_type is not exactly "bearer".%0Aexpected: bearer%0Aactual: Bearer%0Ain default/2.1/token-response, with-user-id/2.1/token-response%0Amore: token-assay explain 2.1-token_type',
  )
  t.match(lines[0], /^::error title=not true%3A the baseline matches the run::baseline\.yaml:3:5: /)
  t.match(lines[1], /^::error title=not all was judged::The run stopped early /)
  t.strictSame(
    lines.map((line) => /^::(\w+) title=[^:,]*::/.exec(line)?.[1]),
    ['error', 'error', 'error', 'error', 'error', 'error', 'warning', 'warning', 'notice', undefined],
  )
  t.match(lines.at(-2), '0 passed, 6 failed, 2 cannot tell, 1 not applicable, 1 not run, 1 waived')
  t.match(lines.at(-1), /^✗ NOT CONFORMANT: /)
  t.match(
    renderGithub(greenReport),
    /^::notice title=Token Assay%3A conformant::1 passed, .*\n✓ CONFORMANT: .*\n$/,
  )

  for (const [name, payload] of Object.entries(PAYLOADS)) {
    const text = renderGithub(everywhere(redReport, (own) => own + payload))
    t.equal(text.split('\n').length, lines.length + 1, name)
    t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, name)
    for (const line of text.trimEnd().split('\n').slice(0, -1)) {
      t.match(line, /^::(?:error|warning|notice) title=[^:,]*::/, name)
      t.notMatch(line, /%(?!25|0A|3A|2C)/, name)
    }
    t.notMatch(text.trimEnd().split('\n').at(-1), /^\s*::/, name)
  }
})

t.test('more annotations than GitHub shows', async (t) => {
  const rules = Array.from({ length: 20 }, (_, index) => `2.1-r${index}`)
  const [first] = redReport.results
  const report = {
    ...redReport,
    rules: rules.map((id) => ({
      id,
      section: '2.1',
      level: 'must',
      statement: id,
      outcome: 'failed',
      results: [],
    })),
    results: [{ ...first, judgements: rules.map((rule) => ({ rule, outcome: 'failed' })) }],
  } as unknown as typeof redReport
  const errors = renderGithub(report)
    .split('\n')
    .filter((line) => line.startsWith('::error'))
  t.equal(errors.length, 10)
  t.equal(errors[9], '::error title=and 12 more::The report has all of them.')
})
