import { text } from 'node:stream/consumers'
import t from 'tap'
import { listen } from '../../tools/interop/listen.js'
import { readReport, startCommand } from '../fixtures/command.js'
import { everyNth, isNight } from '../fixtures/effort.js'

const MEGABYTE = 1024 * 1024
const BACKSLASHES = '\\'.repeat(12)
const HEAP = { NODE_OPTIONS: '--max-old-space-size=128' }

/** A sound login, and beside the token, or in the place of an error, as much as an answer may hold. */
function startVerbose(padding: (token: string) => string) {
  let count = 0
  return listen(async (request, response) => {
    // An interrupted run cuts its requests off.
    const form = new URLSearchParams(await text(request).catch(() => ''))
    const isRight = form.get('grant_type') === 'password' && form.get('password') === BACKSLASHES
    const token = `${'A'.repeat(15_000)}B${count++}`
    response.writeHead(isRight ? 200 : 400, { 'Content-Type': 'application/json;charset=UTF-8' })
    response.end(
      JSON.stringify({
        ...(isRight ? { access_token: token, token_type: 'bearer', userName: 'alice' } : { error: 'no' }),
        more: padding(token),
      }),
    )
  })
}

/** Some 160 answers: more than the heap holds. */
const MANY = ['4.1*', '2.1*']
/** Some 16, each of which costs several of those: for the time that one takes, as the many show what is kept. All at night. */
const FEW = isNight ? MANY : ['4.1/w*', '2.1/t*']

/** What was slow to search, or to read; each nearly a megabyte. */
const PADDINGS: Readonly<Record<string, readonly [(token: string) => string, readonly string[]]>> = {
  'what its token begins with': [() => 'A'.repeat(MEGABYTE - 40_000), MANY],
  'its token, again and again': [(token) => token.repeat(60), MANY],
  backslashes: [() => BACKSLASHES.repeat(MEGABYTE / 25), FEW],
  'escapes that are none': [() => '%25&amp;'.repeat(MEGABYTE / 9), FEW],
}
const select = (patterns: readonly string[]) => patterns.flatMap((pattern) => ['--only', pattern])

for (const [what, [padding, cases]] of everyNth(Object.entries(PADDINGS), 2))
  t.test(`a megabyte of ${what} in every answer, with a heap of 128 MB`, async (t) => {
    await using server = await startVerbose(padding)
    const cwd = t.testdir()
    const args = ['run', server.url, '--user-name', 'alice', '--runs', '3', ...select(cases)]
    const env = { ...HEAP, TOKEN_ASSAY_PASSWORD: BACKSLASHES }
    const { ended } = startCommand([...args, '--max-duration', '60', '--quiet'], { cwd, env })
    const { exitCode, stderr } = await ended
    t.equal(exitCode, 1, stderr)
    const { durationMs, counts } = readReport(cwd)
    // What is quadratic takes many minutes for one answer.
    t.ok(counts.failed > 0 && durationMs < 300_000, `${durationMs} ms`)
  })

t.test('an interrupt is heard between such answers', async (t) => {
  await using server = await startVerbose(() => 'A'.repeat(MEGABYTE - 40_000))
  const cwd = t.testdir()
  const args = ['run', server.url, '--user-name', 'alice', '--runs', '100', '--verbose']
  const env = { ...HEAP, TOKEN_ASSAY_PASSWORD: BACKSLASHES }
  const { child, ended, saying } = startCommand(args, { cwd, env })
  // The first of many: the others are under way.
  await saying('stderr', 'failed: default/')
  child.kill('SIGINT')
  t.equal((await ended).exitCode, 130)
  t.equal(readReport(cwd).verdict === 'conformant', false)
})
