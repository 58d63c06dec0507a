import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import { connectControl } from '../../reference/control/client.js'
import { startReferenceServer } from '../../reference/server.js'
import { selfSigned } from '../../reference/tls/self-signed.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { COMMAND, startCommand } from '../../tests/fixtures/command.js'

const secret = 'Canary-of-the-control'
const password = 'Canary-in-a-mine-7'
const env = { CONTROL: secret, ALICE_PASSWORD: password }

const configuration = `
accounts:
  - { userName: alice, password: "\${ALICE_PASSWORD}", userId: 7d1f }
port: 0
tokenLifetime: 60
hashing: fast
policy: { minimumLength: 1 }
log: { format: text }
control: { secret: "\${CONTROL}" }
`

async function serve(t: Test, args: readonly string[], files: Record<string, string>, more = {}) {
  const cwd = t.testdir(files)
  const running = startCommand(['serve', ...args], { cwd, env: { ...env, ...more } })
  t.teardown(() => running.child.kill('SIGKILL'))
  return { cwd, ...running }
}

async function signIn(url: string, dispatcher = new Agent()) {
  const { statusCode, body } = await request(`${url}/Token`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', username: 'alice', password }).toString(),
  })
  return { status: statusCode, json: JSON.parse(await body.text()) }
}

t.test('the file, then the environment, then flags', async (t) => {
  const flags = ['--port-file', 'port', '--control-port-file', 'control-port', '--base-path', '/auth']
  const { cwd, child, ended, saying } = await serve(
    t,
    [...flags, '--includes-user-id'],
    { 'server.yaml': configuration },
    { TOKEN_ASSAY_TOKEN_LIFETIME: '70', TOKEN_ASSAY_BASE_PATH: '/other', TOKEN_ASSAY_LOG_FORMAT: '' },
  )
  const [url = '', control = ''] = (await saying('stdout', 'control http')).split('\n')
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/auth$/)
  t.equal(readFileSync(join(cwd, 'port'), 'utf8'), `${new URL(url).port}\n`)
  t.equal(readFileSync(join(cwd, 'control-port'), 'utf8'), `${new URL(control.split(' ')[1] ?? '').port}\n`)
  t.match(await signIn(url), { status: 200, json: { expires_in: 69, userId: '7d1f' } })
  const client = await connectControl({ url: control.split(' ')[1] ?? '', secret })
  t.match(await client.settings.get(), { policy: { minimumLength: 1, requireDigit: true } })
  child.kill('SIGTERM')
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 0)
  t.match(stderr, / info {2}request method=POST path=\/auth\/Token status=200 durationMs=/)
  t.notMatch(stderr, new RegExp(`${password}|${secret}|alice`))
  for (const file of ['port', 'control-port']) t.notOk(existsSync(join(cwd, file)), `${file} is gone`)
})

t.test('what runs is finished before it stops; a second signal stops it at once', async (t) => {
  for (const times of [1, 2]) {
    const { child, ended, saying } = await serve(t, ['--grace', '600'], { 'server.yaml': configuration })
    const [url = '', control = ''] = (await saying('stdout', 'control http')).split('\n')
    const client = await connectControl({ url: control.split(' ')[1] ?? '', secret })
    await client.faults.add({ kind: 'delay', ms: times === 1 ? 500 : 3_600_000 })
    const answer = signIn(url).catch(({ code }) => code)
    await client.journal.waitFor({ status: 200 })
    child.kill('SIGINT')
    if (times === 2) {
      await saying('stderr', 'stopping')
      child.kill('SIGINT')
    }
    t.match(await answer, times === 1 ? { status: 200 } : /UND_ERR_SOCKET|ECONNRESET/)
    t.equal((await ended).exitCode, 0)
  }
})

