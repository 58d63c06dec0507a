import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { startCommand } from '../../tests/fixtures/command.js'
import { harProblem } from '../../tests/fixtures/har-schema.js'
import { openHarFile } from './har-file.js'

const PASSWORD = 'Correct-horse-1'
const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
const SECRETS = [
  'Correct',
  'horse',
  'Mallory-9',
  'mallory',
  'c00kie',
  'Key-1',
  'Client-1',
  'Refresh-1',
  'Other-1',
  'Anns-phone',
  'Query-1',
  'Part-1',
  'Session-1',
]

async function startProxy(t: Test, cwd: string) {
  const server = await startReferenceServer({
    accounts: [{ userName: 'alice', password: PASSWORD }],
    hashing: 'fast',
  })
  t.teardown(() => server.close())
  const args = ['proxy', '--port', '0', '--target', server.url, '--user-name', 'alice', '--record', 'x.har']
  const { child, ended, saying } = startCommand([...args, '--quiet', '--fail-on', 'broken'], { cwd, env })
  t.teardown(() => child.kill('SIGKILL'))
  const url = (await saying('stdout', '\n')).trim()
  return {
    service: server.url,
    url,
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
  }
}

t.test(
  'proxy --record FILE.har writes token requests without secrets, and run --from sends them',
  async (t) => {
    const cwd = t.testdir({})
    const proxy = await startProxy(t, cwd)
    const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(proxy.url + path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }).then((response) => response.text())
    const form = (user: string, password: string, more = ''): string =>
      `grant_type=password&username=${user}&password=${password}${more}`
    const granted = await post(
      '/Token?x=Query-1',
      form('alice', PASSWORD, '&scope=a%20b&device=Anns-phone'),
      {
        Cookie: 'id=c00kie',
        'X-Api-Key': 'Key-1',
        'User-Agent': 'App/1',
        Referer: 'http://app.example/page?ticket=Query-1',
      },
    )
    const { access_token: token }: Record<string, string> = JSON.parse(granted)
    await post('/Token', form('mallory', 'Mallory-9', '&client_secret=Client-1'), {
      'Content-Type': 'application/x-www-form-urlencoded; p="Mallory-9"',
    })
    await post('/Token', JSON.stringify({ grant_type: 'password', username: 'alice', password: PASSWORD }), {
      'Content-Type': 'application/json',
    })
    await post('/Token', 'grant_type=refresh_token&refresh_token=Refresh-1')
    await post('/token/', form('alice', PASSWORD))
    await post(
      '/Token',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nPart-1\r\n--b--\r\n',
      {
        'Content-Type': 'multipart/form-data; boundary=b',
      },
    )
    await post('/Token;jsessionid=Session-1', form('alice', PASSWORD))
    await post('/other', 'password=Other-1')
    await fetch(`${proxy.url}/Token?${form('alice', PASSWORD)}`)
    await proxy.stop('SIGINT')
    const text = readFileSync(join(cwd, 'x.har'), 'utf8')
    t.equal(harProblem(text), undefined, 'valid HAR 1.2')
    t.strictSame(
      [...SECRETS, token ?? ''].filter((secret) => text.includes(secret)),
      [],
    )
    const { entries, comment } = JSON.parse(text).log
    t.match(comment, /Not recorded, as the body cannot be read or the file is full: 1\.$/)
    t.strictSame(
      entries.map(
        ({ request }: { request: { method: string; url: string; postData?: { text: string } } }) => [
          request.method,
          request.url.replace(proxy.service, ''),
          request.postData?.text,
        ],
      ),
      [
        [
          'POST',
          '/Token?x=%E2%80%B9redacted%E2%80%BA',
          'grant_type=password&username=alice&password=‹password of alice›&scope=a%20b&device=‹redacted›',
        ],
        [
          'POST',
          '/Token',
          'grant_type=password&username=‹user name›&password=‹password›&client_secret=‹redacted›',
        ],
        ['POST', '/Token', '{"grant_type":"password","username":"alice","password":"‹password›"}'],
        ['POST', '/Token', 'grant_type=refresh_token&refresh_token=‹redacted›'],
        ['POST', '/token/', 'grant_type=password&username=alice&password=‹password of alice›'],
        [
          'POST',
          '/Token;jsessionid=‹redacted›',
          'grant_type=password&username=alice&password=‹password of alice›',
        ],
        [
          'GET',
          `/Token?grant_type=password&username=alice&password=${encodeURIComponent('‹password of alice›')}`,
          undefined,
        ],
      ],
    )
    const [{ request, response }] = entries
    const headers = new Map(
      request.headers.map(({ name, value }: { name: string; value: string }) => [name.toLowerCase(), value]),
    )
    t.match(Object.fromEntries(headers), {
      'user-agent': 'App/1',
      cookie: '‹redacted›',
      'x-api-key': '‹redacted›',
      referer: 'http://app.example/',
    })
    t.match(response, {
      status: 200,
      content: { text: /"access_token":"‹access_token›","token_type":"bearer"/ },
    })

    const args = ['run', proxy.service, '--user-name', 'alice', '--from', 'x.har', '--only', 'har:*']
    const { exitCode, stderr } = await callCommand([...args, '--reporter', 'json=r.json'], { cwd, env })
    t.equal(exitCode, 0)
    t.match(stderr, 'x.har: 5 token requests: har:request/1 to har:request/5\n')
    t.match(stderr, 'not sent, because the values are secret or not recorded: `device`, `x`, ')
    t.match(stderr, 'left out: entry 2: nothing can take the place of `client_secret`')
    const { results } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))
    const first = results.find((result: { case: string }) => result.case === 'har:request/1')
    t.match(first, {
      outcome: 'passed',
      exchanges: [
        {},
        {
          request: {
            body: { text: 'grant_type=password&username=alice&password=‹password of alice›&scope=a%20b' },
          },
        },
      ],
    })
  },
)

t.test('the file is whole from the start on, whatever ends the command', async (t) => {
  const cwd = t.testdir({})
  const proxy = await startProxy(t, cwd)
  await proxy.stop('SIGKILL')
  const text = readFileSync(join(cwd, 'x.har'), 'utf8')
  t.equal(harProblem(text), undefined)
  t.strictSame(JSON.parse(text).log.entries, [])
})

t.test('the file is bounded, and says what it lacks', async (t) => {
  const file = join(t.testdir({}), 'x.har')
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method: 'POST',
      url: 'http://a/Token',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      ...{ status: 200, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], headers: [] },
      ...{
        content: { size: 0, mimeType: '' },
        redirectURL: 'x'.repeat(1024 * 1024),
        headersSize: -1,
        bodySize: -1,
      },
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  } as const
  {
    using har = openHarFile(file)
    for (let at = 0; at < 20; at++) har.add(() => entry)
    har.add(() => {
      throw new Error('nothing is made for a full file')
    })
  }
  const text = readFileSync(file, 'utf8')
  t.equal(harProblem(text), undefined)
  const { entries, comment } = JSON.parse(text).log
  t.equal(entries.length, 16)
  t.match(comment, /full: 5\.$/)
})
