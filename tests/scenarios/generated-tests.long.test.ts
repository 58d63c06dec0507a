/** `--reporter tests-…=DIR`: what is written is run by the tools of each language, against the wrong service and a right one. */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { findMutant } from '../../prove/jobs/selection.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { type ReferenceServerOptions, startReferenceServer } from '../../reference/server.js'
import { quoteJava } from '../../reports/formats/tests/junit5.js'
import { escapeCodePoint, escapeUnits, quoted } from '../../reports/formats/tests/test-language.js'
import { callCommand } from '../fixtures/call-command.js'
import { everyNth } from '../fixtures/effort.js'

const PASSWORD = 'Correct & horse+1'
const JARS = '/usr/share/java'

interface Toolchain {
  readonly format: string
  /** What must be there. */
  readonly needs: string
  readonly isThere: boolean
  readonly prepare?: readonly string[]
  readonly command: readonly string[]
  /** How many passed, failed and were skipped, from what is printed. */
  readonly counts: (printed: string) => readonly number[]
}

const has = (...command: readonly string[]): boolean =>
  spawnSync(command[0] ?? '', command.slice(1)).status === 0
const jars = has('ls', `${JARS}/junit-platform-console-standalone.jar`)
  ? readdirSync(JARS).filter((name) =>
      /^(?:junit-|opentest4j|apiguardian|univocity|picocli).*\.jar$/.test(name),
    )
  : []
const classPath = [...jars.map((name) => join(JARS, name)), '.'].join(':')
const found = (printed: string, pattern: RegExp): number => Number(pattern.exec(printed)?.[1] ?? 0)
const times = (printed: string, pattern: RegExp): number => printed.match(pattern)?.length ?? 0

const TOOLCHAINS: readonly Toolchain[] = [
  {
    format: 'tests-pytest',
    needs: 'pytest',
    isThere: has('python3', '-c', 'import pytest'),
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    counts: (printed) => [/(\d+) passed/, /(\d+) failed/, /(\d+) skipped/].map((one) => found(printed, one)),
  },
  {
    format: 'tests-jest',
    needs: 'Node',
    isThere: true,
    command: [process.execPath, '--test', '--test-reporter=tap', 'token-assay.test.cjs'],
    counts: (printed) =>
      [/^# pass (\d+)/m, /^# fail (\d+)/m, /^# skipped (\d+)/m].map((one) => found(printed, one)),
  },
  {
    format: 'tests-junit',
    needs: "Java and Debian's junit5",
    isThere: jars.length > 0 && has('javac', '-version'),
    prepare: ['javac', '-cp', classPath, 'TokenAssayTest.java'],
    command: [
      ...['java', '-cp', classPath, 'org.junit.platform.console.ConsoleLauncher'],
      ...['--select-class', 'TokenAssayTest', '--details=summary', '--disable-banner'],
    ],
    counts: (printed) =>
      ['successful', 'failed', 'skipped'].map((what) => found(printed, new RegExp(`(\\d+) tests ${what}`))),
  },
  {
    format: 'tests-go',
    needs: 'Go',
    isThere: has('go', 'version'),
    prepare: ['go', 'mod', 'init', 'contract'],
    command: ['go', 'test', '-count=1', '-v', './...'],
    counts: (printed) => [/^--- PASS/gm, /^--- FAIL/gm, /^--- SKIP/gm].map((one) => times(printed, one)),
  },
]

async function execute(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  // The test runner's own variables would make Node's report to it.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...own } = process.env
  const [file = '', ...args] = command
  return promisify(execFile)(file, args, { cwd, env: { ...own, ...env }, timeout: 240_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
}

async function service(options: ReferenceServerOptions = {}): Promise<string> {
  const server = await startReferenceServer({
    accounts: [{ userName: 'alice', password: PASSWORD }],
    hashing: 'fast',
    ...options,
  })
  t.teardown(() => server.close())
  return server.url
}

/** Wrong in a member, and in an error that repeats the password. */
const WRONG: ReferenceServerOptions = {
  behaviour: {
    tokenType: () => 'Bearer "\u202e\\u0022 */',
    deliver: (answer, { body }) => {
      const { password } = Object.fromEntries(new URLSearchParams(body.toString()))
      const wrongAnswer = { ...answer, status: 401, body: JSON.stringify({ error: 'x', password }) }
      return { kind: 'answer', answer: answer.status === 400 ? wrongAnswer : answer }
    },
  },
}

const [wrong, right] = [await service(WRONG), await service()]
const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
const folder = t.testdir({})
const run = await callCommand(['run', wrong, '--user-name', 'alice', '--quiet', '--runs', '1'], {
  cwd: folder,
  env,
})
const broken = run.stdout.match(/^✗ \d/gm)?.length ?? 0

for (const { format, needs, isThere, prepare, command, counts } of TOOLCHAINS)
  t.test(
    `${format}: the tests fail on the wrong service and pass on a right one`,
    { skip: !isThere && `needs ${needs}` },
    async (t) => {
      const cwd = t.testdir({})
      const out = join(cwd, 'out')
      const args = ['report', 'token-assay-report/report.json', '--reporter', `${format}=${out}`, '--quiet']
      t.equal((await callCommand(args, { cwd: folder, env })).exitCode, 0)
      if (prepare !== undefined) t.comment(await execute(prepare, out))
      const red = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: wrong })
      t.notMatch(red, /Correct (?:&|%26)|Correct\+/, 'what a service echoes is in no log')
      const [passed = 0, failed = 0, skipped = 0] = counts(red)
      t.strictSame([passed, skipped], [0, 0], 'each shows what is broken')
      t.ok(failed >= 3, `${failed} fail`)
      t.equal(failed, broken, 'one for each broken rule')
      const printed = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: `${right}/` })
      t.strictSame(counts(printed), [failed, 0, 0], printed)
      const lines: string[] = []
      const listener = createServer((socket) =>
        socket
          .on('error', () => {})
          .once('data', (sent: Buffer) => {
            lines.push(...`${sent}`.split('\r\n', 1))
            socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n')
          }),
      )
      await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
      const { port } = listener.address() as AddressInfo
      await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: `http://127.0.0.1:${port}` })
      listener.close()
      t.strictSame([...new Set(lines)], ['POST /Token HTTP/1.1'], 'the request line is as in the run')
      const noScheme = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: 'localhost:1' })
      t.match(noScheme, 'expected http:// or https:// before the host')
      const closed = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: `http://127.0.0.1:${port}` })
      for (const printed of [noScheme, closed])
        t.notMatch(printed, /Correct (?:&|%26)|Correct\+/, 'no log holds the password')
      const without = await execute(command, out, { TOKEN_ASSAY_BASE_URL: right, TOKEN_ASSAY_PASSWORD: '' })
      t.match(without, 'set the environment variable TOKEN_ASSAY_PASSWORD')
    },
  )

