/** `--reporter tests-…=DIR`: what is written is run by the tools of each language, against the wrong service and a right one. */
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { ReferenceServerOptions } from '../../reference/server.js'
import { quoteJava } from '../../reports/formats/tests/junit5.js'
import { escapeCodePoint, escapeUnits, quoted } from '../../reports/formats/tests/test-language.js'
import { callCommand } from '../fixtures/call-command.js'
import { execute, has, PASSWORD, startService, TOOLCHAINS } from '../fixtures/toolchains.js'

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
