/** `npm run test:browser`: the tables of the site's page "Servers and clients" in a real browser, without the site around them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { renderMatrixPage } from '../../tools/interop/matrix-page.js'
import { launch } from './open-page.js'
import { LOOKS, violationsOf } from './violations.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const browser = await launch()
t.teardown(() => browser.close())

const { outputFiles } = await build({
  stdin: {
    contents: 'import { enableFilters } from "./matrix.ts"; enableFilters()',
    resolveDir: join(ROOT, 'pages/matrix/browser'),
  },
  bundle: true,
  write: false,
})
const markdown = renderMatrixPage(read('docs/interop.md'), read('docs/sign-ins.md'), (id) => ({
  statement: `The rule \`${id}\`.`,
  link: '#',
}))
/** What the theme of the site has. */
const THEME =
  '.visually-hidden { position: absolute; width: 1px; height: 1px; clip-path: inset(50%); overflow: hidden; white-space: nowrap }'
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Servers</title>
<style>${THEME} body { margin: 0 } ${read('docs/site/.vitepress/theme/matrix.css')}</style>
${markdown.slice(markdown.indexOf('<main'))}<script>${outputFiles[0]?.text}</script></html>`

async function open(t: Test, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const file = join(t.testdir({}), 'index.html')
  writeFileSync(file, HTML)
  const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme })
  t.teardown(() => page.close())
  await page.goto(pathToFileURL(file).href)
  return page
}

t.test('accessible, and no wider than its window', async (t) => {
  for (const { width, colorScheme } of LOOKS) {
    const page = await open(t, width, colorScheme)
    const overflow: number = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    t.ok(overflow <= 0, `${width}: nothing to scroll sideways`, { overflow })
    t.strictSame(await violationsOf(page), [], `${width} ${colorScheme}`)
  }
})

t.test('the first column stays in sight', async (t) => {
  const page = await open(t, 390)
  const left = (): Promise<number> =>
    page.evaluate("document.querySelector('.matrix tbody th').getBoundingClientRect().left")
  const before = await left()
  await page.evaluate("document.querySelector('.matrix .scroll').scrollLeft = 400")
  t.equal(await page.evaluate("document.querySelector('.matrix .scroll').scrollLeft"), 400)
  t.equal(await left(), before)
})

t.test('rules are filtered by text, server, language and state', async (t) => {
  const page = await open(t)
  const part = page.locator('.matrix').first()
  const shown = (): Promise<string | null> => part.locator('output').textContent()
  const all = await shown()
  await part.locator('[name=text]').fill('2.1-R')
  t.match(await shown(), /^2 of \d+ rows, 14 of 14 servers$/)
  await part.locator('[name=text]').fill('')
  await part.locator('[name=language]').selectOption('Python')
  t.match(await shown(), /rows, 2 of 14 servers$/)
  t.equal(await part.locator('thead th:visible').count(), 3)
  await part.locator('[name=server]').selectOption('Authlib')
  await part.locator('[name=state]').selectOption('broken')
  t.equal(await part.locator('tbody tr:visible').count(), 7, 'as the page counts them')
  t.equal(await part.locator('tbody td:visible').count(), 7)
  await part.getByRole('button', { name: 'Show all' }).click()
  await page.waitForFunction(`document.querySelector('output').value === ${JSON.stringify(all)}`)
  t.equal(await part.locator('tbody tr:visible').count(), await part.locator('tbody tr').count())
})

t.test('clients are filtered by their own language', async (t) => {
  const page = await open(t)
  const part = page.locator('.matrix').nth(1)
  await part.locator('[name=language]').selectOption('Go')
  t.match(await part.locator('output').textContent(), /^1 of 17 rows, 15 of 15 servers$/)
})

t.test('the keyboard reaches what a cell says', async (t) => {
  const page = await open(t)
  const cell = page.locator('.matrix td button').first()
  await cell.focus()
  await page.keyboard.press('Enter')
  t.equal(await cell.getAttribute('aria-pressed'), 'true')
  const detail = page.locator('.detail').first()
  t.match(await detail.textContent(), /^2\.1-token_type at oauth2-mock-server, broken: .*"Bearer"/)
  t.equal(await detail.locator('a').getAttribute('href'), '/docs/interop.html#oauth2-mock-server')
})
