import { SUITE } from '../../../../reports/model/compose-report.js'
import type { Differential, Finding } from '../../../../spec/generated/types/differential.js'
import { inParallel } from '../../../../spec/model/items.js'
import type { Specification } from '../../../../spec/model/specification.js'
import { Experiment } from '../../../drivers/pair/experiment.js'
import { keyOf, PLAIN, type Probe, probeOf } from '../../../drivers/pair/probe.js'
import { openSide, type Side } from '../../../drivers/pair/side.js'
import type { Deployment, Target } from '../../../target/deployment.js'
import type { Difference } from '../compare/compare.js'
import { type Group, groupByCause } from '../group/groups.js'
import { findingOf, type Pair, showBy } from '../report/finding.js'
import { titleOf } from '../report/title.js'
import type { Shown } from '../shrink/reasons.js'
import type { Smallest } from '../shrink/shrink.js'
import { planProbes } from './probes.js'
import { compareTokens, FEW_TOKENS, MANY_TOKENS, sampleTokens } from './tokens.js'

/** A service to compare: one deployment of a target. */
export interface Compare {
  readonly target: Target
  readonly deployment: Deployment
}

export interface DifferentialOptions {
  /** 32 bits; random unless given. */
  readonly seed?: number
  /** Requests to make up; default 1000. */
  readonly runs?: number
  /** Requests at the same time, for each side; default 8. */
  readonly concurrency?: number
  /** A second instance of the old service, to measure its noise by. Default: the old service once more. */
  readonly again?: Compare
  /** Compare this alone: a finding of another run. */
  readonly replay?: Probe
  /** Stops it; what was found is reported. */
  readonly signal?: AbortSignal
  readonly specification?: Specification
}

const DEFAULT_RUNS = 1000
const DEFAULT_CONCURRENCY = 8
/** Of failed logins that are few, so many are for making differences small and for asking again. */
const RESERVED = 0.5

/** Asks both services the same, and reports what a client will notice: each difference by its cause, as small as it can be. */
export async function findDifferences(
  old: Compare,
  now: Compare,
  given: DifferentialOptions = {},
): Promise<Differential> {
  const startedAt = new Date()
  const begin = performance.now()
  const { runs = DEFAULT_RUNS, concurrency = DEFAULT_CONCURRENCY, signal, specification } = given
  const seed = given.seed ?? Math.floor(Math.random() * 2 ** 31)
  const common = {
    seed,
    concurrency,
    ...(signal === undefined ? {} : { signal }),
    ...(specification === undefined ? {} : { specification }),
  }
  const { again: second = old } = given
  const oldSide = openSide('old', old.target, old.deployment, common)
  const sides = {
    old: oldSide,
    again: openSide('again', second.target, second.deployment, { ...common, logins: oldSide.logins }),
    new: openSide('new', now.target, now.deployment, common),
  }
  const experiment = new Experiment(sides)
  const search = new Search(experiment, concurrency)
  try {
    const obstacles = await Promise.all([sides.old.obstacle(), sides.new.obstacle(), sides.again.obstacle()])
    const problems = obstacles.flatMap((reason, index) =>
      reason === undefined
        ? []
        : [`${['the old service', 'the new service', 'the old service'][index]}: ${reason}`],
    )
    if (problems.length > 0) search.inconclusive.push(...new Set(problems))
    else {
      const probes =
        given.replay === undefined
          ? planProbes([sides.old.session, sides.new.session], seed, runs)
          : [given.replay]
      await search.explore(probes)
      // The finding on tokens has the plain login as its request.
      if (given.replay === undefined || keyOf(given.replay) === keyOf(PLAIN_LOGIN))
        await search.compareTokens()
      await search.settle()
    }
  } finally {
    await Promise.all(Object.values(sides).map((side) => side.close()))
  }
  const show = showBy(Object.values(sides))
  const { findings, flaky, inconclusive, notes, asked } = search
  const requests = (...own: readonly Side[]): number =>
    own.reduce((sum, { session }) => sum + session.executor.trouble.requests, 0)
  return {
    schemaVersion: 1,
    suite: SUITE,
    old: { baseUrl: old.deployment.shownBaseUrl, requests: requests(sides.old, sides.again) },
    new: { baseUrl: now.deployment.shownBaseUrl, requests: requests(sides.new) },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - begin),
    seed,
    runs,
    verdict:
      findings.length > 0 ? 'different' : flaky.length + inconclusive.length > 0 ? 'inconclusive' : 'same',
    asked,
    findings,
    ...show({ noise: experiment.noise, flaky, inconclusive: [...new Set(inconclusive)], notes }),
  }
}

/** What is known so far. */
class Search {
  readonly findings: Finding[] = []
  readonly flaky: { title: string; request: string }[] = []
  readonly inconclusive: string[] = []
  readonly notes: string[] = []
  asked = 0
  readonly #experiment: Experiment
  readonly #workers: number
  #shown: Shown[] = []
  readonly #pairs = new Map<Probe, Pair>()
  #leftOut = 0

  constructor(experiment: Experiment, workers: number) {
    this.#experiment = experiment
    this.#workers = workers
  }

