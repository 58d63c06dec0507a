/** The image as its steps make it, by a copy of them: it is built, installed and run. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { isNight } from '../fixtures/effort.js'

const STEPS = fileURLToPath(new URL('../../tools/image-steps.sh', import.meta.url))

// Builds the package as `executable.long.test.ts` and `package.long.test.ts` do.
t.test('the steps of the image, without an engine', { skip: !isNight && 'at night' }, async (t) => {
  const { exitCode, printed } = await new Promise<{ exitCode: number; printed: string }>((resolve) => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(?:npm_|TAP|NODE_OPTIONS)/i.test(name)),
    )
    execFile(STEPS, { env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : 1, printed: stdout + stderr }),
    )
  })
  t.equal(exitCode, 0, printed)
  t.match(printed, '✓ CONFORMANT')
  t.notMatch(printed, /^uid 0$/m)
})
