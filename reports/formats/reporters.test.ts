import { readFileSync } from 'node:fs'
import t from 'tap'
import { folderReporterNames, reporterNames } from './reporters.js'

t.test('the page of `run` lists every reporter, each once', async (t) => {
  const page = readFileSync(new URL('../../docs/run.md', import.meta.url), 'utf8')
  const table = page.split('| `--reporter` | for |')[1]?.split('\n\n')[0] ?? ''
  const listed = Array.from(table.matchAll(/^\| `([a-z-]+)` \|/gm), ([, name]) => name)
  t.strictSame(listed.toSorted(), [...reporterNames, ...folderReporterNames].toSorted())
})
