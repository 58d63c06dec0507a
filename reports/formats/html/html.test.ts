import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import t from 'tap'
import { explanations } from '../../../spec/generated/explanations.js'
import type { Report } from '../../../spec/model/report.js'
import { everywhere, PAYLOADS } from '../../fixtures/hostile-report.js'
import { type PageElement, pageElements } from '../../fixtures/page-elements.js'
import { greenReport, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { anchor } from '../shared/escape.js'
import { renderHtml } from './html.js'
import { html, own, prose, textLines } from './markup.js'

const emptyReport: Report = { ...greenReport, results: [], rules: [], plan: { hash: 'x', planned: 0 } }
const samples = { redReport, greenReport, inconclusiveReport, emptyReport }
const ATTRIBUTES =
  /^(?:aria-(?:hidden|label|labelledby)|autocomplete|charset|checked|class|content|data-state|height|hidden|href|http-equiv|id|lang|name|open|placeholder|preserveAspectRatio|role|scope|spellcheck|title|type|value|viewBox|width|x|y)$/

t.test('a page is sound: strict markup, ids once, links that lead somewhere, nothing loaded', async (t) => {
  for (const [name, report] of Object.entries(samples)) {
    const page = renderHtml(report)
    const elements = pageElements(page)
    const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])
    t.equal(new Set(ids).size, ids.length, `${name}: ids`)
    const hrefs = elements.flatMap(({ attributes }) => attributes.get('href') ?? [])
    t.strictSame(
      hrefs.filter((href) => !href.startsWith('#') || !ids.includes(href.slice(1))),
      [],
      `${name}: links`,
    )
    const labels = elements.flatMap(({ attributes }) => attributes.get('aria-labelledby') ?? [])
    t.ok(
      labels.every((label) => ids.includes(label)),
      `${name}: labels`,
    )
    t.strictSame(unknownAttributes(elements), [], `${name}: attributes`)
    for (const { id } of report.results) t.ok(ids.includes(anchor('result', id)), id)
    for (const { id } of report.rules) t.ok(ids.includes(anchor('rule', id)), id)
    t.notMatch(page, /[^\P{C}\n]|@import|url\(|src=/u, `${name}: no hidden character, nothing to load`)
  }
})

t.test('the head of a page names what is waived, and until when', async (t) => {
  const waived = redReport.results
    .flatMap((result) => (result.outcome === 'failed' ? [result] : []))
    .slice(0, 1)
  const [failed] = waived
  const rule = failed?.judgements.find(({ outcome }) => outcome === 'failed')?.rule
  t.ok(rule)
  const results = waived.map((result) => ({
    ...result,
    waived: { reason: 'Agreed <with> Ann.', until: '2099-01-31' },
  }))
  const [head = ''] = renderHtml({ ...redReport, results }).split('</header>')
  t.match(head, `Waived until 2099-01-31: <code>${rule}</code> is broken. Agreed &lt;with&gt; Ann.`)
})

t.test('a broken rule says why it matters and how to fix it, the same fix once', async (t) => {
  const page = renderHtml(redReport)
  const shown = explanations.rules.filter(({ rule }) =>
    new RegExp(`<h3>(?:(?!</h3>).)*>${rule.replaceAll('.', '\\.')}</a></h3>`).test(page),
  )
  t.ok(shown.length >= 3, 'broken rules of the specification')
  for (const { rule, why, note } of shown)
    for (const text of [why, note ?? '']) t.ok(page.includes(prose(text).markup), `${rule}: ${text}`)
  for (const { title, advice, code } of explanations.mendings.filter(({ id }) =>
    shown.some(({ mending }) => mending === id),
  )) {
    t.ok(page.includes(html`<b>${title}</b>`.markup), title)
    t.ok(page.includes(prose(advice).markup), advice)
    for (const text of Object.values(code))
      t.ok(page.includes(textLines(text.trimEnd().replaceAll('\t', '  ')).markup))
  }
  t.notMatch(page, 'token-assay explain', 'nothing is to be looked up in a terminal')
})

t.test(
  'what went over the wire comes before how to fix it, and each sentence begins with a capital',
  async (t) => {
    const page = renderHtml(redReport)
    const [, first = ''] = page.split('<article class="cause group">')
    t.ok(first.includes('How to fix it'))
    t.ok(first.indexOf('Seen in ') < first.indexOf('How to fix it'))
    t.match(renderHtml(inconclusiveReport), '<p class="why">No request was answered.')
  },
)

t.test('the policy allows the one style and the one script, and they are what it hashes', async (t) => {
  const page = renderHtml(redReport)
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1] ?? ''
  const hash = (element: string): string => {
    const [, text = '', ...others] = page.split(new RegExp(`</?${element}>`))
    t.equal(others.length, 1, `one ${element}`)
    return `sha256-${createHash('sha256').update(text).digest('base64')}`
  }
  t.equal(
    policy,
    `default-src 'none'; style-src '${hash('style')}'; script-src '${hash('script')}'; base-uri 'none'; form-action 'none'`,
  )
  const script = page.split(/<\/?script>/)[1] ?? ''
  t.doesNotThrow(() => new Script(script), 'it parses')
  t.notMatch(script, /innerHTML|outerHTML|insertAdjacent|document\.write|eval/, 'it writes no markup')
})

