/**
 * Measures the suite and the reference server beside others, interleaved, and prints Markdown tables with ratios.
 * `npm run bench -- --help` says how.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkGoals, renderGoals } from './check-goals.js'
import { GOALS } from './goals.js'
import { measureDifferential } from './groups/differential.js'
import { measureForall } from './groups/forall.js'
import { measureGrowth } from './groups/growth.js'
import { measurePeople } from './groups/people.js'
import { measureProve } from './groups/prove.js'
import { measureProxy } from './groups/proxy.js'
import { measureServer } from './groups/server.js'
import { measureStart } from './groups/start.js'
import { measureSuite } from './groups/suite.js'
import { COMMAND } from './measure/run-child.js'
import type { BenchOptions } from './options.js'
import { isInstalled } from './peers/peer.js'
import { PEERS } from './peers/peers.js'
import { type Call, readCall } from './read-call.js'
import { type Group, renderGroup } from './rows.js'

const GROUPS: Readonly<Record<string, (options: BenchOptions) => Promise<Group>>> = {
  people: measurePeople,
  suite: measureSuite,
  start: measureStart,
  forall: measureForall,
  server: measureServer,
  proxy: measureProxy,
  differential: measureDifferential,
  growth: measureGrowth,
  prove: measureProve,
}

async function main({ groups, rounds, quick, json }: Call): Promise<number> {
  if (!existsSync(COMMAND)) throw new Error('what is built is measured, and nothing is: npm run build')
  // What cannot be written is known before minutes are spent.
  if (json !== undefined) writeFileSync(json, '{}\n')
  console.log(machine(rounds))
  const missing = PEERS.filter((peer) => !isInstalled(peer)).map(({ name }) => name)
  if (missing.length > 0 && groups.includes('suite'))
    console.log(`Not installed and left out: ${missing.join(', ')} (npm ci --prefix bench).`)
  const work = mkdtempSync(join(tmpdir(), 'token-assay-bench-'))
  const figures: Record<string, number> = {}
  try {
    for (const name of groups) {
      const group = await GROUPS[name]?.({ rounds, quick, work })
      if (group === undefined) continue
      console.log(`\n${renderGroup(group)}`)
      Object.assign(figures, group.figures)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const verdicts = checkGoals(figures, GOALS)
  console.log(`\n${renderGoals(verdicts)}`)
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`)
  const worse = verdicts.filter(({ verdict }) => verdict === 'worse')
  for (const { id } of worse) console.error(`✗ ${id} is beyond what it is held to (tools/bench/goals.ts)`)
  return worse.length > 0 ? 1 : 0
}

function machine(rounds: number): string {
  const [cpu] = cpus()
  const load = loadavg()[0]?.toFixed(1)
  return [
    `Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, load ${load} at the start; rounds: ${rounds}.`,
    'Medians, ± half of the range (without: measured once); × is the median of the ratios to the first line of the size, round by round.',
  ].join('\n')
}

try {
  const call = readCall(process.argv.slice(2), Object.keys(GROUPS))
  if (call !== undefined) process.exitCode = await main(call)
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 2
}
