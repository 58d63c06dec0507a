/** `npm run test:browser`: the page of `token-assay ui` in a real browser. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createDemonstration } from '../../cli/ui/demonstration.js'
import { clearReport, keepReport } from '../../cli/ui/keep-report.js'
import { createReportFiles } from '../../cli/ui/report-files.js'
import { saveTarget } from '../../cli/ui/save-target.js'
import { watchFolder } from '../../cli/ui/watch-folder.js'
import { probeService } from '../../conformance/drivers/send/probe/probe-service.js'
import { startPage } from '../../pages/ui/page-server.js'
import { createSetup } from '../../pages/ui/setup/setup.js'
import { type ReferenceServerOptions, startReferenceServer } from '../../reference/server.js'
import { everywhere, PAYLOADS } from '../../reports/fixtures/hostile-report.js'
import { greenReport, redReport } from '../../reports/fixtures/sample-report.js'
import { renderJson } from '../../reports/formats/json.js'
import type { Report } from '../../spec/model/report.js'
import { countResults, summarizeRules } from '../../spec/model/summary.js'
import { freePorts } from '../../tools/interop/listen.js'
import { startCommand } from '../fixtures/command.js'
import { launch } from './open-page.js'
import { LOOKS, violationsOf } from './violations.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses', userId: '7d1f' }
const SERVICE: ReferenceServerOptions = { accounts: [ALICE], hashing: 'fast', includesUserId: true }
/** One wrong letter in each answer. */
const WRONG: ReferenceServerOptions = { ...SERVICE, behaviour: { tokenType: () => 'Bearer' } }
// A name that resolves to here, as an attacker's does after rebinding.
const browser = await launch(['--host-resolver-rules=MAP evil.example 127.0.0.1'])
t.teardown(() => browser.close())

