/**
 * `npm run bench [-- GROUP...]`: measures starts, runs, grants and the proxy, each beside a program that does the least, in
 * turns, and prints medians and their ratios. Exit code 1: a ratio is beyond what goals.yaml holds it to. No time is.
 */
import { existsSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parse } from 'yaml'
import { GROUPS } from './groups.js'
import { COMMAND } from './measure/child.js'
import { median } from './measure/statistics.js'

interface Goal {
  readonly id: string
  readonly goal: number
  /** Beyond this it is a regression. */
  readonly held: number
  readonly says: string
}

const groups = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GROUPS)
const unknown = groups.find((name) => GROUPS[name] === undefined)
if (unknown !== undefined) {
  console.error(`bench: there is no group ${unknown}, but ${Object.keys(GROUPS).join(', ')}`)
  process.exit(2)
}
if (!existsSync(COMMAND)) throw new Error('bench: there is no build to measure: npm run build')
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`,
)

const ratios: Record<string, number> = {}
for (const name of groups) {
  const group = await GROUPS[name]?.()
  if (group === undefined) continue
  const medians = Object.entries(group.figures).map(([what, figures]) => {
    const names = Object.keys(figures[0] ?? {}) as (keyof (typeof figures)[number])[]
    const cells = names.map((cell) => [
      cell,
      Number(median(figures.map((one) => Number(one[cell]))).toFixed(3)),
    ])
    return [what, Object.fromEntries(cells)]
  })
  console.log(`\n${name}, medians`)
  console.table(Object.fromEntries(medians))
  Object.assign(ratios, group.ratios)
}
const goals: readonly Goal[] = parse(readFileSync(new URL('goals.yaml', import.meta.url), 'utf8'))
const rows = goals.flatMap(({ id, goal, held, says }) => {
  const found = ratios[id]
  if (found === undefined) return []
  // What is no number is worse.
  const verdict = found <= goal ? 'met' : found <= held ? 'missed' : 'worse'
  return [{ ratio: says, found: Number(found.toFixed(2)), goal, held, verdict }]
})
console.table(rows)
if (rows.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1
