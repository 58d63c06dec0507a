import { jsonText, renderJsonPieces } from '../../../reports/formats/json.js'
import { composeReport } from '../../../reports/model/compose-report.js'
import { groupBy } from '../../../spec/model/items.js'
import type { Limit, Result } from '../../../spec/model/report.js'
import { accountsOf, keepLeft } from '../../clean-up/left-accounts.js'
import { writeAtomic } from '../files.js'
import { readOutputsOf, writeEach } from '../outputs.js'
import { print } from '../print.js'
import type { CommandState } from './command-state.js'
import type { KnownReport } from './messages.js'

export type CommandEnd = 'signal' | 'deadline' | 'memory'

/** Writes what is known of a command that does not end by itself, and ends what it started. */
export async function endCommand(state: CommandState, end: CommandEnd): Promise<void> {
  const { known, children, maxDurationMs } = state
  await endChildren(children)
  const why = {
    signal: 'a second signal came',
    deadline: `--max-duration ${(maxDurationMs ?? 0) / 1000} is over`,
    memory: 'there is not enough memory',
  }[end]
  if (known === undefined) return print(`ended at once, because ${why}: nothing was planned yet`)
  if ('differential' in known) {
    const { FORMATS, writeDifferential } = await import('../../diff/write-differential.js')
    const { reporters, flags, namesLeft } = known
    const accounts = state.accounts.counts()
    const differential = { ...known.differential, ...(accounts.length === 0 ? {} : { accounts }) }
    await writeDifferential(differential, readOutputsOf(reporters, FORMATS), (name) => flags.includes(name))
    print(`ended at once, because ${why}: what was found is lost`)
    return keepLeft(accounts, namesLeft)
  }
  if ('rehearsal' in known) {
    const { FORMATS, writeRehearsal } = await import('../../rehearse/write-rehearsal.js')
    const { rehearsal, file, reporters, flags } = known
    await writeEach([() => writeAtomic(file, jsonText(rehearsal))])
    await writeRehearsal(rehearsal, readOutputsOf(reporters, FORMATS), (name) => flags.includes(name))
    return print(`ended at once, because ${why}: what was found is lost`)
  }
  const report = reportOf(known, state, end)
  await writeEach([() => writeAtomic(known.file, renderJsonPieces(report))])
  print(`ended at once, because ${why}: what is known is in ${known.file}`)
  if (known.namesLeft !== undefined) await keepLeft(accountsOf(report), known.namesLeft)
}

function reportOf({ parts, gate }: KnownReport, state: CommandState, end: CommandEnd) {
  const results = parts.results.map((result) => {
    const isOpen = end === 'memory' && result.reason === 'stopped'
    return state.results.get(result.id) ?? (isOpen ? { ...result, reason: 'memory' } : result)
  })
  const { maxDurationMs } = state
  const limits =
    end !== 'deadline' || maxDurationMs === undefined
      ? []
      : overdue(results, Math.round(maxDurationMs / 1000))
  // The clock may have been set back.
  const durationMs = Math.max(0, Date.now() - Date.parse(parts.start.startedAt))
  const accounts = state.accounts.counts().map(({ baseUrl: _, ...count }) => count)
  return composeReport({ ...parts, results, limits, accounts, durationMs }, gate)
}

function overdue(results: readonly Result[], declared: number): readonly Limit[] {
  const stopped = results.filter(({ outcome, reason }) => outcome === 'untested' && reason === 'stopped')
  return [...groupBy(stopped, ({ deployment }) => deployment)].map(([deployment, own]) => ({
    deployment,
    setting: '--max-duration',
    declared,
    notTried: own.map((result) => result.case).toSorted(),
  }))
}

async function endChildren(children: ReadonlySet<number>): Promise<void> {
  if (children.size === 0) return
  const { killTree } = await import('../../../conformance/target/process-tree.js')
  for (const pid of children) killTree(pid)
}
