import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readTargetText } from '../../conformance/target/target-file.js'
import { everywhere, PAYLOADS } from '../../reports/fixtures/hostile-report.js'
import { greenReport, redReport } from '../../reports/fixtures/sample-report.js'
import type { Report } from '../../spec/model/report.js'
import { sendRaw } from '../../tests/fixtures/raw-client.js'
import { startReference } from '../../tests/fixtures/reference.js'
import { enterUi } from '../../tests/fixtures/ui-page.js'
import { entryOf } from '../history/history.js'
import { startPage } from './page-server.js'
import type { Ports } from './ports.js'
import { createSetup } from './setup/setup.js'

interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A page over ports that write down what they are asked, and a browser that has opened it. */
async function open(
  t: Pick<Test, 'teardown'>,
  reports: readonly Report[] = [],
  given?: string,
  isDemo = false,
) {
  const asked: string[] = []
  const saved: Report[] = []
  const ports: Ports = {
    saveTarget: (file, _text, replace) => {
      asked.push(`save ${file} ${replace}`)
      return file
    },
    clearReport: () => void asked.push('clear'),
    saveReport: (report) => void saved.push(report),
    history: async () => ({
      entries: reports.map((report, index) => entryOf(String(index), `${index}.json`, report)),
      problems: [],
    }),
    readReport: ({ id }) => reports[Number(id)] ?? greenReport,
    demonstrate: async () => readTargetText('demo', given ?? '', {}),
    watch: (folder) => {
      asked.push(`watch ${folder}`)
      return () => asked.push('unwatch')
    },
  }
  const setup = createSetup({
    environment: {},
    probe: async () => ({ values: {}, lines: [] }),
    ...(given === undefined || isDemo ? {} : { given: { file: 'x.yaml', text: given } }),
  })
  const page = await startPage({ ports, setup, port: 0 })
  t.teardown(() => page.close())
  const { host, pathname: home, hash } = new URL(page.address)
  const key = { 'token-assay-key': hash.replace('#key=', '') }
  /** By hand: `fetch` sends no foreign Host. */
  const ask = ({ method = 'GET', path, headers = {}, body }: Asked) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
      (resolve, reject) => {
        request(
          {
            port: page.port,
            host: '127.0.0.1',
            method,
            path: `${home}${path.slice(1)}`,
            agent: false,
            headers: { host, ...headers },
          },
          (answer) =>
            text(answer).then(
              (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
              reject,
            ),
        )
          .on('error', reject)
          .end(body)
      },
    )
  const origin = `http://${host}`
  const entered = await ask({ method: 'POST', path: '/enter', headers: { origin, ...key } })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const get = (path: string) => ask({ path, headers: { cookie, ...key } })
  const json = { 'content-type': 'application/json' }
  const own = { cookie, origin, ...key, ...json }
  const post = async (path: string, values: object, headers: Readonly<Record<string, string>> = own) => {
    const answer = await ask({ method: 'POST', path, headers, body: JSON.stringify(values) })
    return { ...answer, outcome: answer.status < 403 ? JSON.parse(answer.body) : undefined }
  }
  /** What a page shows of the events that follow, once it shows a verdict. */
  const untilVerdict = (after: string) =>
    new Promise<ReadonlyMap<string, string> & { count: (part: string) => number }>((resolve, reject) => {
      const all: string[] = []
      const parts = Object.assign(new Map<string, string>(), {
        count: (part: string) => all.filter((one) => one === part).length,
      })
      const options = { port: page.port, host: '127.0.0.1', headers: { host, cookie, ...key } }
      request({ ...options, path: `${home}events?after=${after}` }, (answer) => {
        let left = ''
        // It is cut off when the page ends.
        answer.on('error', () => undefined)
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          const events = (left + chunk).split('\n\n')
          left = events.pop() ?? ''
          for (const event of events) {
            const data = /^data: (.+)$/m.exec(event)?.[1]
            if (data === undefined) continue
            const { part, value } = JSON.parse(data)
            parts.set(part, value)
            all.push(part)
            if (part === 'verdict' && value !== '') resolve(parts)
          }
        })
      })
        .on('error', reject)
        .end()
    })
  return { page, setup, asked, saved, ask, get, post, own, untilVerdict }
}

/** The id of the newest event that a page shows. */
function seen(body: string): string {
  return /data-after="([^"]+)"/.exec(body)?.[1] ?? ''
}

