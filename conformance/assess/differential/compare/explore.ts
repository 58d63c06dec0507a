import { inParallel } from '../../../../spec/model/items.js'
import type { PairProbe } from '../../../drivers/pair/probe.js'
import { COMMON } from '../ask/plan-probes.js'
import { type AnswerPair, serviceName } from '../ask/service-side.js'
import type { Comparer, Witness } from './comparer.js'

/** What the probes show before anything is shrunk. */
export interface Exploration {
  readonly asked: number
  /** In the order in which the probes were planned. */
  readonly witnesses: readonly Witness[]
  readonly answers: ReadonlyMap<PairProbe, AnswerPair>
  readonly inconclusive: readonly string[]
  /** Probes that were not sent, because they may be failed logins. */
  readonly leftOut: number
}

export const STOPPED = 'the comparison was stopped'

/** Of the failed logins that are allowed, so many are kept for confirming what was found. */
const RESERVED = 0.2

/**
 * Sends every probe to both sides, several at a time: first logins that must succeed, then possible failed logins. These go
 * one by one where only so many may fail.
 */
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
    witnesses.push(...compared.witnesses)
    if (compared.witnesses.length > 0) answers.set(probe, compared.pair)
  }
  const good = probes.filter(({ mayFail }) => !mayFail)
  // A login is sent hundreds of times, a sign-in through a provider once: what it leaves behind shows in the next one.
  const again = good.filter(({ testCase }) => testCase.steps.some(({ signIn }) => signIn !== undefined))
  await inParallel([...good, ...again], concurrency, (probe) => ask(probe, true))
  const { loginsLeft } = comparer
  const reserve = Number.isFinite(loginsLeft) ? Math.ceil(loginsLeft * RESERVED) : 0
  comparer.reserve = reserve
  const failing = probes.filter(({ mayFail }) => mayFail)
  await inParallel(
    reserve === 0 ? failing : likeliestFirst(failing),
    Number.isFinite(loginsLeft) ? 1 : concurrency,
    async (probe) => {
      if (reserve > 0 && comparer.loginsLeft <= reserve) leftOut++
      else await ask(probe, reserve === 0)
    },
  )
  if (signal.aborted) inconclusive.push(STOPPED)
  const order = new Map(probes.map((probe, place) => [probe, place]))
  const placeOf = ({ probe }: Witness): number => order.get(probe) ?? probes.length
  witnesses.sort((a, b) => placeOf(a) - placeOf(b))
  const found = witnesses.map((witness) => comparer.withoutNoise(witness))
  return { asked, witnesses: found, answers, inconclusive, leftOut }
}

/**
 * The plain refusals, then of each case as many as its share of the failed logins, which are its nearest misses. The first
 * of every case come before the second of any.
 */
function likeliestFirst(probes: readonly PairProbe[]): readonly PairProbe[] {
  const taken = new Map<string, number>()
  const ranked = probes.map((probe) => {
    const { id, testCase } = probe
    const before = taken.get(id) ?? 0
    taken.set(id, before + 1)
    const { failedLoginShare } = testCase
    if (id === COMMON) return { probe, rank: -1 }
    return { probe, rank: failedLoginShare === undefined ? 1 : Math.min(before / failedLoginShare, 1) }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ probe }) => probe)
}
