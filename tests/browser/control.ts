/** `npm run test:browser`: the page of the reference server in a real browser. */
import { request } from 'node:http'
import { connect } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { ReferenceServer, ReferenceServerOptions } from '../../reference/server.js'
import { PAYLOADS } from '../../reports/fixtures/hostile-report.js'
import { startReference } from '../fixtures/reference.js'
import { launch } from './open-page.js'
import { LOOKS, violationsOf } from './violations.js'

const browser = await launch()
t.teardown(() => browser.close())
const secret = 'a-secret-of-the-page'

interface Looks {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

/** The page as a person opens it, by the secret, and what it did that it must not do. */
async function open(
  t: Test,
  { controlUrl }: ReferenceServer,
  { width = 1280, colorScheme = 'light' }: Looks = {},
) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme,
  })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const incidents: string[] = []
  page.on('pageerror', (error) => incidents.push(error.message))
  page.on('dialog', (dialog) => {
    incidents.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => incidents.push(message.text()))
  page.on('request', (asked) => {
    if (!asked.url().startsWith(`${controlUrl}/`)) incidents.push(`requests ${asked.url()}`)
  })
  await page.goto(`${controlUrl}/page`)
  await page.getByLabel('Secret of the control plane').fill(secret)
  await page.keyboard.press('Enter')
  await page.locator('#entries').waitFor({ state: 'attached' })
  return { page, incidents, context }
}

const start = (t: Test, options: ReferenceServerOptions = {}): Promise<ReferenceServer> =>
  startReference(t, { control: { secret }, ...options })

/** Sends what `fetch` would not send. */
function send({ port }: ReferenceServer, path: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return new Promise((resolve, reject) => {
    request({ port, path, method: 'POST', headers }, (response) => response.resume().once('end', resolve))
      .on('error', reject)
      .end(body)
  })
}

const signIn = (server: ReferenceServer, userName = 'ann', password = 'Secret-1') =>
  send(server, '/Token', `${new URLSearchParams({ grant_type: 'password', username: userName, password })}`)

const openPanels = (page: Page) =>
  page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")

t.test('accessible, and as wide as its window, in light and dark, everything open', async (t) => {
  const server = await start(t)
  server.scopes.create('one')
  server.faults.add({ kind: 'delay', ms: 1, times: 1 })
  server.respond({}, { status: 200 }, { times: 1 })
  await signIn(server)
  await signIn(server, 'ann', 'wrong')
  for (const { width, colorScheme } of LOOKS) {
    const { page, incidents } = await open(t, server, { colorScheme, width })
    await page.locator('#entries li').nth(1).waitFor()
    await openPanels(page)
    const overflow: number = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    t.ok(overflow <= 0, `${width}: nothing to scroll sideways`, { overflow })
    t.strictSame(await violationsOf(page), [], `${colorScheme} ${width}`)
    t.strictSame(incidents, [])
  }
})

t.test('hostile clients, accounts and faults: a text stays a text', async (t) => {
  const server = await start(t)
  // A lone surrogate is no text that a store takes.
  const texts = Object.values(PAYLOADS).map((payload) => Buffer.from(payload).toString())
  for (const [index, payload] of texts.entries()) {
    await server.accounts.add({ userName: `${index}${payload}`, password: 'x', userId: payload })
    server.faults.add({ kind: 'delay', ms: 0, match: { userName: payload } })
    await signIn(server, `${index}${payload}`, payload)
    await send(server, `/${payload.replace(/[^\x21-\xff]/g, '_')}`, `${encodeURIComponent(payload)}=1`)
  }
  server.respond({}, { status: 200, body: texts.join('') }, { times: 1 })
  await signIn(server)
  const { page, incidents } = await open(t, server)
  await server.journal.waitFor({ userName: 'ann' })
  const { length } = server.journal.entries()
  t.ok(length > texts.length, 'a request that is none at all is not in the journal')
  await page
    .locator('#entries li')
    .nth(length - 1)
    .waitFor()
  await openPanels(page)
  await page
    .locator('#entries dl')
    .nth(length - 1)
    .waitFor({ state: 'attached' })
  t.equal(
    await page.locator('script, img, iframe, svg, [onerror], [onfocus], [onmouseover], [style], a').count(),
    1,
  )
  const shown = await page.locator('body').textContent()
  t.notMatch(shown?.replaceAll('\n', ''), /[\p{Cf}\p{Co}\p{Cs}\u0000]/u, 'nothing hides')
  t.strictSame(incidents, [])
})

