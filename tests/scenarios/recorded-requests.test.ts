/** `--from FILE.har`: what real clients send, judged by `run` and compared by `diff`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ReferenceServerOptions } from '../../reference/server.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'
import { harOf } from '../fixtures/har.js'
import { startReference } from '../fixtures/reference.js'

const PASSWORD = 'Correct-horse-1'
const URL = 'https://app.example/Token'
const FORM = 'application/x-www-form-urlencoded'
const SECRETS = ['Real-secret-1', 'Real%2Dsecret', 'real.user', 'Client-1', 'Refresh-1', 'Session-1']
const LOGIN = 'grant_type=password&username=real.user%40mail.example&password=Real-secret-1'

/** A login of a page, one of an app that asks for a scope, one with a client's secret, and a request for another token. */
const HAR = harOf([
  { method: 'GET', url: 'https://app.example/' },
  { method: 'OPTIONS', url: URL, headers: { Origin: 'https://app.example' } },
  {
    url: URL,
    text: LOGIN,
    headers: { 'Content-Type': FORM, 'X-App-Version': '7', Cookie: 'id=Session-1' },
  },
  {
    url: URL,
    text: LOGIN,
    headers: { 'Content-Type': FORM, 'X-App-Version': '7', Cookie: 'id=Session-2' },
  },
  { url: URL, text: `${LOGIN}&scope=read%2Dall` },
  { url: URL, text: `${LOGIN}&client_secret=Client-1` },
  { url: URL, text: 'grant_type=refresh_token&refresh_token=Refresh-1' },
])

/** A service that is right but for one thing. */
async function service(t: Test, options: ReferenceServerOptions = {}): Promise<string> {
  const accounts = [{ userName: 'alice', password: PASSWORD }]
  return (await startReference(t, { accounts, ...options })).url
}

/** It refuses a header that only a recorded client sends. */
const REFUSES_APP: ReferenceServerOptions = {
  behaviour: {
    deliver: (answer, { headers }) =>
      headers['x-app-version'] === undefined
        ? { kind: 'answer', answer }
        : { kind: 'answer', answer: { ...answer, status: 403, headers: [], body: new Uint8Array() } },
  },
}

function folder(t: Test): string {
  return t.testdir({ 'x.har': HAR })
}

const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
const run = (cwd: string, url: string, ...args: string[]) =>
  callCommand(['run', url, '--user-name', 'alice', '--from', 'x.har', '--no-color', ...args], { cwd, env })

/** Every file below, as text. */
function textsOf(cwd: string): ReadonlyMap<string, string> {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.har'),
  )
  return new Map(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  )
}

t.test('a run sends each recorded request with a declared account, and judges it', async (t) => {
  const cwd = folder(t)
  const { exitCode, stdout, stderr } = await run(
    cwd,
    await service(t),
    '--runs',
    '1',
    '--reporter',
    'html=x.html',
  )
  t.equal(exitCode, 0, stdout)
  t.match(stderr, 'x.har: 5 token requests, 4 of them distinct: har:request/1 to har:request/4\n')
  t.match(
    stderr,
    'left out: entry 6: nothing can take the place of `client_secret`: declare it in `tokenRequest`\n',
  )
  const { results, observations, plan, counts, rules } = readReport(cwd)
  const own = results.filter((result) => result.case.startsWith('har:'))
  t.strictSame(
    own.map(({ id, title, outcome }) => [id, title, outcome]),
    [
      [
        'default/har:request/2',
        'a form with grant_type password and right credentials is granted, as recorded (entry 3, 2 times)',
        'passed',
      ],
      [
        'default/har:request/3',
        'a form with grant_type password and right credentials is granted, as recorded (entry 5)',
        'passed',
      ],
      [
        'default/har:request/4',
        'a grant type other than password is refused, as recorded (entry 7)',
        'passed',
      ],
    ],
  )
  t.match(
    observations.find(({ id }) => id === 'har:request/1'),
    { observed: /^405, / },
  )
  const { waived: _, ...outcomes } = counts
  t.equal(
    plan.planned,
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    'it reconciles',
  )
  t.ok(rules.find(({ id }) => id === '2.1-token_type')?.results.includes('default/har:request/2'))
  const [first] = own[1]?.exchanges.filter(({ label }) => label === 'request') ?? []
  t.match(first?.request.body, {
    text: 'grant_type=password&username=alice&password=‹password of alice›&scope=read%2Dall',
  })
  for (const [file, text] of [...textsOf(cwd), ['stdout', stdout], ['stderr', stderr]] as const)
    t.strictSame(
      SECRETS.filter((secret) => text.includes(secret)),
      [],
      file,
    )
})

