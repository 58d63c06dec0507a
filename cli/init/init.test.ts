import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { type ReferenceServerOptions, startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { listen } from '../../tools/interop/listen.js'

const PASSWORD = 'Correct-7-horses'
const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
const FILE = 'token-assay.yaml'
/** The port of TCPMUX: nothing listens there. */
const UNUSED = 'http://127.0.0.1:1'

const SETTINGS: Readonly<Record<string, ReferenceServerOptions & { readonly userName: string }>> = {
  'the default': { userName: 'alice' },
  'userId and a short lifetime': { userName: 'Zoë "Z" Straße', includesUserId: true, tokenLifetime: 90 },
  'a path, and names in the file’s own language': { userName: '${x}: # $y', basePath: '/auth' },
}

for (const [what, { userName, ...options }] of Object.entries(SETTINGS)) {
  t.test(`${what}: the file that init writes passes the suite`, async (t) => {
    const accounts = [{ userName, password: PASSWORD }]
    await using server = await startReferenceServer({ hashing: 'fast', accounts, ...options })
    const cwd = t.testdir()
    const wrote = await callCommand(['init', server.url, '--user-name', userName], { cwd, env })
    t.equal(wrote.exitCode, 0, wrote.stderr)
    t.equal(wrote.stderr, '')
    t.match(wrote.stdout, /gets a token\.\n.*\n {2}TOKEN_ASSAY_PASSWORD='…' token-assay run\n$/s)
    t.notMatch(wrote.stdout + readFileSync(join(cwd, FILE), 'utf8'), PASSWORD)
    const [{ tokenLifetime, includesUserId, baseUrl }] = loadTargetFile(join(cwd, FILE), env).deployments
    const { tokenLifetime: lifetime = 1_209_600, includesUserId: includes = false } = options
    t.strictSame([tokenLifetime, includesUserId, baseUrl], [lifetime, includes, server.url])

    const ran = await callCommand(['run', '--runs', '5', '--quiet'], { cwd, env })
    t.equal(ran.exitCode, 0, ran.stdout + ran.stderr)
  })
}

t.test('without a base URL: a template', async (t) => {
  const cwd = t.testdir()
  const wrote = await callCommand(['init', '--out', 'a/my service.yaml', '--user-name', 'bob'], { cwd })
  t.equal(wrote.exitCode, 0, wrote.stderr)
  t.match(wrote.stdout, "token-assay run --target 'a/my service.yaml'\n")
  const { name, deployments } = loadTargetFile(join(cwd, 'a/my service.yaml'), env)
  t.match(deployments, [{ accounts: [{ userName: 'bob' }], baseUrl: 'http://127.0.0.1:5000' }])
  t.equal(name, 'The token service')
})

t.test('a file that is there is not replaced, unless --force says so', async (t) => {
  const cwd = t.testdir({ [FILE]: 'mine', dangling: t.fixture('symlink', 'nowhere') })
  const refused = await callCommand(['init'], { cwd })
  t.match(refused, { exitCode: 2, stdout: '' })
  t.match(refused.stderr, /^token-assay: token-assay\.yaml exists already: --force replaces it, --out .*\n$/)
  t.match(await callCommand(['init', '--out', 'dangling'], { cwd }), { exitCode: 2 })
  t.equal(readFileSync(join(cwd, FILE), 'utf8'), 'mine')
  t.equal((await callCommand(['init', '--force'], { cwd })).exitCode, 0)
  t.match(readFileSync(join(cwd, FILE), 'utf8'), /^## /)
  t.strictSame(readdirSync(cwd).toSorted(), ['dangling', FILE], 'nothing else is left')
})

t.test('no service there: the file is written, with what could not be learnt', async (t) => {
  const cwd = t.testdir()
  const { exitCode, stdout } = await callCommand(['init', UNUSED, '--user-name', 'alice'], { cwd, env })
  t.equal(exitCode, 0)
  t.match(
    stdout,
    /^Could not reach the service\. The connection was refused: nothing listens at that address\.\n/,
  )
  t.equal(loadTargetFile(join(cwd, FILE), env).deployments[0].baseUrl, UNUSED)
})

t.test('invalid arguments are refused before anything is sent or made', async (t) => {
  let requests = 0
  await using server = await listen((_, response) => {
    requests += 1
    response.end()
  })
  const misuses: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [[`ftp://${PASSWORD}@example.com`], /the base URL: expected a base URL such as/],
    [['target.yaml'], /the base URL: .*; a target file is given as `--target FILE`/],
    [[server.url.replace('//', `//alice:${PASSWORD}@`)], /without user name and password/],
    [[server.url, PASSWORD], /init takes one base URL, found 2 arguments/],
    [[server.url, '--user-name', 'alice'], /set the environment variable TOKEN_ASSAY_PASSWORD/],
    [[server.url, '--out', 'a/b.json'], /JSON has no comments/],
    [[server.url, '--out', 'folder'], /folder cannot be written: it is a folder/],
    [[server.url, '--out', 'file/x.yaml'], /file\/x\.yaml cannot be written/],
    [[server.url, '--frce'], /did you mean `--force`/],
  ]
  const cwd = t.testdir({ folder: {}, file: '' })
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await callCommand(['init', ...args], { cwd })
    t.strictSame([exitCode, stdout], [2, ''], args.join(' '))
    t.match(stderr, says)
    t.notMatch(stderr, PASSWORD)
    t.strictSame(readdirSync(cwd).toSorted(), ['file', 'folder'])
  }
  t.equal(requests, 0)
})

t.test('a hostile answer neither moves the cursor nor gets a secret written', async (t) => {
  const evil = '\u001b[2J\u202e\n::set-output name=x::'
  await using server = await listen((request, response) => {
    if (request.headers['content-type'] === 'application/json')
      return void response.writeHead(308, { Location: '\u009b2J##[command]' }).end()
    response.writeHead(404).end()
  })
  await using gossip = await listen((_, response) => {
    const token = { access_token: 'mF_9.B5f-4.1JqM', userName: evil, userId: `${evil}${PASSWORD}` }
    response.end(JSON.stringify(token))
  })
  for (const { url } of [server, gossip]) {
    const cwd = t.testdir()
    const { exitCode, stdout, stderr } = await callCommand(['init', url, '--user-name', 'alice'], {
      cwd,
      env,
    })
    t.equal(exitCode, 0, stderr)
    t.notMatch(stdout, /(?!\n)\p{C}|^::|##\[/mu)
    const text = readFileSync(join(cwd, FILE), 'utf8')
    t.notMatch(text, /(?!\n)\p{C}|mF_9/u)
    for (const output of [stdout, stderr, text]) t.notMatch(output, PASSWORD)
    t.doesNotThrow(() => loadTargetFile(join(cwd, FILE), env))
  }
})
