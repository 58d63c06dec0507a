import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { enterUi } from '../../tests/fixtures/ui-page.js'
import { startPage } from './page-server.js'
import { createSetup } from './setup/setup.js'

const ENVIRONMENT = { API_KEY: 'env-9f8e7d6c5b' }
const TYPED = 'Typed pässword+77/x'
const TOKEN = 'tok-0a1b2c3d4e5f'

/** A service that gives tokens, and tells everyone all that it was sent, in several spellings. */
async function echo(t: Test): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const all = `${request.url} ${JSON.stringify(request.headers)} ${body} ${decodeURIComponent(body.replaceAll('+', ' '))}`
    const isGranted = body.includes('grant_type=password&') && body.includes(encodeURIComponent('pä'))
    const type = { 'Content-Type': 'application/json;charset=UTF-8', 'X-Echo': encodeURIComponent(all) }
    const reply = {
      error: 'x',
      all,
      base64: Buffer.from(all).toString('base64'),
      hex: Buffer.from(all).toString('hex'),
    }
    const granted = {
      access_token: TOKEN,
      token_type: 'Bearer',
      expires_in: 1209599,
      userName: 'ann',
      ...reply,
    }
    response.writeHead(isGranted ? 200 : 400, type).end(JSON.stringify(isGranted ? granted : reply))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A page that was opened. */
async function open(t: Test, given: string) {
  const setup = createSetup({
    environment: ENVIRONMENT,
    probe: async () => ({ values: {}, lines: [] }),
    given: { file: 'x.yaml', text: given },
  })
  const page = await startPage({
    port: 0,
    setup,
    ports: {
      saveTarget: (file) => file,
      clearReport: () => undefined,
      saveReport: () => undefined,
      history: async () => ({ entries: [], problems: [] }),
      readReport: () => {
        throw new TypeError('there is none')
      },
      demonstrate: () => Promise.reject(new TypeError('there is none')),
      watch: () => () => undefined,
    },
  })
  t.teardown(() => page.close())
  return enterUi(page.address)
}

/** Spellings in which a secret could be read. */
const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).replaceAll('%20', '+'),
  Buffer.from(secret).toString('hex'),
  ...[0, 1, 2].map((shift) =>
    Buffer.from(' '.repeat(shift) + secret)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  ),
]

const SECRETS = [ENVIRONMENT.API_KEY, TYPED, TOKEN]

t.test('whatever a service tells, the live feed, the views and the report show no secret', async (t) => {
  const baseUrl = await echo(t)
  const { ask, post, feedUntil } = await open(
    t,
    `baseUrl: ${baseUrl}\nheaders: { X-Api-Key: "\${API_KEY}" }\nmaxFailedLogins: 3\naccounts: [{ userName: ann, password: "\${ANN}" }]\n`,
  )
  const [, after = ''] = /data-after="([^"]+)"/.exec(await (await ask('run')).text()) ?? []
  const feed = feedUntil(/"part":"verdict","value":"[^"]/, after)
  await post('run/start', { 'value:ANN': TYPED })
  const shown = await feed
  t.match(shown, 'X-Echo', 'evidence is shown')
  const views = await Promise.all(
    ['', 'run', 'report', 'run/rule?name=2.1-token_type'].map(async (path) => (await ask(path)).text()),
  )
  for (const [name, text] of Object.entries({ shown, views: views.join('') }))
    for (const secret of SECRETS)
      for (const spelled of spellings(secret)) t.notOk(text.includes(spelled), `${name}: ${spelled}`)
})

t.test('a value that does not fit where a target names it is in no message', async (t) => {
  const base = 'baseUrl: http://127.0.0.1:1\naccounts: [{ userName: ann, password: x }]\n'
  const { ask, post } = await open(t, base)
  const places = [
    'tokenLifetime: "${S}"',
    'tls: { ca: "${S}" }',
    'headers: { "X-A": "a ${S}\\n" }',
    'additionalGrantTypes: "${S}"',
    'registration: { request: { path: "${S}" } }',
    'registration: { request: { path: /a, json: { a: "$${S}" } }, loginName: "${S}" }',
    'externalLogin: { request: { path: /a, json: {} }, account: "${S}" }',
    'deployments: { a: { baseUrl: "${S}" } }',
    'tokenRequest: { path: "${S}" }',
  ]
  const replies: string[] = []
  for (const [index, place] of places.entries()) {
    await post('setup/text', {
      text: `${base}${place}\n`.replace(/^baseUrl.*\n/, index === 0 ? 'baseUrl: "http://${S}"\n' : '$&'),
    })
    replies.push(await (await post('run/start', { 'value:S': TYPED })).text())
    await post('run/stop', {})
  }
  t.ok(
    replies.some((text) => text.includes('message')),
    'there are messages',
  )
  replies.push(await (await ask('')).text(), await (await ask('run')).text())
  for (const spelled of spellings(TYPED)) t.notOk(replies.join('').includes(spelled), spelled)
})