t.test(
  'a service that refuses what a real client sends is red by that request alone, and its replay repeats it',
  async (t) => {
    const url = await service(t, REFUSES_APP)
    const cwd = folder(t)
    const { exitCode, stdout } = await run(cwd, url, '--only', 'har:*')
    t.equal(exitCode, 1)
    t.match(stdout, /1 rule is broken: 4\.1-R3|rules are broken: 1-exchange, 4\.1-R3/)
    const failed = readReport(cwd).results.filter(({ outcome }) => outcome === 'failed')
    t.strictSame(
      failed.map(({ id }) => id),
      ['default/har:request/2'],
    )
    const [broken] = failed[0]?.judgements.filter(({ outcome }) => outcome === 'failed') ?? []
    t.match(broken?.reproduce, "-H 'X-App-Version: 7'")
    t.equal((await run(cwd, url, '--replay', broken?.replay ?? '')).exitCode, 1)
    const { exitCode: without } = await callCommand(
      ['run', url, '--user-name', 'alice', '--quiet', '--only', '4.1*', '--runs', '1'],
      { cwd, env },
    )
    t.equal(without, 0, 'the suite sends no such request')
  },
)

const LEFT_OUT = /^token-assay: warning: x\.har: left out: entry 6: nothing can take/m

t.test('what is left out is warned of, also with --quiet', async (t) => {
  const [cwd, url] = [folder(t), await service(t)]
  const { exitCode, stderr } = await run(cwd, url, '--quiet', '--only', 'har:*')
  t.equal(exitCode, 0)
  t.match(stderr, LEFT_OUT)
  const sides = ['diff', '--old', url, '--new', url, '--user-name', 'alice', '--from', 'x.har', '--quiet']
  const compared = await callCommand([...sides, '--runs', '1'], { cwd, env })
  t.match([compared.exitCode, compared.stderr], [0, LEFT_OUT])
})

t.test('a secret that the service repeats is not shown', async (t) => {
  const url = await service(t, {
    behaviour: {
      deliver: (answer) => ({
        kind: 'answer',
        answer: {
          ...answer,
          headers: [...answer.headers, ['X-Debug', 'Real-secret-1 of real.user@mail.example']],
        },
      }),
    },
  })
  const cwd = folder(t)
  const { stdout } = await run(cwd, url, '--only', 'har:*', '--verbose')
  t.match([...textsOf(cwd).values()].join(''), 'X-Debug')
  for (const [file, text] of [...textsOf(cwd), ['stdout', stdout]] as const)
    t.strictSame(
      SECRETS.filter((secret) => text.includes(secret)),
      [],
      file,
    )
})

t.test('diff compares what both services answer to the recorded requests', async (t) => {
  const [old, now] = [await service(t), await service(t, REFUSES_APP)]
  const cwd = folder(t)
  const args = ['diff', '--old', old, '--new', now, '--user-name', 'alice', '--runs', '1', '--no-color']
  const found = await callCommand([...args, '--from', 'x.har', '--reporter', 'json=d.json'], { cwd, env })
  t.equal(found.exitCode, 1)
  t.match(found.stderr, 'x.har: 5 token requests, 4 of them distinct')
  const { findings }: Differential = JSON.parse(readFileSync(join(cwd, 'd.json'), 'utf8'))
  t.ok(
    findings.some((finding) => JSON.stringify(finding).includes('case har:request/2')),
    JSON.stringify(findings),
  )
  for (const [file, text] of [...textsOf(cwd), ['stdout', found.stdout]] as const)
    t.strictSame(
      SECRETS.filter((secret) => text.includes(secret)),
      [],
      file,
    )
})

t.test('misuse gets one message, and exit 2', async (t) => {
  const cwd = t.testdir({ 'x.har': HAR, 'no.har': '{"log": "Real-secret-1', 'other.har': harOf([]) })
  const service = ['http://127.0.0.1:1', '--user-name', 'alice']
  const calls: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [
      ['run', ...service, '--from', 'missing.har'],
      /missing\.har: expected a HAR file, found no file that can be read/,
    ],
    [['run', ...service, '--from', 'no.har'], /no\.har: expected a HAR file, found text that is not JSON$/],
    [
      ['run', ...service, '--from', 'other.har'],
      /other\.har: expected a request to \/Token, found none among 0$/,
    ],
    [
      ['run', 'http://127.0.0.1:1/api', '--user-name', 'alice', '--from', 'x.har'],
      /expected a request to \/api\/Token, found none among 7; the nearest is to \/Token: is the path of the base URL right\?$/,
    ],
    [
      ['run', '--embedded', '--from', 'x.har'],
      /--embedded tests the embedded reference server: it cannot be used with --from$/,
    ],
    [
      [
        'diff',
        '--old',
        'http://127.0.0.1:1',
        '--new',
        'http://127.0.0.1:2',
        '--user-name',
        'alice',
        '--from',
        'no.har',
      ],
      /no\.har: expected a HAR file/,
    ],
  ]
  for (const [args, message] of calls) {
    const { exitCode, stdout, stderr } = await callCommand(args, { cwd, env })
    t.strictSame([exitCode, stdout, stderr.trim().split('\n').length], [2, '', 1], args.join(' '))
    t.match(stderr.trim(), message)
    t.notMatch(stderr, 'Real-secret')
  }
})