  get #isStopped(): boolean {
    return this.#experiment.old.run.signal.aborted
  }

  /** First all that logs in well, several at a time; then what may be failed logins, one at a time. */
  async explore(probes: readonly Probe[]): Promise<void> {
    await inParallel(
      probes.filter(({ mayFail }) => !mayFail),
      this.#workers,
      (probe) => this.#ask(probe, true),
    )
    const { old, new: now } = this.#experiment
    const few = Math.min(old.left, now.left)
    const reserve = Number.isFinite(few) ? Math.ceil(few * RESERVED) : 0
    this.#experiment.reserve = Math.floor(reserve / 3)
    for (const probe of probes.filter(({ mayFail }) => mayFail)) {
      if (Math.min(old.left, now.left) <= reserve && reserve > 0) this.#leftOut++
      else await this.#ask(probe, reserve === 0)
    }
    if (this.#leftOut > 0)
      this.notes.push(
        `${this.#leftOut} requests that may be failed logins were left out: declare \`registration\`, so that new accounts bear them, or a larger \`maxFailedLogins\`.`,
      )
    if (this.#isStopped) this.inconclusive.push('it was stopped')
  }

  async #ask(probe: Probe, twice: boolean): Promise<void> {
    if (this.#isStopped) return
    let compared = await this.#experiment.compare(probe, twice)
    if (compared.kind === 'trouble') compared = await this.#experiment.compare(probe, twice)
    if (compared.kind === 'spent') this.#leftOut++
    if (compared.kind === 'trouble')
      this.inconclusive.push(`${compared.role === 'new' ? 'the new' : 'the old'} service: ${compared.reason}`)
    if (compared.kind !== 'compared') return
    this.asked++
    for (const part of compared.parts) this.#shown.push({ probe, part })
    if (compared.parts.length > 0) this.#pairs.set(probe, compared)
  }

  /** Of many tokens together: what one answer does not show. */
  async compareTokens(): Promise<void> {
    const { old, again, new: now } = this.#experiment
    const few = [await sampleTokens(old, FEW_TOKENS), await sampleTokens(now, FEW_TOKENS)] as const
    if (compareTokens(...few).length === 0) return
    const more = async (side: Side, known: readonly string[] = []) => [
      ...known,
      ...(await sampleTokens(side, MANY_TOKENS)),
    ]
    const [a, b, c] = [await more(old, few[0]), await more(now, few[1]), await more(again)]
    const noise = compareTokens(a, c).map(({ at }) => at)
    const differences = compareTokens(a, b).filter(({ at }) => !noise.includes(at))
    if (differences.length === 0) return
    const signature = `tokens ${differences.map(({ at }) => at).join()}`
    const part = { about: 'value', step: 0, signature, differences } as const
    const smallest: Smallest = { probe: PLAIN_LOGIN, part, tried: 0, limited: false }
    // That two answers have the same token, or not, is the same difference.
    const same = this.#shown.filter((shown) =>
      shown.part.differences.every(({ at }) => at === '/access_token'),
    )
    this.#shown = this.#shown.filter((shown) => !same.includes(shown))
    const group: Group = { key: signature, smallest, others: [], also: [], behind: [smallest, ...same] }
    this.findings.push(await findingOf(this.#experiment, group, smallest, (probe) => this.#pairs.get(probe)))
  }

  /** Makes the differences small, joins those of one cause, and asks again for each whether it lasts. */
  async settle(): Promise<void> {
    const inOrder = this.#shown.toSorted((a, b) => (a.probe.id < b.probe.id ? -1 : 1))
    const groups = await groupByCause(this.#experiment, inOrder)
    const headers = groups.flatMap(({ smallest: { part } }) =>
      part.about === 'headers' ? part.differences : [],
    )
    const isKnown = (one: Difference): boolean =>
      headers.some(({ at, old, new: now }) => at === one.at && old === one.old && now === one.new)
    for (const group of groups) {
      if (this.#isStopped) return
      await this.#settleGroup(group, isKnown)
    }
    this.findings.sort((a, b) => RANK.indexOf(a.class) - RANK.indexOf(b.class) || b.behind - a.behind)
  }

  async #settleGroup(group: Group, isKnown: (one: Difference) => boolean): Promise<void> {
    let flaky: Smallest | undefined
    for (const smallest of [group.smallest, ...group.others].slice(0, MAX_SETTLED)) {
      const how = await this.#experiment.settle(smallest.probe, smallest.part)
      if (how === 'steady') {
        this.findings.push(
          await findingOf(this.#experiment, group, smallest, (probe) => this.#pairs.get(probe), isKnown),
        )
        return
      }
      const title = titleOf(smallest.part, smallest.probe, smallest.part.step)
      if (how === 'flaky') flaky ??= smallest
      else if (how === 'spent')
        this.inconclusive.push(`the budget of failed logins is used up before it was clear whether ${title}`)
      else if (how !== 'noise') this.inconclusive.push(`the ${how.side} service: ${how.trouble}`)
    }
    if (flaky === undefined) return
    const { part, probe } = flaky
    this.flaky.push({ title: titleOf(part, probe, part.step), request: group.key })
  }
}

const PLAIN_LOGIN = probeOf('tokens', [{ send: PLAIN }])

const RANK: readonly Finding['class'][] = ['breaks', 'both', 'mends', 'silent']
const MAX_SETTLED = 3