t.test('nothing is read and nothing changes without the cookie, this host and this origin', async (t) => {
  const { setup, asked, ask, get, post, own, page } = await open(t)
  const other = await open(t)
  const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'foreign host': { ...own, host: `evil.example:${page.port}`, origin: `http://evil.example:${page.port}` },
    'foreign origin': { ...own, origin: 'http://evil.example' },
    'no origin': { ...own, origin: '' },
    'no cookie': { ...own, cookie: '' },
    'no key': { ...own, 'token-assay-key': '' },
    'the key of another run': { ...own, 'token-assay-key': other.own['token-assay-key'] },
    'the cookie of another run': { ...own, cookie: other.own.cookie },
  }
  const text = 'baseUrl: http://127.0.0.1:1\naccounts: [{ userName: a, password: b }]\n'
  for (const [name, headers] of Object.entries(attacks)) {
    t.equal((await post('/setup/text', { text }, headers)).status, 403, name)
    t.equal((await post('/setup/save', { file: 'x.yaml' }, headers)).status, 403, name)
    t.equal((await post('/run/watch', { folder: '.' }, headers)).status, 403, name)
    if (name === 'no origin') continue
    for (const path of ['/events?after=', '/run/rule?name=4.1-R1'])
      t.equal((await ask({ path, headers })).status, 403, `${name} ${path}`)
    // A document needs the cookie alone. Without it a page comes that asks for it.
    if (!name.includes('key'))
      for (const path of ['/', '/run', '/history', '/report', '/report/1'])
        t.notMatch((await ask({ path, headers })).body, /<main|<table/, `${name} ${path}`)
  }
  t.strictSame([setup.text(), asked], ['', []])
  t.equal(
    (await post('/setup/text', { text }, { ...own, 'content-type': 'text/plain' })).outcome.message,
    'expected the values of a form as JSON',
  )
  t.strictSame((await post('/setup/text', { text })).outcome, {})
  t.equal(setup.text(), text)
  t.equal((await get('/')).status, 200)
  t.equal((await get('/setup/text')).status, 404, 'no change by GET')
})

