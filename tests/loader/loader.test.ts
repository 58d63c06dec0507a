import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LOADER } from '../fixtures/command.js'

t.test('a source is compiled again when it changes, and its own lines are named in a stack', async (t) => {
  const folder = t.testdir({
    'main.ts': "import { text } from './text.js'\nconsole.log(text satisfies string)\n",
    'text.ts': "export const text: string = 'before'\n",
  })
  const run = (): string =>
    execFileSync(process.execPath, ['--import', LOADER, 'main.ts'], { cwd: folder, encoding: 'utf8' })
  t.equal(run(), 'before\n')
  t.equal(run(), 'before\n', 'from the cache')
  writeFileSync(
    join(folder, 'text.ts'),
    'interface Empty {}\n\n\nexport const text = String((new Error() as Empty & Error).stack)\n',
  )
  t.match(run(), /text\.ts:4:/)
})
