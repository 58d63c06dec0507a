import { cpuOfAll } from '../measure/cpu-of-all.js'
import { COMMAND, subject } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import type { BenchOptions } from '../options.js'
import { cell, type Group } from '../rows.js'

/** What a default run with everything declared sends: all that people wait for is measured beside so many. */
const REQUESTS = '4000'
const IN_FLIGHT = '8'
const LOOP = 'a bare undici loop with 4,000 requests'
const PROVE = '`prove`, every mutant and variant'

/** The suite held to all mutants: once, as it takes minutes, between two loops. */
export async function measureProve({ quick, work }: BenchOptions): Promise<Group> {
  if (quick) return { title: '`prove`: left out by --quick', rows: [], figures: {} }
  await using server = await startServer('bare-server.js')
  const loop = (): Promise<number> =>
    cpuOfAll([subject('bare-loop.js'), server.url, REQUESTS, IN_FLIGHT], work)
  const before = await loop()
  const prove = await cpuOfAll([COMMAND, 'prove', '--quiet', '--seed', '1'], work)
  const beside = (before + (await loop())) / 2
  return {
    title: '`prove`, all its processes, beside a loop with as many requests as a default run',
    rows: [
      { what: LOOP, cells: cell('CPU ms', 0, [beside]) },
      { what: PROVE, cells: cell('CPU ms', 0, [prove], [beside]) },
    ],
    figures: { 'prove/cpu-ratio': prove / beside },
  }
}
