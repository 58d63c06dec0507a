import t from 'tap'
import { everywhere, PAYLOADS } from '../../fixtures/hostile-report.js'
import { pageElements } from '../../fixtures/page-elements.js'
import { sampleDifferential } from '../../fixtures/sample-differential.js'
import { prose, textLines } from '../html/markup.js'
import { renderDifferentialHtml } from './html.js'

const page = renderDifferentialHtml(sampleDifferential)

t.test(
  'the sentence for a manager comes first, then the findings by severity, with who is hurt',
  async (t) => {
    t.match(
      page,
      /<h1>✗ 3 changes that clients will notice<\/h1>\s*<p class="why">1 of them breaks sign-in, in 40 requests\./,
    )
    const titles = sampleDifferential.findings.map(({ title }) =>
      page.indexOf(`</span> ${prose(title).markup}</h3>`),
    )
    t.notOk(titles.includes(-1), 'each is a heading', { titles })
    t.strictSame(
      titles,
      titles.toSorted((a, b) => a - b),
    )
    const heads = [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, head = '']) => head)
    t.strictSame(heads.slice(0, 4), [
      'Clients can no longer sign in',
      'Clients that read answers',
      'Clients that read refusals',
      'Clients that read headers',
    ])
  },
)

t.test('what breaks sign-in looks broken, whether or not the specification is silent', async (t) => {
  const [silent] = sampleDifferential.findings
  t.match(silent, { class: 'silent', hurts: 'sign-in' })
  t.match(page, `<article class="cause failed" id="${silent?.id}">`)
})

t.test('nothing is cut off: each difference, each command, each list', async (t) => {
  for (const { differences, old, new: now, replay, also = [] } of sampleDifferential.findings) {
    for (const { at, old, new: now } of differences)
      for (const text of [at, old, now]) t.ok(page.includes(textLines(text.trim()).markup), text.slice(0, 30))
    for (const text of [old.reproduce, now.reproduce, replay])
      t.ok(text !== undefined && page.includes(text), replay)
    for (const text of also) t.ok(page.includes(prose(text).markup), text)
  }
  for (const text of ['wrong password: 400 or 500', 'did not answer', '48 requests were skipped', 'x-id'])
    t.match(page, text)
  for (const text of [
    'breaks 1 of 3: ',
    'web',
    '2.1 does not sign in; inconclusive for 1: ',
    'not noticed by 1',
  ])
    t.match(page, text)
  for (const text of ['exit code 7', 'it asked for no token', '1 change breaks 1 of 3 clients.'])
    t.match(page, text)
  t.match(page, 'accepted until 2027-01-31: no client reads it (ann)')
  t.notMatch(page, /1 requests/)
})

t.test('links lead somewhere, ids are there once, and a text stays a text', async (t) => {
  const elements = pageElements(page)
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])
  t.equal(new Set(ids).size, ids.length)
  const hrefs = elements.flatMap(({ attributes }) => attributes.get('href') ?? [])
  t.ok(hrefs.length >= 4, 'each finding is linked at the top')
  t.ok(hrefs.every((href) => ids.includes(href.slice(1))))
  const shape = (text: string) => pageElements(text).flatMap(({ name }) => (name === 'code' ? [] : name))
  for (const payload of Object.values(PAYLOADS))
    t.strictSame(
      shape(renderDifferentialHtml(everywhere(sampleDifferential, (text) => text + payload))),
      shape(page),
    )
})
