import { inParallel } from '../../../../spec/model/items.js'
import type { PairProbe } from '../../../drivers/pair/probe.js'
import { serviceName } from '../ask/service-side.js'
import type { AnswerPair, Comparer } from './comparer.js'
import type { Discrepancy } from './discrepancies.js'

/** A probe that shows a discrepancy. */
export interface Witness {
  readonly probe: PairProbe
  readonly discrepancy: Discrepancy
}

/** What the probes show before anything is shrunk. */
export interface Exploration {
  /** How many probes were compared. */
  readonly asked: number
  /** In the order of the probes' ids. */
  readonly witnesses: readonly Witness[]
  /** The answers to each probe that shows a discrepancy. */
  readonly answers: ReadonlyMap<PairProbe, AnswerPair>
  /** Why some probes could not be compared. */
  readonly inconclusive: readonly string[]
  /** Probes that were not sent, because they may be failed logins. */
  readonly leftOut: number
}

export const STOPPED = 'the comparison was stopped'

/** Of the failed logins that are allowed, so many are kept for shrinking and confirming. */
const RESERVED = 0.5

/** Sends every probe to both sides: first logins that must succeed, several at a time; then possible failed logins, one by one. */
export async function explore(
  comparer: Comparer,
  probes: readonly PairProbe[],
  concurrency: number,
): Promise<Exploration> {
  const { signal } = comparer.sides.old.run
  const witnesses: Witness[] = []
  const answers = new Map<PairProbe, AnswerPair>()
  const inconclusive: string[] = []
  let [asked, leftOut] = [0, 0]
  const ask = async (probe: PairProbe, twice: boolean): Promise<void> => {
    if (signal.aborted) return
    let compared = await comparer.compare(probe, twice)
    if (compared.kind === 'trouble') compared = await comparer.compare(probe, twice)
    if (compared.kind === 'spent') leftOut++
    if (compared.kind === 'trouble') inconclusive.push(`${serviceName(compared.role)}: ${compared.reason}`)
    if (compared.kind !== 'compared') return
    asked++
    for (const discrepancy of compared.discrepancies) witnesses.push({ probe, discrepancy })
    if (compared.discrepancies.length > 0) answers.set(probe, compared)
  }
  const good = probes.filter(({ mayFail }) => !mayFail)
  await inParallel(good, concurrency, (probe) => ask(probe, true))
  const { loginsLeft } = comparer
  const reserve = Number.isFinite(loginsLeft) ? Math.ceil(loginsLeft * RESERVED) : 0
  comparer.reserve = Math.floor(reserve / 3)
  for (const probe of probes.filter(({ mayFail }) => mayFail))
    if (reserve > 0 && comparer.loginsLeft <= reserve) leftOut++
    else await ask(probe, reserve === 0)
  if (signal.aborted) inconclusive.push(STOPPED)
  witnesses.sort((a, b) => (a.probe.id < b.probe.id ? -1 : 1))
  return { asked, witnesses, answers, inconclusive, leftOut }
}
