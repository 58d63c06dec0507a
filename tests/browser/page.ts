/** `npm run test:browser`: the page in a real browser. Not part of `npm test`, which runs without one. */
import t from 'tap'
import { everywhere, PAYLOADS } from '../../reports/fixtures/hostile-report.js'
import { sampleDifferential } from '../../reports/fixtures/sample-differential.js'
import { greenReport, inconclusiveReport, redReport } from '../../reports/fixtures/sample-report.js'
import type { Report, Result } from '../../spec/model/report.js'
import { failingRun } from './failing-run.js'
import { launch, openPage } from './open-page.js'
import { LOOKS, violationsOf } from './violations.js'

const browser = await launch()
t.teardown(() => browser.close())
const reports = { redReport, greenReport, inconclusiveReport, sampleDifferential }

t.test('accessible, and as wide as its window, in light and dark, everything open', async (t) => {
  for (const [name, report] of Object.entries(reports)) {
    for (const { width, colorScheme } of LOOKS) {
      const { page, incidents } = await openPage(browser, t.testdir(), report, { colorScheme, width })
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
      const overflow: number = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
      t.ok(overflow <= 0, `${name} ${width}: nothing to scroll sideways`, { overflow })
      t.strictSame(await violationsOf(page), [], `${name} ${colorScheme} ${width}`)
      t.strictSame(incidents, [], name)
      await page.close()
    }
  }
})

t.test('hostile texts do nothing', async (t) => {
  for (const [name, payload] of Object.entries(PAYLOADS)) {
    const report = everywhere(redReport, (text) => text + payload)
    const { page, incidents } = await openPage(browser, t.testdir(), report)
    t.strictSame(incidents, [], name)
    t.equal(
      await page.locator('script, img, iframe, svg svg, [onerror], [style]').count(),
      1,
      `${name}: one script`,
    )
    await page.close()
  }
})

t.test('a deep link opens what it leads to, with and without the script', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const fragment = 'result/default/4.1/unknown-grant-type'
    const { page } = await openPage(browser, t.testdir(), redReport, { javaScriptEnabled, fragment })
    t.ok(await page.locator(`[id="${fragment}"] .exchange`).first().isVisible(), `${javaScriptEnabled}`)
    t.equal(
      await page.locator('#filter').isVisible(),
      javaScriptEnabled,
      'the filter is there where it works',
    )
    await page.close()
  }
})

t.test('the filter: words, outcomes, and a link to what it hides; all by keyboard', async (t) => {
  const { page } = await openPage(browser, t.testdir(), redReport)
  const shown = () => page.locator('.item:visible').count()
  t.equal(await shown(), 4, 'the broken rules; all else is folded')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('GRANT type')
  await page.locator('output:has-text(" of 23")').waitFor()
  t.equal(await page.locator('output').textContent(), `${await shown()} of 23 rules and results`)
  t.ok((await shown()) < 8)
  t.equal(await page.locator('#map').isVisible(), false, 'the map is nothing that was found')
  await page.getByRole('searchbox').fill('')
  await page.locator('#map').waitFor()
  t.equal(await shown(), 4, 'folded as before')
  await page.getByRole('checkbox', { name: 'failed' }).focus()
  await page.keyboard.press('Space')
  await page.locator('[data-state=failed]:visible').first().waitFor({ state: 'hidden' })
  await page.locator('.chips a.cell.failed').first().focus()
  await page.keyboard.press('Enter')
  await page.locator('[id="rule/2.1-token_type"]').waitFor()
  t.equal(await page.locator('[data-state=failed]:visible').count(), 1)
})

t.test('only what failed: one click, one more and all is back', async (t) => {
  const { page } = await openPage(browser, t.testdir(), redReport)
  const only = page.getByRole('button', { name: 'Only failed' })
  await only.focus()
  await page.keyboard.press('Enter')
  await page.locator('#map').waitFor({ state: 'hidden' })
  t.equal(await only.getAttribute('aria-pressed'), 'true')
  const states: string[] = await page.evaluate(
    "[...document.querySelectorAll('.item')].filter((item) => item.checkVisibility()).map((item) => item.dataset.state)",
  )
  // Four rules, and the six failed results but the waived one.
  t.strictSame(states, Array(9).fill('failed'))
  await only.click()
  await page.locator('#map').waitFor()
  t.equal(await only.getAttribute('aria-pressed'), 'false')
  t.equal(await page.locator('.item:visible').count(), 4)
  const { page: green } = await openPage(browser, t.testdir(), greenReport)
  t.equal(await green.getByRole('button', { name: 'Only failed' }).count(), 0)
})

