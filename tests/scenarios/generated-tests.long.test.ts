/** `--reporter tests-…=DIR`: what is written is run by the tools of each language, against the wrong service and a right one. */
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { ReferenceServerOptions } from '../../reference/server.js'
import { renderGo } from '../../reports/formats/tests/go.js'
import { renderJest } from '../../reports/formats/tests/jest.js'
import { quoteJava, renderJunit5 } from '../../reports/formats/tests/junit5.js'
import { renderPytest } from '../../reports/formats/tests/pytest.js'
import type { RuleTests, TestRequest } from '../../reports/formats/tests/rule-tests.js'
import { escapeCodePoint, escapeUnits, quoted } from '../../reports/formats/tests/test-language.js'
import { callCommand } from '../fixtures/call-command.js'
import { execute, has, PASSWORD, SHORT_JAVA, startService, TOOLCHAINS } from '../fixtures/toolchains.js'

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

const [wrong, right] = [await startService(t, WRONG), await startService(t)]
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

/** What each helper is called with; most of them find it wrong in an answer that is nothing but secrets. */
const CHECKS: readonly (readonly [name: string, ...args: (string | number)[]])[] = [
  ...['yields token', 'yields no token', 'status is success', 'is json object', 'has no body'].map(
    (name) => [name] as const,
  ),
  ['is same answer as'],
  ['status is', 418],
  ['media type is', 'application/json'],
  ['json equals', '{"error":"x"}'],
  ['json includes', '{"access_token":"x"}'],
  ['has member', 'none'],
  ...['has no member', 'member is text', 'member is not empty', 'member is date'].map(
    (name) => [name, 'access_token'] as const,
  ),
  ['member is text', 'number'],
  ['member is not empty', 'none'],
  ['member equals', 'token_type', 'bearer'],
  ['member equals', 'access_token', 'x'],
  ['member equals ignoring case', 'userName', 'alice'],
  ['member is seconds', 'expires_in', 1],
  ['member follows', 'access_token', 'userName'],
  ['seconds between', '.issued', '.expires', 1, 0],
  ['is near response time', '.issued', 1],
  ['lacks header', 'X-Echo'],
  ['header equals', 'X-Echo', 'x'],
  ['header lacks', 'X-Echo', 'horse'],
]
const TOKEN = 'Secret-token.of~alice_0123456789'
const OTHER_TOKEN = 'Another-token.of~alice_987654321'
/** Of letters alone, as a word is. */
const LETTERS = 'zslrajzeyoyirlsrbdku'
const SPELLINGS = [
  encodeURIComponent(PASSWORD).toLowerCase(),
  PASSWORD.replace('&', '&amp;'),
  PASSWORD.toUpperCase(),
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(PASSWORD).toString('hex'),
  PASSWORD.slice(0, 12),
]
const ESCAPED = 'Escaped/token+of~alice'
const SECRET_MEMBERS = {
  ...{ userName: TOKEN, token_type: PASSWORD, access_token: TOKEN, accessToken: TOKEN, jwt: TOKEN },
  ...{ expires_in: PASSWORD, '.issued': PASSWORD, '.expires': TOKEN, [PASSWORD]: TOKEN, number: 1 },
}
const ECHOES: Readonly<Record<string, readonly [status: number, body: string]>> = {
  '/json': [200, JSON.stringify(SECRET_MEMBERS)],
  '/twice': [200, `{"access_token":"${TOKEN}","access_token":"${OTHER_TOKEN}"}`],
  '/refused': [400, JSON.stringify({ ...SECRET_MEMBERS, access_token: undefined, token: TOKEN })],
  '/xml': [200, `<r><access_token>${TOKEN}</access_token></r>`],
  '/object': [200, JSON.stringify({ access_token: { value: TOKEN } })],
  '/quotes': [200, `{'access_token': '${TOKEN}'}`],
  '/escaped': [
    200,
    JSON.stringify({ access_token: ESCAPED, copy: ESCAPED }).replace('/', '\\u002f').replace('+', '\\u002b'),
  ],
  '/spellings': [400, JSON.stringify({ error: SPELLINGS, [SPELLINGS[0] ?? '']: 'x' })],
  '/letters': [
    200,
    JSON.stringify({
      access_token: LETTERS,
      jwt: LETTERS,
      token_type: 'Bearer',
      error: LETTERS,
      [LETTERS]: 1,
    }),
  ],
  '/letters-refused': [400, JSON.stringify({ error: LETTERS })],
  '/list': [200, JSON.stringify([PASSWORD])],
  '/text': [200, `${PASSWORD} is wrong`],
  '/broken': [200, `{"access_token":"${TOKEN}",${PASSWORD}`],
}
const suiteFor = (paths: readonly string[]): RuleTests => ({
  ...{ variables: [], suite: 'x', verdict: 'x' },
  tests: paths.flatMap((path) =>
    CHECKS.map(([name, ...args], at) => {
      const request = (label: string): TestRequest => ({
        ...{ label, method: 'POST', target: [{ text: path }], base: 'TOKEN_ASSAY_BASE_URL', headers: [] },
        body: [{ variable: 'TOKEN_ASSAY_PASSWORD', content: 'the password', encoding: 'form' }],
      })
      return {
        ...{ rule: `${path} ${at}`, section: '1', statement: '', title: '', message: '', granted: [] },
        ...{ requests: [request('other'), request('own')], judged: 1 },
        checks: [{ name, args, ...(name === 'is same answer as' ? { other: 'other' } : {}) }],
      }
    }),
  ),
})
const suite = suiteFor(Object.keys(ECHOES))
/** For each line of a traceback pytest parses the whole file: as many tests in one as take the least time. */
const AT_A_TIME = 6
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tests-pytest': Object.fromEntries(
    suite.tests.flatMap((_, at, tests) => {
      const own = tests.slice(at, at + AT_A_TIME)
      return at % AT_A_TIME === 0 ? [[`test_${at}.py`, renderPytest({ ...suite, tests: own })]] : []
    }),
  ),
  'tests-jest': { 'token-assay.test.cjs': renderJest(suite) },
  'tests-go': { 'token_assay_test.go': renderGo(suite) },
  'tests-junit': { 'TokenAssayTest.java': renderJunit5(suite) },
}