t.test('each page and each answer has its policy, and is kept by no one', async (t) => {
  const { get, post } = await open(t, [greenReport, redReport])
  const pages = [
    '/',
    '/run',
    '/history',
    '/compare?a=0&b=1',
    '/report/1',
    '/report',
    '/run/rule?name=4.1-R1',
    '/nothing',
  ]
  for (const path of pages) {
    const { headers, status } = await get(path)
    t.equal(status, path === '/report' || path === '/nothing' ? 404 : 200, path)
    t.match(headers['content-security-policy'], /^default-src 'none'/, path)
    t.notMatch(headers['content-security-policy'], /unsafe|\*|data:/, path)
    t.match(
      headers,
      { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
      path,
    )
  }
  const { headers } = await post('/run/stop', {})
  t.match(headers, { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
})

t.test('hostile reports are text', async (t) => {
  for (const [name, payload] of Object.entries(PAYLOADS)) {
    const hostile = everywhere(redReport, (text) => text + payload)
    const { get, page } = await open(t, [hostile, { ...hostile, seed: 1 }])
    for (const path of ['/history', '/compare?a=0&b=1']) {
      const { body } = await get(path)
      t.equal(body.match(/<script/g)?.length, 1, `${name} ${path}: the page's own`)
      t.notMatch(body, /<img|<iframe|<svg|<[^>]* on\w+=/i, `${name} ${path}`)
      t.notMatch(body, /[\u202e\u2066\u0000]/, `${name} ${path}`)
    }
    await page.close()
  }
})

t.test('a run turns the grid, and a page that comes late sees what is true', async (t) => {
  const server = await startReference(t)
  const given = `baseUrl: ${server.url}\naccounts: [{ userName: ann, password: Secret-1 }]\n`
  const { post, get, saved, untilVerdict } = await open(t, [], given)
  const first = (await get('/run')).body
  const after = seen(first)
  t.match(first, 'Nothing has run yet')
  t.strictSame((await post('/run/start', {})).outcome, { go: 'run' })
  t.match((await post('/run/start', {})).outcome.message, 'A run is in progress')

  const parts = await untilVerdict(after)
  const late = (await get('/run')).body
  t.match(late, 'CONFORMANT')
  const [report] = saved
  t.equal(report?.verdict, 'conformant')
  for (const { id, outcome } of report?.rules ?? []) {
    const state = outcome ?? 'unjudged'
    const cell = parts.get(`cell/${id}`)
    // A rule that nothing judged needed no event.
    if (cell === undefined) continue
    t.match(cell, `class="cell ${state}"`, id)
    t.ok(late.includes(cell), `${id}: the late page has it too`)
  }
  t.equal(parts.count('controls'), 2, 'no button is replaced while it can be pressed')
  t.ok(parts.count('progress') > 2, 'as the figures are')
  t.match(parts.get('title'), 'conformant')
  t.match((await get('/report')).body, 'CONFORMANT')
  t.equal((await post('/run/failed', {})).outcome.message, 'There is nothing to run again.')
  t.strictSame((await post('/run/again', { rule: '4.1-R1' })).outcome, {})
})

t.test('a broken rule: run it again, edit its request', async (t) => {
  let type = 'Bearer'
  const server = await startReference(t, { behaviour: { tokenType: () => type } })
  const given = `baseUrl: ${server.url}\nmaxFailedLogins: 0\naccounts: [{ userName: ann, password: Secret-1 }]\n`
  const { post, get, asked, page, untilVerdict } = await open(t, [], given)
  const after = seen((await get('/run')).body)
  await post('/run/start', {})
  await untilVerdict(after)
  const { body } = await get('/run')
  const [, result = ''] = /name="result" value="([^"]+)"/.exec(body) ?? []
  t.match(body, /<textarea[^>]*>\nPOST \/Token\n/)
  t.notMatch(body, 'Secret-1')
  const send = (text: string) => post('/run/send', { rule: '2.1-token_type', result, label: 'request', text })
  const head = 'Content-Type: application/x-www-form-urlencoded\n\n'
  t.strictSame(
    (await send(`POST /Token\n${head}grant_type=password&username=ann&password=‹password of ann›`)).outcome,
    {
      good: 'Sent, and judged below.',
    },
  )
  t.match((await send('POST /Token\n\n‹what›')).outcome.message, '‹what› is how the report shows a secret')
  t.match((await send('nothing')).outcome.message, 'expected a request')
  t.match((await post('/run/send', { result: 'x', text: 'POST /Token' })).outcome.message, 'no longer exists')

  const shown = async () =>
    /<div id="verdict">([\s\S]*?)<section class="panel/.exec((await get('/run')).body)?.[1] ?? ''
  t.match(await shown(), 'NOT CONFORMANT')
  t.match(await shown(), '1 rule is broken:')
  const again = async () => {
    const { body } = await get('/run')
    await post('/run/failed', {})
    await untilVerdict(seen(body))
  }
  await again()
  t.match(await shown(), 'NOT CONFORMANT', 'it still fails')
  t.notMatch(await shown(), /class="counts"/, 'what was counted is of the run before')
  type = 'bearer'
  await again()
  t.notMatch(await shown(), 'NOT CONFORMANT')
  t.match(await shown(), 'INCONCLUSIVE', 'what needs failed logins has not been judged')
  t.match(await shown(), 'Run all')
  const { body: seenAgain } = await get('/run')
  t.match(seenAgain, 'None in what ran again.')
  t.match(seenAgain, 'id="cell/2.1-token_type"><a class="cell passed"')
  t.match(seenAgain, 'id="cell/4.1-R3"><a class="cell untested"', 'it may be broken by now')
  t.strictSame(asked, ['clear'], 'a part leaves the report of the whole run')
  await page.close()
})

t.test('what failed, and an edited request, go to the target that the page shows', async (t) => {
  const broken = await startReference(t, { behaviour: { tokenType: () => 'Bearer' } })
  let granted = 0
  const tokenType = () => {
    granted += 1
    return 'bearer'
  }
  const right = await startReference(t, { behaviour: { tokenType } })
  const at = (url: string) =>
    `baseUrl: ${url}\nmaxFailedLogins: 0\naccounts: [{ userName: ann, password: Secret-1 }]\n`
  const { post, get, page, untilVerdict } = await open(t, [], at(broken.url))
  const after = seen((await get('/run')).body)
  await post('/run/start', {})
  await untilVerdict(after)
  const { body } = await get('/run')
  const [, result = ''] = /name="result" value="([^"]+)"/.exec(body) ?? []
  await post('/setup/text', { text: at(right.url) })
  const text =
    'POST /Token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=password&username=ann&password=‹password of ann›'
  await post('/run/send', { rule: '2.1-token_type', result, label: 'request', text })
  t.not(granted, 0)
  await post('/run/failed', {})
  await untilVerdict(seen(body))
  t.notMatch((await get('/run')).body, 'NOT CONFORMANT')
  await page.close()
})

t.test('a demonstration is one click away, and is no report of the folder', async (t) => {
  const server = await startReference(t)
  const given = `name: Demo\nbaseUrl: ${server.url}\nmaxFailedLogins: 0\naccounts: [{ userName: ann, password: Secret-1 }]\n`
  const { page, post, get, asked, saved, setup, untilVerdict } = await open(t, [], given, true)
  const first = (await get('/')).body
  t.match(first, /tests a service that exchanges a user name and a password for a token/i)
  t.match(first, /<form data-post="run\/demonstrate">[\s\S]*?<button/)
  const after = seen((await get('/run')).body)
  t.strictSame((await post('/run/demonstrate', {})).outcome, { go: 'run' })
  await untilVerdict(after)
  t.match((await get('/run')).body, /<p class="kicker">[^<]*Demo</)
  t.strictSame([asked, saved], [[], []], 'it is not of the own service')
  t.strictSame((await post('/run/start', {})).outcome, { go: 'run' }, 'again')
  t.equal(setup.text(), '', 'the own service is still to be set up')
  t.equal(await page.close(), undefined, 'one that is stopped leaves no partial report')
})

