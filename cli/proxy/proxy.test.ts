import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { alice } from '../../conformance/fixtures/service.js'
import { type ReferenceServerOptions, startReferenceServer } from '../../reference/server.js'
import { report as validate } from '../../spec/generated/validators.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { startCommand } from '../../tests/fixtures/command.js'
import { sendRaw } from '../../tests/fixtures/raw-client.js'

const PASSWORD = { TOKEN_ASSAY_PASSWORD: alice.password }
const FORM = { grant_type: 'password', username: alice.userName, password: alice.password }

async function service(t: Test, options: ReferenceServerOptions = {}) {
  const server = await startReferenceServer({
    accounts: [alice],
    hashing: 'fast',
    protectedResource: true,
    ...options,
  })
  t.teardown(() => server.close())
  return server
}

/** The command once it listens, its base URL, and what stops it. */
async function startProxy(t: Test, cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { child, ended, saying } = startCommand(['proxy', '--port', '0', '--no-color', ...args], {
    cwd,
    env: { ...PASSWORD, ...env },
  })
  t.teardown(() => child.kill('SIGKILL'))
  const url = (await saying('stdout', '\n')).split('\n', 1)[0] ?? ''
  return {
    url,
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
  }
}

const signIn = (url: string, changes: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/Token`, { method: 'POST', body: new URLSearchParams({ ...FORM, ...changes }) })

t.test('a sign-in, the report, and no secret anywhere', async (t) => {
  const cwd = t.testdir({})
  const { url: target } = await service(t)
  const flags = [
    '--target',
    target,
    '--user-name',
    'alice',
    '--record',
    'shapes.jsonl',
    '--port-file',
    'port',
  ]
  const proxy = await startProxy(t, cwd, flags)
  t.equal(readFileSync(join(cwd, 'port'), 'utf8'), `${new URL(proxy.url).port}\n`)
  const { access_token: token } = (await (await signIn(proxy.url)).json()) as Record<string, string>
  await fetch(`${proxy.url}/me`, {
    headers: { Authorization: `Bearer ${token}`, Cookie: 'session=c00kie-value' },
  })
  // Each shows a secret where others read it, or as something else.
  await fetch(`${proxy.url}/me?access_token=${token}`)
  await fetch(`${proxy.url}/me?password=${encodeURIComponent(alice.password)}`)
  await signIn(proxy.url, { [alice.password]: 'x', client_secret: 'Client-secret-9' })
  await signIn(proxy.url, { grant_type: alice.password, username: 'Never-declared-3' })
  const { exitCode, stdout, stderr } = await proxy.stop('SIGINT')
  t.equal(exitCode, 1)
  t.equal(stderr, 'token-assay: stopping, then writing the report\n')
  t.match(
    stdout,
    /NOT CONFORMANT: 3 rules are broken: client:request-grant_type, client:request-secrets, client:/,
  )
  const [report, page, shapes] = ['report.json', 'index.html', '../shapes.jsonl'].map((file) =>
    readFileSync(join(cwd, 'token-assay-proxy-report', file), 'utf8'),
  )
  t.ok(validate(JSON.parse(report ?? '')), 'a report as any other')
  const secrets = [
    token ?? '',
    alice.password,
    encodeURIComponent(alice.password),
    'c00kie-value',
    'Client-secret-9',
    'Never-declared-3',
  ]
  for (const [name, text = ''] of Object.entries({ report, page, shapes, stdout }))
    t.strictSame(
      secrets.filter((secret) => text.includes(secret)),
      [],
      name,
    )
  const lines = (shapes ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(lines[0], {
    request: {
      method: 'POST',
      path: 'token',
      parameters: ['grant_type', 'username', 'password'],
      grantType: 'password',
    },
    response: {
      status: 200,
      members: [
        ['access_token', 'string'],
        ['token_type', 'string'],
        ['expires_in', 'number'],
        ['userName', 'string'],
        ['.issued', 'string'],
        ['.expires', 'string'],
      ],
    },
  })
  t.equal(lines.length, 6)
})

t.test('what the target file hides is hidden where a service echoes it', async (t) => {
  const values = { 'X-Partner': 'Partner-from-environment-1', 'X-Gate': 'Gate-as-declared-2' }
  const { url } = await service(t, {
    behaviour: {
      deliver: (answer, { headers }) => {
        const echo = JSON.stringify({
          error: 'unsupported',
          seen: headers['x-partner'],
          gate: headers['x-gate'],
        })
        return { kind: 'answer', answer: answer.status === 400 ? { ...answer, body: echo } : answer }
      },
    },
  })
  const target = {
    baseUrl: url,
    accounts: [{ userName: 'alice', password: '${TOKEN_ASSAY_PASSWORD}' }],
    headers: { 'X-Partner': '${PARTNER}', 'X-Gate': values['X-Gate'] },
  }
  const cwd = t.testdir({ 'target.json': JSON.stringify(target) })
  const flags = ['--target', 'target.json', '--record', 'x.har']
  const proxy = await startProxy(t, cwd, flags, { PARTNER: values['X-Partner'] })
  await fetch(`${proxy.url}/Token`, {
    method: 'POST',
    body: new URLSearchParams({ x: 'y' }),
    headers: values,
  })
  const { exitCode, stdout } = await proxy.stop('SIGINT')
  t.equal(exitCode, 1)
  const files = ['report.json', 'index.html', '../x.har'].map((file) =>
    readFileSync(join(cwd, 'token-assay-proxy-report', file), 'utf8'),
  )
  t.match(files[0], '‹PARTNER from the environment›')
  for (const text of [...files, stdout]) t.notMatch(text, /Partner-from-environment-1|Gate-as-declared-2/)
})

for (const [baseUrl, shown, basePath] of [
  ['${BASE}', '‹BASE from the environment›', ''],
  ['http://127.0.0.1:${PORT}/auth', 'http://127.0.0.1:‹PORT from the environment›/auth', '/auth'],
] as const)
  t.test(`of a base URL from the environment the name is shown: ${shown}`, async (t) => {
    const { url } = await service(t, { basePath, behaviour: { tokenType: () => 'Bearer' } })
    const account = { userName: 'alice', password: '${TOKEN_ASSAY_PASSWORD}' }
    const cwd = t.testdir({ 'target.json': JSON.stringify({ baseUrl, accounts: [account] }) })
    const flags = ['--target', 'target.json', '--record', 'x.har']
    const proxy = await startProxy(t, cwd, flags, { BASE: url, PORT: new URL(url).port })
    await signIn(proxy.url)
    t.equal((await proxy.stop('SIGINT')).exitCode, 1)
    const report = readFileSync(join(cwd, 'token-assay-proxy-report/report.json'), 'utf8')
    t.match(report, `"${shown}/Token"`)
    const { entries } = JSON.parse(readFileSync(join(cwd, 'x.har'), 'utf8')).log
    t.match(entries, [{ request: { url: `http://base-url.invalid${basePath}/Token` } }])
  })