for (const { format, needs, isThere, prepare, command, counts } of TOOLCHAINS)
  t.test(
    `${format}: no log has what a service sends back`,
    { skip: !isThere && `needs ${needs}` },
    async (t) => {
      let asked = 0
      const echo = createHttpServer(({ url = '' }, response) => {
        const [status, body] = ECHOES[url] ?? [404, '']
        const headers = { 'x-echo': `${PASSWORD} ${TOKEN}`, location: `/#access_token=${TOKEN}` }
        const type = `text/plain; x="${PASSWORD}"; y=${TOKEN}; z=${++asked}`
        response.writeHead(status, { ...headers, 'content-type': type, date: PASSWORD }).end(body)
      })
      await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve))
      t.teardown(() => echo.close())
      const out = t.testdir(FILES[format] ?? {})
      if (prepare !== undefined) t.comment(await execute(prepare, out))
      const { port } = echo.address() as AddressInfo
      const printed = await execute(command, out, {
        ...env,
        TOKEN_ASSAY_BASE_URL: `http://127.0.0.1:${port}`,
      })
      const [, failed = 0] = counts(printed)
      t.ok(failed > suite.tests.length / 2, `${failed} of ${suite.tests.length} fail`)
      for (const secret of [PASSWORD, TOKEN, OTHER_TOKEN, ESCAPED, LETTERS, ...SPELLINGS])
        t.strictSame(
          printed.split('\n').filter((line) => line.includes(secret.slice(0, 9))),
          [],
          'hidden',
        )
    },
  )

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
    ['java', ...SHORT_JAVA, 'Literals.java'],
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