t.test('a run says what it does, and asks once before accounts stay', async (t) => {
  const server = await startReference(t)
  const request =
    '{ method: POST, path: /accounts, json: { userName: $userName, email: $email, password: $password } }'
  const given = `baseUrl: ${server.url}\naccounts: [{ userName: ann, password: Secret-1 }]\nregistration: { request: ${request} }\n`
  const { post, get, setup } = await open(t, [], given)
  const before = server.journal.entries().length
  for (const path of ['/', '/run'])
    t.match(
      (await get(path)).body,
      /A run sends up to [\d,]+ requests to http:[^<]*; registers up to [\d,]+ accounts there: no <code>cleanUp<\/code> is declared, so they stay\./,
      path,
    )
  t.match((await get('/')).body, /name="accountsStay" value="yes" required/)
  t.match((await post('/run/start', {})).outcome.message, `registers at ${server.url} stay there`)
  t.equal(server.journal.entries().length, before, 'nothing was sent')
  t.strictSame((await post('/run/start', { accountsStay: 'yes' })).outcome, { go: 'run' })
  await post('/run/stop', {})
  t.notMatch((await get('/')).body, 'accountsStay', 'asked once')
  setup.change([[['baseUrl'], 'http://127.0.0.1:1']])
  t.match((await get('/')).body, 'accountsStay', 'of another service again')
  setup.change([[['registration', 'cleanUp'], { method: 'DELETE', path: '/accounts/$userName' }]])
  const { body } = await get('/')
  t.match(body, '<code>cleanUp</code> removes them at the end')
  t.notMatch(body, 'accountsStay')
})

t.test('where a run sends is shown anew on every open page once the target is another', async (t) => {
  const given = 'baseUrl: http://127.0.0.1:7\naccounts: [{ userName: ann, password: Secret-1 }]\n'
  const { page } = await open(t, [], given)
  const { ask, post, feedUntil } = await enterUi(page.address)
  const body = await (await ask('run')).text()
  t.match(body, 'requests to http://127.0.0.1:7')
  const shown = feedUntil(/"part":"progress"/, seen(body))
  await post('setup/text', { text: given.replace(':7', ':8') })
  t.match(await shown, 'requests to http://127.0.0.1:8')
})

t.test('a target is shown as it is written, and is text', async (t) => {
  const text = 'name: a # \t</textarea><script>alert(1)</script>&amp;\nbaseUrl: http://127.0.0.1:1\n'
  const { get } = await open(t, [], text)
  const { body } = await get('/')
  const [, shown = ''] = /<textarea id="text"[^>]*>\n([^<]*)<\/textarea>/.exec(body) ?? []
  t.equal(
    shown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    text,
  )
  t.equal(body.match(/<script/g)?.length, 1)
})

t.test('watching, saving, and the end', async (t) => {
  const { post, get, asked, page, setup } = await open(t)
  t.equal((await post('/setup/save', { file: 'a.yaml' })).outcome.message, 'There is nothing to save yet.')
  await post('/setup/text', { text: 'baseUrl: http://127.0.0.1:1\n' })
  t.strictSame((await post('/setup/save', { file: 'a.yaml', replace: 'yes' })).outcome, {
    good: 'Saved as a.yaml.',
  })
  t.strictSame((await post('/setup/name', { text: ' Contoso #1 ' })).outcome, {})
  t.equal(setup.text(), 'baseUrl: http://127.0.0.1:1\nname: "Contoso #1"\n')
  t.match((await get('/')).body, /<input id="name" [^>]*value="Contoso #1"/)
  await post('/run/watch', { folder: 'src' })
  await post('/run/watch', { folder: 'lib' })
  await post('/run/unwatch', {})
  t.strictSame(asked, ['save a.yaml true', 'watch src', 'watch lib', 'unwatch', 'unwatch'])
  await page.close()
  await t.rejects(post('/run/stop', {}), 'nothing is served any more')
})

t.test('a client that asks on while its answers are due is dropped', async (t) => {
  const { page } = await open(t)
  const ask = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'
  const answers = (all: string): number => all.match(/HTTP\/1\.1 403 /g)?.length ?? 0
  t.equal(answers(await sendRaw(page.port, ask.repeat(200), { leave: 'half' })), 200)
  t.ok(answers(await sendRaw(page.port, ask.repeat(201), { leave: 'wait' })) < 200)
})