t.test(
  'with --end-with-stdin it ends with its standard input, as with the process that holds it',
  async (t) => {
    const start = (...flags: readonly string[]) => {
      const args = ['serve', '--port', '0', '--hashing', 'fast', '--port-file', 'port', ...flags]
      const cwd = t.testdir()
      const child = spawn(process.execPath, [...COMMAND, ...args], { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
      t.teardown(() => child.kill('SIGKILL'))
      return { cwd, child, ended: once(child, 'close') }
    }
    const bound = start('--end-with-stdin')
    const [url] = await once(bound.child.stdout, 'data')
    bound.child.stdin.write('what is in it does not count')
    t.match(await signIn(String(url).trim()), { status: 400 })
    bound.child.stdin.end()
    t.match(await bound.ended, [0])
    t.notOk(existsSync(join(bound.cwd, 'port')))

    const free = start()
    const [other] = await once(free.child.stdout, 'data')
    free.child.stdin.end()
    t.match(await signIn(String(other).trim()), { status: 400 })
    free.child.kill('SIGTERM')
    t.match(await free.ended, [0])
  },
)

t.test('with --end-with-stdin it ends at the start where its standard input is at its end', async (t) => {
  const cwd = t.testdir({ file: 'what is in it does not count' })
  const inputs = { 'no input': '/dev/null', 'a file': join(cwd, 'file'), 'a folder': cwd }
  for (const [name, path] of Object.entries(inputs)) {
    const input = openSync(path, 'r')
    const args = ['serve', '--port', '0', '--hashing', 'fast', '--port-file', 'port', '--end-with-stdin']
    const stdio = [input, 'ignore', 'ignore'] as const
    const child = spawn(process.execPath, [...COMMAND, ...args], { cwd, stdio: [...stdio] })
    t.teardown(() => child.kill('SIGKILL'))
    closeSync(input)
    t.match(await once(child, 'close', { signal: AbortSignal.timeout(20_000) }), [0], name)
    t.notOk(existsSync(join(cwd, 'port')), name)
  }
})

t.test('TLS by a certificate made at the start', async (t) => {
  const flags = ['--port', '0', '--tls', 'self-signed', '--certificate-file', 'ca.pem', '--hashing', 'fast']
  const { cwd, child, ended, saying } = await serve(
    t,
    [...flags, '--user-name', 'alice'],
    {},
    { TOKEN_ASSAY_PASSWORD: password, TOKEN_ASSAY_USER_ID: '7d1f', TOKEN_ASSAY_INCLUDES_USER_ID: 'true' },
  )
  const url = (await saying('stdout', '\n')).trim()
  t.match(url, /^https:/)
  const agent = new Agent({ connect: { ca: readFileSync(join(cwd, 'ca.pem'), 'utf8') } })
  t.match(await signIn(url, agent), { status: 200, json: { userId: '7d1f' } })
  await agent.close()
  child.kill('SIGTERM')
  t.equal((await ended).exitCode, 0)
})

t.test('what cannot be configured is reported with its place, and exits 2', async (t) => {
  const file = (text: string): Record<string, string> => ({ 'server.yaml': text })
  await using taken = await startReferenceServer({ hashing: 'fast' })
  const { port } = taken
  const cases: readonly (readonly [string, readonly string[], Record<string, string>, RegExp])[] = [
    [
      'an unknown key',
      [],
      file('a: 1\ntokenLifetme: 60'),
      /server\.yaml:1:1: .*\n.*server\.yaml:2:1: .*did you mean "tokenLifetime"\?/,
    ],
    [
      'a text for a number',
      [],
      file('port: "5000"'),
      /server\.yaml:1:7: expected a whole number, found a string/,
    ],
    [
      'an unset variable',
      [],
      file('accounts:\n  - { userName: a, password: "$'.concat('{NONE_SUCH}" }')),
      /server\.yaml:2:30: .*NONE_SUCH is not set/,
    ],
    [
      'two of one name',
      [],
      file('accounts:\n  - { userName: a, password: b }\n  - { userName: a, password: c }'),
      /server\.yaml:3:17: expected each user name once/,
    ],
    [
      'TLS of no kind',
      [],
      file('tls: yes'),
      /server\.yaml:1:6: expected self-signed, or an object with cert/,
    ],
    ['no YAML', [], file('a: [1'), /server\.yaml:1:\d+: expected YAML/],
    [
      'a provider that is none',
      [],
      file('accounts: [{ userName: a, password: b, externalLogins: [{ provider: p, subject: s }] }]'),
      /server\.yaml:1:\d+: expected the name of one of the providers/,
    ],
    [
      'a short secret',
      [],
      file('control: { secret: short-one }'),
      /server\.yaml:1:20: expected 16 to 1024 printable/,
    ],
    [
      'a control plane for everybody in the file',
      [],
      file('control:\n  secret: sixteen-characters-or-more\n  host: 0.0.0.0'),
      /server\.yaml:3:9: other machines can reach this address: to mean it, set control\.remote/,
    ],
    [
      'certificates that are not there',
      [],
      file('tls:\n  cert: none.pem\n  key: server.yaml'),
      /server\.yaml:2:9: expected a PEM file, found none that can be read at .*none\.pem/,
    ],
    [
      'a key in the place of its path',
      [],
      file('tls: { cert: server.yaml, key: "-----BEGIN PRIVATE KEY-----\\nMIGH" }'),
      /server\.yaml:1:\d+: expected the path of a PEM file, found what such a file holds\n$/,
    ],
    [
      'certificates that are none',
      [],
      file('tls: { cert: server.yaml, key: server.yaml }'),
      /server\.yaml:1:6: expected a certificate and its own private key, both in PEM/,
    ],
    ['no secret', ['--control-port', '0'], {}, /TOKEN_ASSAY_CONTROL_SECRET/],
    [
      'a control plane for everybody',
      ['--control-host', '0.0.0.0'],
      file(configuration),
      /to mean it, set control\.remote \(--control-remote\)/,
    ],
    [
      'no such file',
      ['--config', 'none.yaml'],
      {},
      /none\.yaml: expected the server's configuration, found no file/,
    ],
    ['a level that is none', ['--log-level', 'loud'], {}, /--log-level takes info or warn/],
    ['a path of steps', [], file('basePath: /a/../b'), /server\.yaml:1:11: expected a path such as/],
    [
      'one file for two',
      ['--port-file', 'x', '--control-port-file', './x'],
      file(configuration),
      /a file of its own/,
    ],
    ['an origin that is none', ['--cors-origins', 'app.example'], {}, /cors\[0\] to be an origin such as/],
    ['an id without a user', ['--user-id', '7d1f'], {}, /--user-id needs an account: --user-name NAME/],
    ['a file that would stay empty', ['--certificate-file', 'x'], {}, /--tls self-signed/],
    ['a folder that cannot be', ['--port-file', '/dev/null/x', '--port', '0'], {}, /cannot be written/],
    ['a port in use', ['--port', String(port)], {}, new RegExp(`port ${port} is in use: --port 0`)],
    [
      'the control plane’s',
      ['--control-port', String(port)],
      file(configuration),
      new RegExp(`port ${port} is in use: --control-port 0`),
    ],
  ]
  for (const [name, args, files, message] of cases) {
    const { exitCode, stdout, stderr } = await callCommand(['serve', ...args], {
      cwd: t.testdir(files),
      env,
    })
    t.equal(exitCode, 2, name)
    t.match(stderr, message, name)
    t.equal(stdout, '', name)
    t.notMatch(stderr, /short-one|\n\s+at /, `${name}: no secret, no stack`)
  }
  const { exitCode, stderr } = await callCommand(['serve'], {
    cwd: t.testdir(),
    env: { TOKEN_ASSAY_PORT: 'x' },
  })
  t.equal(exitCode, 2)
  t.match(stderr, /TOKEN_ASSAY_PORT takes a whole number/)
  const short = { TOKEN_ASSAY_CONTROL_SECRET: 'short-one' }
  const refused = await callCommand(['serve', '--control-port', '0'], { cwd: t.testdir(), env: short })
  t.equal(refused.exitCode, 2)
  t.match(refused.stderr, /TOKEN_ASSAY_CONTROL_SECRET takes 16 to 1024 printable characters/)
  t.notMatch(refused.stderr, /short-one/)
})

t.test('no file that it reads is written over', async (t) => {
  const { cert, key } = await selfSigned('localhost')
  const files = {
    'own.yaml': 'port: 0\nhashing: fast\ntls: { cert: tls/cert.pem, key: tls/key.pem }\n',
    'server.yaml': 'port: 0\n',
    tls: { 'cert.pem': cert, 'key.pem': key },
    link: t.fixture('symlink', 'tls'),
    'notes.txt': 'notes',
  }
  const own = ['--config', 'own.yaml']
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[...own, '--certificate-file', './tls/cert.pem'], /^token-assay: \.\/tls\/cert\.pem is named twice/],
    [[...own, '--certificate-file', 'tls/key.pem'], /tls\/key\.pem is named twice: give each report its/],
    [[...own, '--certificate-file', 'link/cert.pem'], /link\/cert\.pem is named twice/],
    [[...own, '--port-file', 'tls/cert.pem'], /tls\/cert\.pem is named twice/],
    [[...own, '--port-file', './own.yaml'], /own\.yaml is named twice/],
    [['--port-file', 'server.yaml'], /server\.yaml is named twice/],
    [[...own, '--port-file', 'notes.txt'], /--port-file: notes\.txt is there and holds something else/],
  ]
  for (const [args, message] of cases) {
    const cwd = t.testdir(files)
    const { exitCode, stdout, stderr } = await callCommand(['serve', ...args], { cwd, env })
    t.strictSame([exitCode, stdout], [2, ''], args.join(' '))
    t.match(stderr, message)
    t.equal(readFileSync(join(cwd, 'tls/cert.pem'), 'utf8'), cert)
    t.equal(readFileSync(join(cwd, 'tls/key.pem'), 'utf8'), key)
    t.equal(readFileSync(join(cwd, 'own.yaml'), 'utf8'), files['own.yaml'])
    t.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'notes')
  }
})

