/** Ends a CI log with the real counts of TAP streams: `N passed, N failed`. Exits 1 where one of them holds no passed test. */
import { readFileSync } from 'node:fs'
import { Parser } from 'tap-parser'

/** Counts the assertions, not the subtests that hold them. */
const counts = { passed: 0, failed: 0, skipped: 0 }
/** @returns what will hold the number of failures in there */
function count(parser) {
  const own = { failed: 0 }
  const children = new Map()
  parser.on('child', (child) => children.set(child.name, count(child)))
  parser.on('assert', ({ ok, skip, todo, name }) => {
    const child = children.get(name)
    children.delete(name)
    own.failed += child?.failed ?? 0
    // The point that closes a subtest repeats what is inside it; a subtest may fail on its own account too.
    if (child !== undefined && (ok || child.failed > 0)) return
    const kind = skip || todo ? 'skipped' : ok ? 'passed' : 'failed'
    counts[kind]++
    if (kind === 'failed') own.failed++
  })
  return own
}

let good = true
for (const file of process.argv.slice(2)) {
  const before = counts.passed
  const parser = new Parser()
  count(parser)
  // npm prints lines of its own before the stream.
  const text = readFileSync(file, 'utf8')
  parser.end(text.slice(Math.max(0, text.indexOf('TAP version'))))
  good &&= parser.ok && counts.passed > before
}
const { passed, failed, skipped } = counts
console.log(`\n${skipped} skipped\n${passed} passed, ${good ? failed : Math.max(failed, 1)} failed`)
process.exitCode = good ? 0 : 1
