/**
 * Ends a CI log with what failed and with the real counts of TAP streams: `N passed, N failed`.
 * Exits 1 where one of them holds no passed test.
 */
import { readFileSync } from 'node:fs'
import { Parser } from 'tap-parser'

/** Counts the assertions, not the subtests that hold them. */
const counts = { passed: 0, failed: 0, skipped: 0 }
/** Each failure as a path of names, with what its assertion tells: the end of a log may be all of it that is kept. */
const failures = []
/** @returns what will hold the number of failures in there */
function count(parser, path) {
  const own = { failed: 0 }
  const children = new Map()
  const fail = (what, diag) => failures.push({ path: [...path, what].join(' > '), diag })
  parser.on('child', (child) => children.set(child.name, count(child, [...path, child.name])))
  parser.on('bailout', (reason) => fail(`bailed out: ${reason}`))
  parser.on('assert', ({ ok, skip, todo, name, diag }) => {
    const child = children.get(name)
    children.delete(name)
    own.failed += child?.failed ?? 0
    // The point that closes a subtest repeats what is inside it; a subtest may fail on its own account too.
    if (child !== undefined && (ok || child.failed > 0)) return
    const kind = skip || todo ? 'skipped' : ok ? 'passed' : 'failed'
    counts[kind]++
    if (kind !== 'failed') return
    own.failed++
    fail(name, diag)
  })
  return own
}

let good = true
for (const file of process.argv.slice(2)) {
  const before = counts.passed
  const parser = new Parser()
  count(parser, [])
  // npm prints lines of its own before the stream.
  const text = readFileSync(file, 'utf8')
  parser.end(text.slice(Math.max(0, text.indexOf('TAP version'))))
  good &&= parser.ok && counts.passed > before
}
for (const { path, diag } of failures.slice(0, 20)) {
  console.log(`\nnot ok: ${path}`)
  if (diag) console.log(JSON.stringify(diag, null, 2).slice(0, 3_000))
}
const { passed, failed, skipped } = counts
console.log(`\n${skipped} skipped\n${passed} passed, ${good ? failed : Math.max(failed, 1)} failed`)
process.exitCode = good ? 0 : 1