t.test('SIGHUP reads the file again; one that cannot be used changes nothing', async (t) => {
  const { cwd, child, ended, saying } = await serve(t, [], { 'server.yaml': configuration })
  const [url = ''] = (await saying('stdout', 'control http')).split('\n')
  writeFileSync(join(cwd, 'server.yaml'), configuration.replace('tokenLifetime: 60', 'tokenLifetime: 90'))
  child.kill('SIGHUP')
  await saying('stderr', 'reloaded changed=["tokenLifetime"] needRestart=[]')
  t.match(await signIn(url), { status: 200, json: { expires_in: 89 } })
  const longer = configuration.replace('tokenLifetime: 60', 'tokenLifetime: 90')
  for (const [log, named] of [
    ['{ format: json }', '["log"]'],
    ['{ format: text, level: warn }\nbasePath: /auth', '["basePath","log"]'],
    ['{ format: text }\nbodyLimitBytes: 7', '["bodyLimitBytes"]'],
  ] as const) {
    writeFileSync(join(cwd, 'server.yaml'), longer.replace('{ format: text }', log))
    child.kill('SIGHUP')
    await saying('stderr', `reloaded changed=[] needRestart=${named}`)
  }
  writeFileSync(join(cwd, 'server.yaml'), configuration.replace('tokenLifetime: 60', 'tokenLifetime: long'))
  child.kill('SIGHUP')
  await saying('stderr', 'reload-failed')
  t.match(await signIn(url), { status: 200, json: { expires_in: 89 } })
  // As for a moment while it is replaced.
  writeFileSync(join(cwd, 'server.yaml'), '')
  child.kill('SIGHUP')
  await saying('stderr', 'found an empty file')
  t.match(await signIn(url), { status: 200, json: { expires_in: 89 } })
  rmSync(join(cwd, 'server.yaml'))
  child.kill('SIGHUP')
  await saying('stderr', 'found no file that can be read')
  t.match(await signIn(url), { status: 200, json: { expires_in: 89 } })
  child.kill('SIGTERM')
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 0)
  t.match(stderr, /reload-failed message=".*server\.yaml:5:16: expected/)
  t.notMatch(stderr, new RegExp(`${password}|${secret}|no-accounts`))
})