t.test('what happens is shown as it happens; what a person does is done; by keyboard alone', async (t) => {
  const server = await start(t)
  const { page, incidents } = await open(t, server)
  await page.locator('#none').waitFor()
  await signIn(server, 'ann', 'wrong')
  await page.getByText('the password is not that of the account').waitFor()
  await signIn(server)
  await page.locator('#entries .good').waitFor()
  await page.getByLabel('only refused').focus()
  await page.keyboard.press('Space')
  await page.locator('output:has-text("1 of 2 shown")').waitFor()

  await page.getByRole('textbox', { name: 'User name' }).focus()
  await page.keyboard.type('zoe')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Password-1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove account zoe' }).focus()
  t.match(server.accounts.list(), [{ userName: 'ann' }, { userName: 'zoe' }])
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove account zoe' }).waitFor({ state: 'detached' })

  await page.getByLabel('Kind').selectOption('drop')
  await page.locator('form[data-json=fault] button').press('Enter')
  await page.getByRole('button', { name: 'Remove fault 1' }).waitFor()
  t.match(server.faults.list(), [{ kind: 'drop', times: 1 }])

  await page.getByLabel(/^At, in UTC/).fill('2024-02-29 12:00:00')
  await page.keyboard.press('Enter')
  await page.getByText('2024-02-29 12:00:00.000 UTC').waitFor()
  t.equal(server.clock.now(), Date.UTC(2024, 1, 29, 12))
  await page.getByText('It is stopped.').waitFor()

  await page.locator('summary', { hasText: 'Settings' }).press('Enter')
  const settings = page.locator('form[data-json=settings]')
  await settings.getByLabel('As JSON').fill('{ "tokenLifetime": -1 }')
  await settings.getByRole('button').press('Enter')
  await page.locator('#message.bad').waitFor()
  t.match(await page.locator('#message').textContent(), 'tokenLifetime')
  await settings.getByLabel('As JSON').fill('{ "tokenLifetime": 60 }')
  await settings.getByRole('button').press('Enter')
  await page.getByText('Done: PATCH /settings').waitFor()
  t.equal(server.settings.get().tokenLifetime, 60)

  server.scopes.create('one')
  await page.locator('#scope option[value=one]').waitFor({ state: 'attached' })
  await page.getByLabel('Store').selectOption('one')
  await page.locator('h1:has-text("/scopes/one")').waitFor()
  await page.getByRole('button', { name: 'Reset this store' }).press('Enter')
  await page.getByText('Done: POST /scopes/one/reset').waitFor()
  t.equal(server.settings.get().tokenLifetime, 60, 'the other store is as it was')
  // A refused request is a message of the console.
  t.match(incidents, [/400 \(Bad Request\)/])
})

t.test('away for a while, it catches up; another tab sees the same', async (t) => {
  const server = await start(t)
  const { page, context } = await open(t, server)
  await signIn(server)
  await page.locator('#entries li').waitFor()
  await context.setOffline(true)
  await page.getByText('Lost the connection to the server').waitFor()
  server.reset()
  for (let index = 0; index < 3; index += 1) await signIn(server, 'ann', 'wrong')
  await context.setOffline(false)
  await page.getByText('Connected again.').waitFor()
  await page.locator('#entries li').nth(2).waitFor()
  t.equal(await page.locator('#entries .bad').count(), 3)
  t.equal(await page.locator('#entries li').count(), 3, 'what was before the reset is gone')
  const tab = await context.newPage()
  await tab.goto(`${server.controlUrl}/page`)
  await tab.locator('#entries li').nth(2).waitFor()
  t.equal(await tab.locator('#entries li').count(), 3)
})

t.test('the secret is kept nowhere; a key is, until the server ends', async (t) => {
  const server = await start(t)
  const { page, context } = await open(t, server)
  t.strictSame(await context.cookies(), [])
  const kept: string = await page.evaluate('JSON.stringify([sessionStorage, localStorage, location.href])')
  t.notMatch(kept, secret)
  await page.reload()
  await page.locator('#none').waitFor()
  // A link of another page: it takes the key of no tab away.
  const led = await context.newPage()
  await led.goto(`${server.controlUrl}/page#key=${'x'.repeat(43)}`)
  await led.locator('#none').waitFor()
  const tab = await context.newPage()
  await tab.goto(`${server.controlUrl}/page`)
  await tab.locator('#none').waitFor()
  const { port = '' } = new URL(server.controlUrl ?? '')
  await server.close()
  await start(t, { control: { secret, port: Number(port) } })
  for (const each of [page, tab]) await each.getByText('The server no longer knows this page').waitFor()
  await page.getByLabel('Secret of the control plane').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('This is not the secret.').waitFor()
  await page.getByLabel('Secret of the control plane').fill(secret)
  await page.keyboard.press('Enter')
  for (const each of [page, tab]) await each.locator('#none').waitFor()
  t.pass('one tab that is opened again opens the other')
})

t.test('ten thousand entries: it opens with the latest, and holds no more than there are', async (t) => {
  const server = await start(t, { limits: { journal: 10_000 } })
  // As many on each connection as may be asked at once.
  const sockets = Array.from({ length: 50 }, () => connect(server.port, '127.0.0.1').resume())
  for (const socket of sockets) socket.write('GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200))
  await server.journal.waitFor({ after: 9999 }, { timeoutMs: 120_000 })
  for (const socket of sockets) socket.destroy()
  const { page } = await open(t, server)
  await page.locator('#entries li').nth(199).waitFor({ state: 'attached' })
  const opened: number = await page.evaluate('performance.now()')
  t.comment(`opened with 200 of 10,000 entries ${Math.round(opened)} ms after the address`)
  const older = page.getByRole('button', { name: 'Show older' })
  for (const shown of [1200, 2200, 3200, 4200, 5200, 6200, 7200, 8200, 9200, 10_000]) {
    // By keyboard: rows that are drawn as they come into view move the button away from a pointer.
    await older.press('Enter')
    await page.locator(`output:has-text("${shown} shown")`).waitFor()
  }
  await older.waitFor({ state: 'hidden' })
  await send(server, '/the-latest', '')
  await page.getByText('/the-latest').waitFor()
  t.equal(await page.locator('#entries li').count(), 10_000, 'the oldest row made room')
})
