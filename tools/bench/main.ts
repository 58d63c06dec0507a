/**
 * `npm run bench [-- GROUP...]`: measures starts, runs, grants and the proxy, each beside a program that does the least, in
 * turns, and prints Markdown tables with ratios. Exit code 1: a ratio is beyond what goals.ts holds it to. No time is.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkGoals, renderGoals } from './check-goals.js'
import { GOALS } from './goals.js'
import { measureGrants } from './groups/grant.js'
import { measureProxy } from './groups/proxy.js'
import { measureRuns } from './groups/run.js'
import { measureStart } from './groups/start.js'
import { COMMAND } from './measure/run-child.js'
import { type Group, renderGroup } from './rows.js'

const ROUNDS = 5
/** @param work a folder for files, removed at the end */
const GROUPS: Readonly<Record<string, (rounds: number, work: string) => Promise<Group>>> = {
  start: measureStart,
  run: measureRuns,
  grant: measureGrants,
  proxy: measureProxy,
}

const groups = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GROUPS)
const unknown = groups.find((name) => GROUPS[name] === undefined)
if (unknown !== undefined) {
  console.error(`bench: there is no group ${unknown}, but ${Object.keys(GROUPS).join(', ')}`)
  process.exit(2)
}
if (!existsSync(COMMAND)) throw new Error('bench: there is no build to measure: npm run build')
const load = loadavg()[0]?.toFixed(1)
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${load}; ${ROUNDS} rounds.`,
)
console.log('Medians, ± half of the range; × is the median of the ratios to the first line, round by round.')

const work = mkdtempSync(join(tmpdir(), 'token-assay-bench-'))
const figures: Record<string, number> = {}
try {
  for (const name of groups) {
    const group = await GROUPS[name]?.(ROUNDS, work)
    if (group === undefined) continue
    console.log(`\n${renderGroup(group)}`)
    Object.assign(figures, group.figures)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
const checks = checkGoals(figures, GOALS)
console.log(`\n${renderGoals(checks)}`)
if (checks.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1