t.test('SIGHUP without a file ends the server, and its files are removed', async (t) => {
  const { cwd, child, ended, saying } = await serve(t, ['--port', '0', '--port-file', 'port'], {})
  await saying('stdout', 'http')
  child.kill('SIGHUP')
  t.match(await ended, { exitCode: 0 })
  t.notOk(existsSync(join(cwd, 'port')))
})

t.test('a log that cannot be written ends no server; an address that cannot be written does', async (t) => {
  if (!existsSync('/dev/full')) return
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const start = (stdout: 'pipe' | number, stderr: 'pipe' | number) => {
    const child = spawn(process.execPath, [...COMMAND, 'serve', '--port', '0', '--hashing', 'fast'], {
      cwd: t.testdir(),
      stdio: ['ignore', stdout, stderr],
    })
    t.teardown(() => child.kill('SIGKILL'))
    return { child, ended: once(child, 'close') }
  }
  const deaf = start('pipe', full)
  const [url] = await once(deaf.child.stdout ?? deaf.child, 'data')
  for (const _ of [1, 2]) t.match(await signIn(String(url).trim()), { status: 400 })
  deaf.child.kill('SIGTERM')
  t.match(await deaf.ended, [0])
  const mute = start(full, 'pipe')
  const [output] = await Promise.all([text(mute.child.stderr ?? process.stdin), mute.ended])
  t.match(await mute.ended, [2])
  t.match(output, /^token-assay: standard output cannot be written: ENOSPC/m)
})

