import { ruleStates, type State } from '../../reports/formats/shared/outcomes.js'
import type { Counts, Report, Result, Verdict } from '../../spec/model/report.js'

/** What a list of reports shows of one: little, so that a folder of any size fits in memory. */
export interface HistoryEntry {
  /** Of its file, for an address. */
  readonly id: string
  readonly file: string
  readonly target: string
  /** Of its deployments. */
  readonly addresses: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly verdict: Verdict
  readonly counts: Counts
  /** Whether a selection left rules out. */
  readonly isPart: boolean
  readonly states: ReadonlyMap<string, State>
}

export function entryOf(id: string, file: string, report: Report): HistoryEntry {
  const { target, startedAt, durationMs, verdict, counts, selection, rules } = report
  const stateOf = ruleStates(report)
  return {
    id,
    file,
    target: target.name,
    addresses: target.deployments.map(({ baseUrl }) => baseUrl).join(' '),
    startedAt,
    durationMs,
    verdict,
    counts,
    isPart: Object.keys(selection ?? {}).length > 0,
    states: new Map(rules.map((rule) => [rule.id, stateOf(rule)])),
  }
}

/** What the last run says of a rule that an earlier one did not. */
export type Turn = 'new' | 'fixed' | undefined

export interface RuleLine {
  readonly rule: string
  /** For each run, the oldest first; undefined: a version of the suite that does not have the rule. */
  readonly states: readonly (State | undefined)[]
  readonly turn: Turn
}

/** The runs of one target under its newest name, the oldest first, and a line for each rule that failed in one of them. */
export interface Timeline {
  readonly target: string
  readonly runs: readonly HistoryEntry[]
  readonly lines: readonly RuleLine[]
  /** How many rules could not be judged, for each run: an outage concerns all of them. */
  readonly inconclusive: readonly number[]
  /** Rules that passed in each run that judged them. */
  readonly alwaysGreen: number
}

const MAX_RUNS = 30

/** A timeline for each target, the one that ran last first. Runs of a part are left out: they say nothing of the others. */
export function timelines(entries: readonly HistoryEntry[]): readonly Timeline[] {
  const whole = byDate(entries.filter(({ isPart }) => !isPart))
  return byTarget(whole)
    .map((runs) => timelineOf(runs.at(-1)?.target ?? '', runs.slice(-MAX_RUNS)))
    .toSorted((a, b) => compareDates(b.runs.at(-1), a.runs.at(-1)))
}

/**
 * The runs of each target. One name that follows another at the same addresses is the new name of that target, unless the
 * former comes again: then two services take turns there.
 */
function byTarget(runs: readonly HistoryEntry[]): readonly (readonly HistoryEntry[])[] {
  const lastOf = new Map(runs.map(({ target }, index) => [target, index]))
  const groups = new Map<string, HistoryEntry[]>()
  for (const [index, run] of runs.entries()) {
    const isRenamed = (group: readonly HistoryEntry[]): boolean => {
      const { addresses, target } = group.at(-1) ?? run
      return addresses === run.addresses && (lastOf.get(target) ?? index) < index
    }
    const own = groups.get(run.target) ?? [...new Set(groups.values())].findLast(isRenamed) ?? []
    own.push(run)
    groups.set(run.target, own)
  }
  return [...new Set(groups.values())]
}

export function byDate(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.toSorted(compareDates)
}

function compareDates(a: HistoryEntry | undefined, b: HistoryEntry | undefined): number {
  return (a?.startedAt ?? '') < (b?.startedAt ?? '') ? -1 : 1
}

const RED: readonly (State | undefined)[] = ['failed', 'warning']
const TELLING: readonly (State | undefined)[] = ['failed', 'warning', 'waived']

function timelineOf(target: string, runs: readonly HistoryEntry[]): Timeline {
  const rules = [...new Set(runs.flatMap(({ states }) => [...states.keys()]))]
  const all = rules.map((rule): RuleLine => {
    const states = runs.map((run) => run.states.get(rule))
    return { rule, states, turn: turnOf(states) }
  })
  const lines = all.filter(({ states }) => states.some((state) => TELLING.includes(state)))
  const green = all.filter((line) => !lines.includes(line) && line.states.includes('passed'))
  const inconclusive = runs.map(
    ({ states }) => [...states.values()].filter((state) => state === 'cantTell').length,
  )
  return { target, runs, lines, inconclusive, alwaysGreen: green.length }
}

function turnOf(states: readonly (State | undefined)[]): Turn {
  const [before, last] = [states.at(-2), states.at(-1)]
  if (states.length < 2 || before === undefined) return undefined
  if (RED.includes(last) && !RED.includes(before)) return 'new'
  return last === 'passed' && RED.includes(before) ? 'fixed' : undefined
}

/** A report without the exchanges of what passed: most of its size, and nothing that anyone looks up later. */
export function slimReport(report: Report): Report {
  const isTelling = ({ outcome }: Result): boolean => outcome === 'failed' || outcome === 'cantTell'
  const slim = (result: Result): Result => (isTelling(result) ? result : withoutEvidence(result))
  return { ...report, results: report.results.map(slim) }
}

export function withoutEvidence(result: Result): Result {
  return {
    ...result,
    exchanges: [],
    judgements: result.judgements.map(({ exchanges: _, ...judgement }) => judgement),
  }
}