t.test('what failed comes first: the failing request above its control, a page of HTML folded', async (t) => {
  const { page } = await openPage(browser, t.testdir(), redReport)
  const [filter, failures, map] = await Promise.all(
    ['#filter', '#failures', '#map'].map(async (id) => (await page.locator(id).boundingBox())?.y ?? 0),
  )
  t.ok((filter ?? 0) < (failures ?? 0) && (failures ?? 0) < (map ?? 0), 'filter, failures, map')
  const cause = page.locator('.cause', { has: page.locator('[id="rule/7-token-error-media-type"]') })
  t.equal(await cause.locator('.step:visible').count(), 1)
  t.match(await cause.locator('.sent:visible').textContent(), 'grant_type=passwore')
  await cause.getByText('1 control').click()
  t.match(await cause.locator('.fold .sent').textContent(), 'grant_type=password&')
  for (const id of redReport.rules.map(({ id }) => id))
    t.equal(await page.locator(`[id="rule/${id}"]`).count(), 1, `${id} is there once`)
})

t.test('five failures of a real run take less than ten screens of a telephone', async (t) => {
  // Each is another answer, and one of them breaks three rules.
  const report = await failingRun([
    'capital-bearer',
    'multipart-by-415',
    'get-allowed',
    'password-in-brackets',
    'guest-without-user-name',
  ])
  const { page } = await openPage(browser, t.testdir(), report, { width: 390 })
  t.equal(await page.locator('.cause').count(), 5)
  t.equal(await page.locator('.broken').count(), 7)
  const screens: number = await page.evaluate('document.documentElement.scrollHeight / window.innerHeight')
  t.comment(`${screens.toFixed(1)} screens`)
  t.ok(screens < 10, 'screens', { screens })
})

const FAILED = 'result/default/4.1/unknown-grant-type'
const CLIPBOARD = ['clipboard-read', 'clipboard-write']

t.test('a button copies what is below it, by keyboard, and says so', async (t) => {
  const { page, incidents } = await openPage(browser, t.testdir(), redReport, {
    fragment: FAILED,
    permissions: CLIPBOARD,
  })
  const inside = page.locator(`[id="${FAILED}"]`)
  for (const [name, hasText] of [
    ['Copy the curl command', 'Repeat the request'],
    ['Copy the replay flag', 'Replay: a flag'],
  ] as const) {
    const part = inside.locator('.copy', { hasText })
    t.equal(await part.getByRole('button', { name }).count(), 1)
    await page.evaluate("navigator.clipboard.writeText('before')")
    await part.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await inside.getByRole('button', { name: name.replace('Copy', 'Copied') }).waitFor()
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    t.equal(copied, await part.locator('pre').textContent(), name)
    t.match(copied, /^(?:curl |--replay ')/)
    t.equal(await page.locator('#heard').textContent(), 'Copied to the clipboard')
    t.equal(await page.locator('button:has-text("Copied")').count(), 1, 'one at a time')
  }
  t.strictSame(incidents, [])
})

t.test(
  'refused the clipboard, the button leaves the text copied or selected; without a script there is none',
  async (t) => {
    const { page, incidents } = await openPage(browser, t.testdir(), redReport, { fragment: FAILED })
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    const part = page.locator(`[id="${FAILED}"] .copy`, { hasText: 'Repeat the request' })
    await part.getByRole('button').click()
    await part.locator('button:not(:has-text("Copy "))').waitFor()
    const selected: string = await page.evaluate('getSelection().toString()')
    t.equal(selected.trim(), (await part.locator('pre').textContent())?.trim())
    t.strictSame(incidents, [])
    const still = await openPage(browser, t.testdir(), redReport, {
      fragment: FAILED,
      javaScriptEnabled: false,
    })
    t.equal(await still.page.locator('button:visible').count(), 0)
  },
)

t.test('on paper there is nothing to press, and nothing is cut off', async (t) => {
  const { page } = await openPage(browser, t.testdir(), redReport, { media: 'print', width: 700 })
  t.equal(await page.locator('button:visible, form:visible, input:visible').count(), 0)
  t.ok(await page.getByRole('heading', { level: 1 }).isVisible())
  const overflow: number = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  t.ok(overflow <= 0, 'width', { overflow })
})

t.test('twenty thousand results open and filter', async (t) => {
  const { page } = await openPage(browser, t.testdir(), many(20_000))
  const filtered: number = await page.evaluate(`(async () => {
    const start = performance.now()
    document.querySelector('input[type=search]').value = 'x/19999'
    document.querySelector('#filter').dispatchEvent(new Event('input'))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    return performance.now() - start
  })()`)
  const opened: number = await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
  t.comment(`opened in ${Math.round(opened)} ms, filtered in ${Math.round(filtered)} ms`)
  t.equal(await page.locator('.item:visible').count(), 1)
})

/** One result of ten fails. */
function many(size: number): Report {
  const [failed] = redReport.results
  const [passed] = greenReport.results
  const results = Array.from({ length: size }, (_, index): Result[] => {
    const of = index % 10 === 0 ? failed : passed
    return of === undefined ? [] : [{ ...of, id: `default/x/${index}`, case: `x/${index}` }]
  })
  return { ...redReport, results: results.flat() }
}