t.test('a misspelt variable is reported', async (t) => {
  const { child, ended, saying } = await serve(
    t,
    ['--port', '0', '--hashing', 'fast'],
    {},
    { TOKEN_ASSAY_PROT: '1', TOKEN_ASSAY_DEBUG: '1' },
  )
  await saying('stdout', 'http')
  child.kill('SIGTERM')
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 0)
  t.match(
    stderr,
    /"warn","event":"unknown-variable","name":"TOKEN_ASSAY_PROT","message":"did you mean TOKEN_ASSAY_PORT\?"/,
  )
  t.equal(stderr.split('unknown-variable').length, 2)
  t.match(
    stderr,
    /"warn","event":"no-accounts","message":"no one can sign in: give --user-name NAME and TOKEN_ASSAY_PASSWORD/,
  )
})

t.test('SIGUSR1 opens no debugger, which would show every user what is in memory', async (t) => {
  const { child, saying, ended } = await serve(
    t,
    ['--user-name', 'ann'],
    {},
    { TOKEN_ASSAY_PASSWORD: 'Canary-1' },
  )
  await saying('stdout', '\n')
  child.kill('SIGUSR1')
  const url = (await saying('stdout', 'http')).split('\n').find((line) => line.startsWith('http')) ?? ''
  for (let times = 0; times < 5; times += 1) await signIn(url.trim())
  child.kill('SIGTERM')
  t.notMatch((await ended).stderr, 'Debugger')
})

t.test('a signal ends it while it still starts', async (t) => {
  const accounts = Array.from({ length: 4000 }, (_, index) => ({ userName: `user-${index}`, password: 'x' }))
  const { cwd, child, ended, saying } = await serve(t, ['--config', 'server.json', '--port-file', 'port'], {
    'server.json': JSON.stringify({ port: 0, accounts }),
  })
  await saying('stderr', '"event":"configuration"')
  child.kill('SIGTERM')
  const { exitCode, stdout, stderr } = await ended
  t.strictSame({ exitCode, stdout }, { exitCode: 0, stdout: '' })
  t.match(stderr, /"event":"stopping"/)
  t.notMatch(stderr, /"event":"listening"/)
  t.notOk(existsSync(join(cwd, 'port')))
})