t.test('a text stays a text, in every string of a report', async (t) => {
  const shape = (page: string): readonly string[] =>
    pageElements(page)
      // How much of two texts is marked is theirs; pairs of backquotes are code.
      .filter(({ name }) => name !== 'mark' && name !== 'code')
      .map(({ name, attributes }) => [name, ...attributes.keys()].join(' '))
  const plain = shape(renderHtml(everywhere(redReport, (text) => `${text}zz`)))
  for (const [name, payload] of Object.entries(PAYLOADS)) {
    const page = renderHtml(everywhere(redReport, (text) => text + payload))
    t.strictSame(shape(page), plain, `${name}: the same elements with the same attributes`)
    t.notMatch(page, /[^\P{C}\n]/u, `${name}: nothing hides`)
    t.notMatch(page, /href="[^#]/, `${name}: no link leads out`)
    t.equal(page.split('<script>').length, 2, name)
  }
})

t.test('a text is escaped in its place', async (t) => {
  t.equal(
    html`<p title="${`"'\``}">${'<b>&\n'}</p>`.markup,
    '<p title="&quot;&#39;&#96;">&lt;b&gt;&amp;\\n</p>',
  )
  t.equal(html`${[1, undefined, ['<', own('<br>')]]}`.markup, '1&lt;<br>')
  t.equal(textLines('<\n\u202e').markup, '&lt;\n\\u202e')
  t.equal(prose('a `<b>` c').markup, 'a <code>&lt;b&gt;</code> c')
  t.equal(prose('a ` c').markup, 'a &#96; c')
  t.equal(anchor('result', 'a/4.1/ü ~"#'), 'result/a/4.1/~00fc~0020~007e~0022~0023')
})

t.test('a page of HTML is folded behind its words; a short text is not', async (t) => {
  const text = `<!doctype html><html><head><style>h1 { color: red }</style><title>Bad gateway</title></head>
<body><h1>502</h1><p>${'The upstream is away. '.repeat(4)}</p><script>var a = 1 < 2</script></body></html>`
  const answering = (text: string): string => {
    const response = { status: 502, headers: [], body: { text, truncated: false } }
    const results = redReport.results.map((result) => ({
      ...result,
      exchanges: result.exchanges.map((exchange) => ({ ...exchange, response })),
    }))
    return renderHtml({ ...redReport, results })
  }
  const summary = `<summary>the body, ${text.length} characters of markup: “Bad gateway 502 The upstream is away. The upstream is away. The upstream is away…”</summary>`
  t.match(answering(text), summary)
  t.notMatch(answering('<h1>502</h1>'), 'of markup')
})

t.test('what the page says', async (t) => {
  const page = renderHtml(redReport)
  t.match(page, '<h1>✗ NOT CONFORMANT</h1>')
  t.match(page, 'Partial run (--only')
  for (const [name, words] of [
    ['failed', '<b>6</b> cases <span aria-hidden="true">✗</span> failed'],
    ['cantTell', '<b>2</b> cases <span aria-hidden="true">?</span> cannot tell'],
    ['waived', '<b>1</b> of the failed <span aria-hidden="true">≈</span> waived'],
  ] as const)
    t.match(page, `<li class="${name} some">${words}</li>`)
  t.match(page, '<code><mark>b</mark>earer</code>', 'expected, with the difference marked')
  t.match(page, '<code><mark>B</mark>earer</code>', 'actual')
  t.match(page, '>--replay &#39;default/2.1/token-response@42:0&#39;</pre>')
  t.match(page, 'grant = &quot;passwore&quot;')
  t.match(page, 'shrunk 5 times; seed -1204871, path 12:1:0')
  t.match(page, '<i>(not UTF-8; as base64)</i> /wD+')
  t.match(page, /data-state="warning">\n<summary>.*<b>4\.1-content-type-spelling<\/b>/)
  t.match(page, /data-state="waived">\n<summary>.*<b>8-alphanumeric-user-names-at-dot-underscore<\/b>/)
  t.match(renderHtml(greenReport), '<h1>✓ CONFORMANT</h1>')
  t.match(renderHtml(inconclusiveReport), '<h1>? INCONCLUSIVE</h1>')
})

t.test('twenty thousand results: a line each, and few exchanges', async (t) => {
  const failed = redReport.results.filter(({ id }) => id === 'default/4.1/unknown-grant-type')
  const passed = greenReport.results.filter(({ outcome }) => outcome === 'passed')
  const results = [...failed, ...passed].flatMap((result) =>
    Array.from({ length: 10_000 }, (_, index) => ({ ...result, id: `${result.id}-${index}` })),
  )
  const page = renderHtml({ ...redReport, results })
  t.equal(page.split('class="item line"').length - 1, 10_000)
  t.ok(page.split('class="exchange"').length < 1200, 'evidence is bounded')
  t.ok(page.length < 20_000_000)
})

function unknownAttributes(elements: readonly PageElement[]): readonly string[] {
  return elements.flatMap(({ attributes }) => [...attributes.keys()].filter((name) => !ATTRIBUTES.test(name)))
}