/** A sign-in, and a request that cannot be read. */
async function halfRead(url: string): Promise<void> {
  await signIn(url)
  await sendRaw(Number(new URL(url).port), 'GET /Token HTTP/1.1\nHost: localhost\n\n', { leave: 'half' })
}

t.test('the exit code is of what was judged', async (t) => {
  const { url: target } = await service(t)
  const cwd = t.testdir({})
  const runs: readonly (readonly [
    asked: (url: string) => Promise<unknown>,
    flags: readonly string[],
    exit: number,
    message: RegExp,
  ])[] = [
    [async () => undefined, ['--fail-on', 'broken'], 3, /INCONCLUSIVE: nothing was executed/],
    [signIn, [], 0, /✓ CONFORMANT in the part that ran/],
    [(url) => signIn(url, { password: 'x' }), [], 0, /✓ CONFORMANT in the part that ran/],
    [
      halfRead,
      ['--fail-on', 'broken'],
      3,
      /not judged: 1 piece of 37 bytes from the client: a line ends in LF.*INCONCLUSIVE/s,
    ],
    [halfRead, ['--allow-unread', '2'], 0, /✓ CONFORMANT in the part that ran/],
  ]
  for (const [ask, flags, exit, message] of runs) {
    const proxy = await startProxy(t, cwd, ['--target', target, ...flags])
    await ask(proxy.url)
    const { exitCode, stdout } = await proxy.stop('SIGTERM')
    t.match(stdout, message)
    t.equal(exitCode, exit)
  }
})

