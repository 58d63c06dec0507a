/** Ends a CI log with the real counts of a TAP stream: `N passed, N failed`. Exits 1 where it holds no passed test. */
import { readFileSync } from 'node:fs'
import { Parser } from 'tap-parser'

/** Counts the assertions, not the subtests that hold them. */
const counts = { passed: 0, failed: 0, skipped: 0 }
function count(parser) {
  const children = new Set()
  parser.on('child', (child) => {
    children.add(child.name)
    count(child)
  })
  parser.on('assert', ({ ok, skip, todo, name }) => {
    // The point that closes a subtest repeats what is inside it; one that fails may have failed on its own account.
    if (ok && children.delete(name)) return
    counts[skip || todo ? 'skipped' : ok ? 'passed' : 'failed']++
  })
}

const parser = new Parser(({ ok }) => {
  const { passed, failed, skipped } = counts
  const good = ok && passed > 0
  console.log(`\n${passed} passed, ${good ? failed : Math.max(failed, 1)} failed, ${skipped} skipped`)
  process.exitCode = good ? 0 : 1
})
count(parser)
// npm prints lines of its own before the stream.
const text = readFileSync(process.argv[2], 'utf8')
parser.end(text.slice(Math.max(0, text.indexOf('TAP version'))))