/** Each lets in who has no right to, with an account that the run made up, or has a wrong token response. */
const MUTANTS = [
  ...['any-method', 'longer-password', 'password-in-any-order', 'password-trimmed'],
  ...['duplicate-member', 'array', 'user-name-with-comment', 'address-without-password', 'query-read-too'],
]
/**
 * A right service may refuse a user name in another case: a test that asked for a token there would be wrong. A new account
 * has other letters where a name was cut, and only the suite looks for what is twice inside a member.
 */
const LEFT_TO_SUITE = ['user-name-in-case-of-request', 'user-name-filter', 'nested-duplicate-member']
const available = TOOLCHAINS.filter(({ isThere }) => isThere)

t.test('a test registers the accounts that the run made up, and has a control', async (t) => {
  const cwd = t.testdir({})
  for (const [at, id] of [...MUTANTS, ...LEFT_TO_SUITE].entries()) {
    // Each in one language where a change lands.
    const tried = everyNth(available, available.length, at)
    const baseUrl = await service({ behaviour: findMutant(id).behaviour() })
    const target = {
      baseUrl,
      accounts: [{ userName: 'alice', password: PASSWORD }],
      registration: { request: REGISTRATION_REQUEST },
    }
    writeFileSync(join(cwd, 'target.json'), JSON.stringify(target))
    const formats = tried.flatMap(({ format }) => ['--reporter', `${format}=${join(cwd, id, format)}`])
    const only = ['--effort', 'quick', '--only', '4.1-*', '--only', '2.1-*']
    await callCommand(['run', '--target', 'target.json', '--quiet', '--seed', '1', ...only, ...formats], {
      cwd,
      env,
    })
    for (const { format, prepare, command, counts } of tried) {
      const out = join(cwd, id, format)
      if (prepare !== undefined) t.comment(await execute(prepare, out))
      const [passed, failed = 0, skipped] = counts(
        await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: baseUrl }),
      )
      const isLeft = LEFT_TO_SUITE.includes(id)
      t.strictSame([passed, skipped, failed > 0], [0, isLeft ? 1 : 0, !isLeft], `${format} on ${id}`)
      const printed = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: right })
      t.strictSame(counts(printed), [failed, 0, skipped], printed)
      const nothing = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: `${right}/elsewhere` })
      t.equal(counts(nothing)[0], 0, 'where no one can sign in, a refusal shows nothing')
    }
  }
})

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'"\\\'`$\n\r\t\u0000\u001b\u007f\u2028\u202e*/u0022{}#%', '😀'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 20,
})
const texts = fc.sample(text, { seed: Number(process.env.TEST_SEEDS ?? 1), numRuns: 300 })
const hex = texts.map((one) => Buffer.from(one).toString('hex')).join('\n')

const LITERALS: readonly (readonly [
  needs: string,
  isThere: boolean,
  file: string,
  source: string,
  command: readonly string[],
])[] = [
  [
    'Python',
    has('python3', '--version'),
    'literals.py',
    texts.map((one) => `print(${quoted(one, escapeCodePoint)}.encode().hex())`).join('\n'),
    ['python3', 'literals.py'],
  ],
  [
    'Go',
    has('go', 'version'),
    'literals.go',
    `package main\nimport "fmt"\nfunc main() {\n${texts.map((one) => `fmt.Printf("%x\\n", ${quoted(one, escapeCodePoint)})`).join('\n')}\n}\n`,
    ['go', 'run', 'literals.go'],
  ],
  [
    'Java',
    has('javac', '-version'),
    'Literals.java',
    `class Literals { public static void main(String[] args) {\n${texts.map((one) => `print(${quoteJava(one)});`).join('\n')}\n}
static void print(String text) { System.out.println(java.util.HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))); } }\n`,
    ['java', 'Literals.java'],
  ],
  [
    'Node',
    true,
    'literals.cjs',
    texts.map((one) => `console.log(Buffer.from(${quoted(one, escapeUnits)}).toString('hex'))`).join('\n'),
    [process.execPath, 'literals.cjs'],
  ],
]

for (const [needs, isThere, file, source, command] of LITERALS)
  t.test(
    `${needs}: a text is one literal, whatever is in it`,
    { skip: !isThere && `needs ${needs}` },
    async (t) => {
      const cwd = t.testdir({})
      writeFileSync(join(cwd, file), source)
      t.equal((await execute(command, cwd)).trimEnd(), hex.trimEnd())
    },
  )