t.test('TLS on both sides', async (t) => {
  const cwd = t.testdir({})
  const { url: target, certificate = '' } = await service(t, { tls: 'self-signed' })
  const ca = join(t.testdir({ 'ca.pem': certificate }), 'ca.pem')
  const flags = ['--target', target, '--ca', ca, '--tls', 'self-signed', '--certificate-file', 'own.pem']
  const proxy = await startProxy(t, cwd, flags)
  const own = readFileSync(join(cwd, 'own.pem'), 'utf8')
  const status = await new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    request(`${proxy.url}/Token`, { method: 'POST', headers, ca: own, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end(new URLSearchParams(FORM).toString())
  })
  t.equal(status, 200)
  const { exitCode, stderr } = await proxy.stop('SIGTERM')
  t.strictSame([exitCode, stderr], [0, 'token-assay: stopping, then writing the report\n'])
})

t.test('a certificate that is not trusted, and a target that is down, are reported', async (t) => {
  const cwd = t.testdir({})
  const { url: target } = await service(t, { tls: 'self-signed' })
  const proxy = await startProxy(t, cwd, ['--target', target])
  await t.rejects(signIn(proxy.url))
  const { exitCode, stderr } = await proxy.stop('SIGINT')
  t.equal(exitCode, 3)
  t.match(stderr, /the service could not be reached: DEPTH_ZERO_SELF_SIGNED_CERT: --ca FILE trusts/)
})

t.test('misuse gets one message, and exit 2', async (t) => {
  const cwd = t.testdir({
    'two.yaml':
      'baseUrl: http://127.0.0.1:1\naccounts: [{ userName: a, password: b }]\ndeployments: { one: {}, two: {} }\n',
    'tls.yaml':
      'baseUrl: https://127.0.0.1:1\naccounts: [{ userName: a, password: b }]\ntls: { cert: two.yaml, key: two.yaml }\n',
  })
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[], /name the service: --target http:/],
    [['--target', 'http://u:p@127.0.0.1'], /without user name and password/],
    [['--target', 'ftp://127.0.0.1'], /http or https/],
    [['--target', 'missing.yaml'], /missing.yaml/],
    [['--target', 'two.yaml'], /several deployments: --deployment takes one, two/],
    [['--target', 'tls.yaml'], /tls\.yaml:3:14: expected a PEM file with a certificate, found none/],
    [['--target', 'two.yaml', '--deployment', 'three'], /no deployment `three`/],
    [['http://127.0.0.1:1'], /proxy takes flags only/],
    [['--target', 'http://127.0.0.1:1', '--port', '70000'], /--port takes a whole number/],
    [['--target', 'http://127.0.0.1:1', '--tls', 'yes'], /--tls takes self-signed/],
    [['--target', 'http://127.0.0.1:1', '--tls-cert', 'c.pem'], /go together/],
    [['--target', 'http://127.0.0.1:1', '--certificate-file', 'c.pem'], /needs a certificate/],
    [['--target', 'http://127.0.0.1:1', '--fail-on', 'never'], /--fail-on takes broken or inconclusive/],
    [
      ['--target', 'http://127.0.0.1:1', '--allow-unread', '-1'],
      /--allow-unread takes a whole number from 0/,
    ],
    [
      ['--target', 'http://127.0.0.1:1', '--allow-host', 'http://app.test'],
      /--allow-host takes a name such as/,
    ],
    [['--target', 'http://127.0.0.1:1', '--only', 'nothing'], /no case, rule or result matches `nothing`/],
    [['--target', 'http://127.0.0.1:1', '--ca', 'missing.pem'], /a PEM file that can be read/],
    [['--target', 'http://127.0.0.1:5080'], /the target is where the proxy listens/],
    [['--target', 'http://127.0.0.1:1', '--targte', 'x'], /did you mean `--target`\?/],
  ]
  for (const [args, message] of cases) {
    const { exitCode, stdout, stderr } = await callCommand(['proxy', ...args], { cwd })
    t.strictSame([exitCode, stdout, stderr.trim().split('\n').length], [2, '', 1], args.join(' '))
    t.match(stderr, message)
  }
})