/** The command's page in this process, over a folder of its own, and a browser that has opened it. */
async function open(t: Test, { given }: { readonly given?: string } = {}) {
  const folder = t.testdir({ src: {} })
  const reports = createReportFiles(folder)
  const setup = createSetup({
    environment: {},
    probe: probeService,
    ...(given === undefined ? {} : { given: { file: 'token-assay.yaml', text: given } }),
  })
  const demonstration = createDemonstration()
  t.teardown(() => demonstration.close())
  const served = await startPage({
    setup,
    port: 0,
    ports: {
      saveTarget: (file, text, replace) => saveTarget(folder, file, text, replace),
      clearReport: () => clearReport(folder),
      saveReport: (report, isStopped) => keepReport(folder, report, isStopped),
      history: reports.list,
      readReport: reports.read,
      demonstrate: demonstration.target,
      watch: (name, onChange) => watchFolder(folder, name, onChange),
    },
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  t.teardown(() => served.close())
  t.teardown(() => context.close())
  const { page, incidents } = await enter(context, served.address)
  return { folder, setup, served, context, page, incidents }
}

/** Opens the first address; what the page does that it must not do is written down. */
async function enter(context: BrowserContext, address: string) {
  const page = await context.newPage()
  // A busy machine is no hang.
  page.setDefaultTimeout(120_000)
  const incidents: string[] = []
  const { origin } = new URL(address)
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) incidents.push(`requests ${request.url()}`)
  })
  page.on('console', (message) => incidents.push(message.text()))
  page.on('pageerror', (error) => incidents.push(error.message))
  page.on('dialog', (dialog) => {
    incidents.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(address)
  await page.getByRole('navigation').waitFor()
  return { page, incidents }
}

const targetOf = (url: string) =>
  `baseUrl: ${url}\nincludesUserId: true\nmaxFailedLogins: 0\naccounts: [{ userName: alice, password: ${ALICE.password} }]\n`
const at = ({ address }: { readonly address: string }, path: string) =>
  new URL(`.${path}`, address.split('#')[0]).href
const verdict = (page: Page) => page.locator('#verdict h1')

t.test('from an empty folder to a red rule, understood and fixed', async (t) => {
  // The fixed service takes this port later.
  const [port = 0] = await freePorts(1)
  const wrong = await startReferenceServer({ ...WRONG, port })
  const cwd = t.testdir()
  const command = startCommand(['ui', '--no-open'], { cwd })
  t.teardown(() => command.child.kill('SIGINT'))
  const address = (await command.saying('stdout', '\n')).trim()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  t.teardown(() => context.close())
  const { page, incidents } = await enter(context, address)
  let clicks = 0
  const click = async (place: Locator): Promise<void> => {
    clicks += 1
    await place.click()
  }
  // 1. The base URL is asked for first: nothing needs to be clicked.
  await page.keyboard.type(wrong.url)
  // 2. An account.
  await click(page.getByLabel('User name', { exact: true }))
  await page.keyboard.type(ALICE.userName)
  await click(page.getByLabel('Password'))
  await page.keyboard.type(ALICE.password)
  await click(page.getByRole('button', { name: 'Check service' }))
  // 3. What the service shows, and what only a person knows.
  await page.getByText('"alice" gets a token.').waitFor()
  await page.getByText('It is in this answer.').waitFor()
  await click(page.getByLabel('Yes, the service is configured to include it'))
  // 4. The verdict.
  await click(page.getByRole('button', { name: 'Run the suite' }))
  await page.getByRole('heading', { name: 'NOT CONFORMANT' }).waitFor()
  t.comment(`${clicks} clicks to the first verdict`)
  t.ok(clicks <= 8, 'few clicks to the first verdict', { clicks })
  // 5. Why: the sentence, what was expected, what came, and how to repeat it.
  const failure = page.locator('[id="fail/2.1-token_type"]')
  t.match(await failure.textContent(), 'Every success carries token_type, and its value is bearer.')
  t.equal(await failure.locator('.expected code').first().textContent(), '"bearer"')
  t.equal(await failure.locator('.actual code').first().textContent(), '"Bearer"')
  t.ok(await failure.getByText('"token_type":"Bearer"').first().isVisible(), 'the answer itself')
  t.equal(await page.locator('.fail:not(:empty)').count(), 1, 'one rule is broken')
  // 6. Fixed, at the same place, with another fault: what failed runs again, and no more is green than that.
  await wrong.close()
  let isFaulty = true
  const supportsGrantType = (grant: string): boolean =>
    grant === 'password' || (isFaulty && grant.toLowerCase() === 'password')
  const right = await startReferenceServer({ ...SERVICE, port, behaviour: { supportsGrantType } })
  t.teardown(() => right.close())
  await click(page.getByRole('button', { name: 'Run what failed' }))
  await page.getByRole('heading', { name: 'What failed now passes' }).waitFor()
  t.equal(await page.getByText('NOT CONFORMANT').count(), 0, 'one truth')
  await page.getByText('None in what ran again.').waitFor()
  await page.locator('[id="cell/2.1-token_type"] .passed').waitFor()
  await page.locator('[id="cell/4.1-grant_type"] .untested').waitFor()
  await click(page.getByRole('button', { name: 'Run all' }))
  await page.getByRole('heading', { name: 'NOT CONFORMANT' }).waitFor()
  await page.locator('[id="cell/4.1-grant_type"] .failed').waitFor()
  // 7. Fixed as well; the whole again, and the file for the next time.
  isFaulty = false
  await click(page.getByRole('button', { name: 'Run all' }))
  await page.getByRole('heading', { name: /^✓ CONFORMANT/ }).waitFor()
  await click(page.getByRole('link', { name: 'Set up' }))
  await click(page.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved as token-assay.yaml.').waitFor()
  const saved = readFileSync(join(cwd, 'token-assay.yaml'), 'utf8')
  t.match(saved, /userId: 7d1f[\s\S]*includesUserId: true/)
  t.notMatch(saved, ALICE.password)
  t.notMatch(readFileSync(join(cwd, 'token-assay-report/report.json'), 'utf8'), ALICE.password)
  t.comment(`${clicks} clicks to a fixed service and a saved target`)
  // 8. Each whole run is in the history, with what the last one fixed.
  await click(page.getByRole('link', { name: 'History' }))
  t.match(await page.locator('.lines tbody').textContent(), /4\.1-grant_type\s*fixed/)
  t.strictSame(incidents, [])
})

t.test('a newcomer sees what this is, and the suite at work, in one click', async (t) => {
  const { page, folder, incidents } = await open(t)
  await page.getByRole('button', { name: 'Show a demonstration' }).click()
  await page.getByRole('heading', { name: 'NOT CONFORMANT' }).waitFor()
  t.match(await page.locator('.kicker').textContent(), 'Demonstration')
  const failure = page.locator('.fail:not(:empty)')
  t.equal(await failure.count(), 1, 'one fault')
  await failure.getByText('How to fix it').click()
  await failure.getByText('Express').click()
  await failure.getByText("token_type: 'bearer'").waitFor()
  t.notOk(existsSync(join(folder, 'token-assay-report')), 'the folder is left as it is')
  t.strictSame(incidents, [])
})

t.test('what was found at one address is not shown beside another', async (t) => {
  const server = await startReferenceServer(SERVICE)
  t.teardown(() => server.close())
  const { page, incidents } = await open(t, { given: targetOf(server.url) })
  const [url, check, run] = [
    page.getByLabel('Base URL'),
    page.getByRole('button', { name: 'Check service' }),
    page.getByRole('button', { name: 'Run the suite' }),
  ]
  await check.click()
  await page.getByText('"alice" gets a token.').waitFor()
  t.ok(await run.isVisible())
  await url.fill('127.0.0.1:5000')
  t.notOk(await run.isVisible(), 'as soon as another one is typed')
  await check.click()
  await page.getByText('Base URL: expected a base URL such as http://127.0.0.1:5000').waitFor()
  t.notOk(await run.isVisible(), 'and once it is refused')
  await url.fill(server.url)
  await check.click()
  await run.waitFor()
  // Chromium reports each refused change.
  t.strictSame(
    incidents.map((text) => text.match(/status of \d+/)?.[0]),
    ['status of 400'],
  )
})

t.test('by keyboard alone', async (t) => {
  const server = await startReferenceServer(SERVICE)
  t.teardown(() => server.close())
  const { page, incidents } = await open(t)
  const { keyboard } = page
  await keyboard.type(server.url)
  await keyboard.press('Tab')
  await keyboard.type(ALICE.userName)
  await keyboard.press('Tab')
  await keyboard.type(ALICE.password)
  await keyboard.press('Enter')
  await page.getByText('It is in this answer.').waitFor()
  const focused = (): Promise<string> =>
    page.evaluate(
      'document.activeElement === document.body ? "" : document.activeElement.id || document.activeElement.textContent',
    )
  const tabTo = async (place: RegExp): Promise<void> => {
    for (let presses = 0; presses < 150; presses += 1) {
      if (place.test(await focused())) return
      await keyboard.press('Tab')
    }
    t.fail(`${place} is not reached`)
  }
  await tabTo(/^userId-/)
  await keyboard.press('Space')
  await tabTo(/^Run the suite$/)
  await keyboard.press('Enter')
  await verdict(page).waitFor()
  await tabTo(/^✓ method/)
  await keyboard.press('Enter')
  await page.locator('#beside summary').waitFor()
  t.match(await focused(), /passed/, 'a rule that is opened has the focus')
  await page.keyboard.press('Enter')
  t.equal(await page.locator('#beside details[open]').count(), 0, 'and closes again')
  t.strictSame(incidents, [])
})

t.test('accessible, and as wide as the window, in light and dark', async (t) => {
  const server = await startReferenceServer(WRONG)
  t.teardown(() => server.close())
  const { page, served, folder, incidents } = await open(t, { given: targetOf(server.url) })
  keepReport(folder, greenReport)
  keepReport(folder, { ...redReport, target: greenReport.target, startedAt: '2026-11-21T10:00:00.000Z' })
  await page.getByLabel('Base URL').fill(server.url)
  await page.getByRole('button', { name: 'Check service' }).click()
  await page.locator('#found').waitFor()
  await page.getByRole('button', { name: 'Run the suite' }).click()
  await verdict(page).waitFor()
  await page.goto(at(served, '/history'))
  await page.getByRole('button', { name: 'Compare the two' }).click()
  await page.getByRole('heading', { name: 'Comparison' }).waitFor()
  const compared = page.url().replace(at(served, '/'), '/')
  for (const path of ['/', '/run', '/history', compared])
    for (const { width, colorScheme } of LOOKS) {
      const name = `${path} ${width} ${colorScheme}`
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(at(served, path))
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
      const overflow: number = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
      t.ok(overflow <= 0, `${name}: nothing to scroll sideways`, { overflow })
      t.strictSame(await violationsOf(page), [], name)
    }
  t.strictSame(incidents, [])
})

t.test('two tabs, and a connection that was lost: each shows what is true', async (t) => {
  const server = await startReferenceServer(SERVICE)
  t.teardown(() => server.close())
  const { context, page, served } = await open(t, { given: targetOf(server.url) })
  await page.goto(at(served, '/run'))
  const other = await context.newPage()
  await other.goto(at(served, '/run'))
  const client = await context.newCDPSession(other)
  await client.send('Network.enable')
  const offline = (is: boolean) =>
    client.send('Network.emulateNetworkConditions', {
      offline: is,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  await offline(true)
  await page.getByRole('button', { name: 'Run the suite' }).click()
  await verdict(page).waitFor()
  await offline(false)
  await verdict(other).waitFor()
  const shown = (of: Page): Promise<string> => of.evaluate("document.getElementById('map').textContent")
  t.equal(await shown(other), await shown(page))
  // What is typed stays while parts change.
  await other.getByLabel('Run on change of').fill('sr')
  await page.getByLabel('Run on change of').fill('none')
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.getByText('expected a folder below').waitFor()
  await page.getByLabel('Run on change of').fill('src')
  await page.getByRole('button', { name: 'Watch' }).click()
  await other.getByRole('button', { name: 'Stop watching' }).waitFor()
  t.equal(await other.getByLabel('Run on change of').inputValue(), 'sr')
})

t.test('the key stays in its tab on reload, and other tabs get it; it is in no address', async (t) => {
  const { context, page, served, incidents } = await open(t)
  /** A change, and that this tab hears of it. */
  const works = async (of: Page, name: string): Promise<void> => {
    await of.getByLabel('Run on change of').fill('src')
    await of.getByRole('button', { name: /^(?:Watch|Change)$/ }).click()
    await of.getByText('Watching src.').waitFor()
    await of.getByRole('button', { name: 'Stop watching' }).click()
    await of.getByRole('button', { name: 'Watch', exact: true }).waitFor()
    t.notMatch(of.url(), '#', name)
    t.equal(await of.locator('#keyless').isVisible(), false, name)
  }
  await page.getByRole('link', { name: 'Run' }).click()
  await works(page, 'a link')
  await page.reload()
  await works(page, 'reloaded')
  const [behind] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Run' }).click({ modifiers: ['ControlOrMeta'] }),
  ])
  await works(behind, 'a link opened in another tab')
  await page.goto(served.address)
  t.equal(page.url(), at(served, '/'), 'the printed address again, in a tab that shows the page')
  await page.goto(at(served, '/run'))
  await works(page, 'and on')
  await page.close()
  await behind.close()
  const bookmark = await context.newPage()
  await bookmark.goto(at(served, '/run'))
  await bookmark.getByText('This tab does not have the key of the page').waitFor()
  await bookmark.getByRole('button', { name: 'Run the suite' }).click()
  await bookmark.getByText('The command no longer knows this tab').waitFor()
  const again = await context.newPage()
  await again.goto(served.address)
  await bookmark.getByText('This tab does not have the key of the page').waitFor({ state: 'hidden' })
  await works(bookmark, 'a bookmark, once another tab was opened by the address')
  t.strictSame(incidents, [])
})

t.test('other pages of the browser read nothing and change nothing', async (t) => {
  const { context, setup, served } = await open(t, { given: targetOf('http://127.0.0.1:1') })
  const before = setup.text()
  const home = served.address.split('#')[0] ?? ''
  // Of the same site, since sites know no ports: its requests carry the cookie, if it could guess the path.
  const cookies: (string | undefined)[] = []
  const attacker = createServer(({ headers }, response) => {
    cookies.push(headers.cookie)
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>0</title>
<iframe src="${home}"></iframe>
<form method="post" action="${home}setup/text" enctype="text/plain" target="frame"><input name='{"text":"owned","x":"' value='"}'></form><iframe name="frame"></iframe>
<script>
const done = []
const tell = (what) => { done.push(what); document.title = done.length }
const send = (path, options) => fetch('${home}' + path, { credentials: 'include', ...options }).then(async (r) => tell(r.type + ' ' + await r.text()), () => tell('failed'))
send('', {})
send('', { mode: 'no-cors' })
send('setup/text', { method: 'POST', mode: 'no-cors', body: '{"text":"owned"}' })
send('setup/text', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":"owned"}' })
const source = new EventSource('${home}events?after=', { withCredentials: true })
source.onmessage = () => tell('read')
source.onerror = () => { source.close(); tell('failed') }
document.forms[0].submit()
</script>`)
  })
  await new Promise<void>((resolve) => void attacker.listen(0, '127.0.0.1', resolve))
  t.teardown(() => attacker.close())
  // A listening server has an address with a port.
  const { port } = attacker.address() as AddressInfo
  for (const host of ['127.0.0.1', 'evil.example']) {
    const page = await context.newPage()
    await page.goto(`http://${host}:${port}/`)
    await page.waitForFunction('document.title === "5"')
    t.strictSame(
      await page.evaluate('done.map((each) => each.trim()).sort()'),
      ['failed', 'failed', 'failed', 'failed', 'failed'],
      host,
    )
    await page.close()
  }
  t.same(new Set(cookies), new Set([undefined]), 'no cookie goes to another port')
  const rebound = await context.newPage()
  const answer = await rebound.goto(home.replace('127.0.0.1', 'evil.example'))
  t.equal(answer?.status(), 403, 'a name that resolves to here opens nothing')
  const other = await browser.newContext()
  t.teardown(() => other.close())
  const without = await other.newPage()
  for (const address of [home, `${home}#key=${'x'.repeat(43)}`, `${home}run#key=${'x'.repeat(43)}`]) {
    await without.goto('about:blank')
    const refused = address === home ? undefined : without.waitForResponse(/\/enter$/)
    await without.goto(address)
    t.equal((await refused)?.status() ?? 403, 403)
    t.match(await without.locator('body').textContent(), /^\s*Open the whole address/, 'without the key')
  }
  t.equal(setup.text(), before, 'nothing has changed')
})

t.test('hostile texts do nothing, in a report and in answers that come', async (t) => {
  const payloads = Object.values(PAYLOADS).join('')
  const server = await startReferenceServer({ ...SERVICE, behaviour: { tokenType: () => payloads } })
  t.teardown(() => server.close())
  const { page, served, folder, incidents } = await open(t, { given: targetOf(server.url) })
  const hostile: Report = everywhere(redReport, (text) => text + payloads)
  keepReport(folder, { ...hostile, startedAt: redReport.startedAt })
  keepReport(folder, { ...hostile, startedAt: greenReport.startedAt, seed: 1 })
  const inert = async (name: string): Promise<void> => {
    t.equal(
      await page.locator('script, img, iframe, svg svg, [onerror], [onmouseover], [style]').count(),
      1,
      name,
    )
    t.strictSame(incidents, [], name)
  }
  await page.goto(at(served, '/run'))
  await page.getByRole('button', { name: 'Run the suite' }).click()
  await page.getByRole('heading', { name: 'NOT CONFORMANT' }).waitFor()
  await page.locator('.edit summary').first().click()
  await page.locator('.edit button').first().click()
  await page.getByText('Sent, and judged below.').waitFor()
  await inert('the run')
  await page.goto(at(served, '/history'))
  await inert('the history')
})

t.test('many results and events open', async (t) => {
  const { page, served, folder } = await open(t)
  const [result] = greenReport.results
  if (result === undefined) throw new TypeError('the sample has results')
  for (let day = 1; day <= 20; day += 1) {
    const results = Array.from({ length: 1000 }, (_, index) => ({
      ...result,
      id: `default/4.1/x-${index}`,
      case: `4.1/x-${index}`,
    }))
    const report: Report = {
      ...greenReport,
      startedAt: `2026-10-${String(day).padStart(2, '0')}T10:00:00.000Z`,
      results,
      counts: countResults(results),
      rules: summarizeRules(greenReport.rules, results),
      plan: { ...greenReport.plan, planned: results.length },
    }
    writeFileSync(join(folder, `${day}.json`), renderJson(report))
  }
  const opened = async (path: string): Promise<number> => {
    await page.goto(at(served, path))
    return page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
  }
  const first = await opened('/history')
  t.equal(await page.locator('.runs tbody tr').count(), 20)
  const second = await opened('/history')
  t.comment(`20 reports of 1,000 results: ${Math.round(first)} ms at first, then ${Math.round(second)} ms`)
})
