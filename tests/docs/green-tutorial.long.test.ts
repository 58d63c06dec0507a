import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { installedIn } from '../fixtures/page.js'
import { followTutorial, missingLine } from '../fixtures/tutorial.js'

const PAGE = 'docs/tutorials/bring-your-server-to-green.md'
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const NEEDED = ['express', '@node-oauth']
const missing = NEEDED.filter((name) => !existsSync(join(MODULES, name)))
const skip = missing.length > 0 && `${missing.join(' and ')} not installed`

t.test('from red to green, by the commands of the tutorial', { skip }, async (t) => {
  const folder = installedIn(t, {})
  for (const name of NEEDED) await symlink(join(MODULES, name), join(folder, 'node_modules', name))
  const steps = await followTutorial(PAGE, folder, join(folder, 'node_modules/.bin'))
  t.strictSame(
    steps.flatMap(({ printed }) => printed.filter((line) => line.startsWith('exit code '))),
    ['exit code 1', 'exit code 0'],
  )
  for (const step of steps) {
    const { shell, exitCode, output } = step
    t.strictSame({ exitCode, missing: missingLine(step) }, { exitCode: 0, missing: undefined }, shell, {
      output,
    })
  }
})
