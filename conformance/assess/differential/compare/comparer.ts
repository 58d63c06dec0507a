import { type PairProbe, PLAIN_LOGIN, probeKey } from '../../../drivers/pair/probe.js'
import { askBoth, type PairSide, type Role, SPENT } from '../../../drivers/pair/service-pair.js'
import type { AnswerPair, ServiceAnswers, ServiceSide } from '../ask/service-side.js'
import { beyondNoise, withGrounds } from '../rules/beyond-noise.js'
import { brokenRules } from '../rules/broken-rules.js'
import { grantsWrongly, isRefusedWrongly, refusesGrant, refusesWrongly } from '../rules/rules-about.js'
import { type AnswerView, type AnswerViews, isUnread, viewsOf, withoutValues } from './answer-view.js'
import { compareAnswers, type PlaceDifference } from './compare-answers.js'
import { type Discrepancy, discrepanciesOf, placeOf } from './discrepancies.js'

/** A probe that shows a discrepancy, and the two answers that show it. */
export interface Witness {
  readonly probe: PairProbe
  readonly discrepancy: Discrepancy
  readonly old: AnswerView
  readonly new: AnswerView
  /**
   * The rules that new breaks by how it refuses a login, or by what it keeps of a registration that it refuses, and old does
   * not; where new grants what old refuses, those that its other tokens keep; where both grant it, all that are about what
   * differs. What explains an outcome, or a change of some answers, explains none of them.
   */
  readonly wrongly: readonly string[]
  /** Whether new breaks a rule by how it refuses a login, whatever old does: where it does not, that is what it mends. */
  readonly isRefusedWrongly: boolean
  /** Whether new refuses a login that the rules have it grant, or refuse otherwise, whatever old does. */
  readonly refusesGrant: boolean
}

export type ProbeComparison =
  | { readonly kind: 'compared'; readonly pair: AnswerPair; readonly witnesses: readonly Witness[] }
  /** The budget of failed logins is used up. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'trouble'; readonly role: Role; readonly reason: string }

export interface Noise {
  readonly at: string
  readonly seen: number
  /** Two of its values. */
  readonly values: readonly [string, string]
}

interface ComparedViews {
  readonly old: readonly AnswerView[]
  readonly now: readonly AnswerView[]
  readonly again: readonly AnswerView[] | undefined
}

/** What a discrepancy is by the rules. */
interface JudgedDiscrepancy {
  /** Why it counts in what varies at the old service. */
  readonly groundsOf: (noise: Discrepancy) => readonly string[]
  /** The rules that new breaks anew by how it refuses, or by what it grants where old refuses. */
  readonly refusedWronglyIn: (discrepancy: Discrepancy) => readonly string[]
  readonly grantedWronglyIn: (discrepancy: Discrepancy) => readonly string[]
  readonly isRefusedWrongly: (discrepancy: Discrepancy) => boolean
  readonly isGrantRefused: (discrepancy: Discrepancy) => boolean
}

/** More are no choice of some, but another in each answer. */
const MAX_VARIANTS = 20

/** Whether new adds a member, or a header, rightly is judged by all answers together. */
const ONE_CHANGE: ReadonlySet<Discrepancy['about']> = new Set(['members', 'headers'])

type UsualFaults = Partial<Readonly<Record<PairSide, ReadonlySet<string>>>>

const NEITHER = 'its answer could not be read as a whole, nor could that of the old one'

/** Compares what both services answer. The old one may be asked twice: where it differs from itself is noise. */
export class Comparer {
  readonly sides: Readonly<Record<Role, ServiceSide>>
  /** Failed logins that are kept for confirming what was found. */
  reserve = 0
  readonly #noise = new Map<string, Noise>()
  /** By place, values of which the old service gives one or another. */
  readonly #variants = new Map<string, readonly ReadonlySet<string>[]>()
  readonly #known = new Map<string, ProbeComparison>()
  #usual: Promise<UsualFaults> | undefined

  constructor(sides: Readonly<Record<Role, ServiceSide>>) {
    this.sides = sides
  }

  get noise(): readonly Noise[] {
    return [...this.#noise.values()]
  }

  /** Without the secrets of any side: a service may show what it was sent for another one. */
  redact<T>(value: T): T {
    const { old, again, new: now } = this.sides
    return [old, again, now].reduce((shown, { run }) => run.redactor.value(shown), value)
  }

  /** @param shown texts that were redacted, for answers after which no secret was added */
  viewsOf(answers: ServiceAnswers, shown = new Map<string, string>()): AnswerViews {
    return viewsOf(answers, (text) => {
      const known = shown.get(text) ?? this.redact(text)
      shown.set(text, known)
      return known
    })
  }

  get loginsLeft(): number {
    return Math.min(this.sides.old.left, this.sides.new.left)
  }

  /** The rules that each side breaks in the answer to a plain login, where both were asked. */
  usualFaults(): Promise<UsualFaults> {
    this.#usual ??= this.compareOnce(PLAIN_LOGIN).then((plain): UsualFaults => {
      if (plain.kind !== 'compared') return {}
      const rulesOf = (answers: ServiceAnswers) => new Set(brokenRules(answers).map(({ rule }) => rule))
      return { old: rulesOf(plain.pair.old), new: rulesOf(plain.pair.new) }
    })
    return this.#usual
  }

  /** @param twice whether the old service is asked twice; where few logins may fail, it is asked once */
  async compare(probe: PairProbe, twice = true): Promise<ProbeComparison> {
    const answers = await askBoth(this.sides, probe, twice)
    if (answers === SPENT) return { kind: 'spent' }
    // Both services answer much alike.
    const shown = new Map<string, string>()
    const old = this.viewsOf(answers.old, shown)
    const now = this.viewsOf(answers.new, shown)
    const again = answers.again && this.viewsOf(answers.again, shown)
    // Of the new service, it is a difference.
    for (const { exchange } of [...answers.old.sent, ...(answers.again?.sent ?? [])])
      if (exchange.unread !== undefined) return { kind: 'trouble', role: 'old', reason: exchange.unread }
    if ('trouble' in old) return { kind: 'trouble', role: 'old', reason: old.trouble }
    if ('trouble' in now) return { kind: 'trouble', role: 'new', reason: now.trouble }
    if (again !== undefined && 'trouble' in again)
      return { kind: 'trouble', role: 'again', reason: again.trouble }
    // What both of them leave unread may differ.
    if (old.some((view, step) => isUnread(view) && now[step] !== undefined && isUnread(now[step])))
      return { kind: 'trouble', role: 'new', reason: NEITHER }
    const measure = [
      { answers: answers.old, views: old },
      ...(answers.again && again ? [{ answers: answers.again, views: again }] : []),
    ]
    const isPlain = probeKey(probe) === probeKey(PLAIN_LOGIN)
    const usual =
      !isPlain && old.some((view, step) => isLetIn(view, now[step])) ? await this.usualFaults() : {}
    const witnesses = this.#compareSteps(
      probe,
      { old, now, again },
      {
        groundsOf: (noise) => beyondNoise(measure, { answers: answers.new, views: now }, noise),
        refusedWronglyIn: (discrepancy) =>
          refusesWrongly(
            measure.map((one) => one.answers),
            answers.new,
            discrepancy,
          ),
        grantedWronglyIn: (discrepancy) => grantsWrongly(answers.new, discrepancy, usual.new),
        isRefusedWrongly: (discrepancy) => isRefusedWrongly(answers.new, discrepancy),
        isGrantRefused: (discrepancy) => refusesGrant(answers.new, discrepancy),
      },
    )
    const compared = { kind: 'compared', witnesses, pair: { old: answers.old, new: answers.new } } as const
    // Shrinking asks for it again.
    if (witnesses.length > 0) this.#known.set(probeKey(probe), compared)
    return compared
  }

  /** Without what varies at the old service in other answers, where more than that differs: the cause is the rest. */
  withoutNoise(witness: Witness): Witness {
    const { discrepancy, old, new: now } = witness
    const { about, step, differences } = discrepancy
    // What varies alone, that is: a status that varies with an outcome, as of a name that is taken by then, says nothing here.
    const steady = differences.filter((one) => !this.#variants.has(placeOf(one)))
    if (about === 'fate' || steady.length === differences.length) return witness
    // By chance, the old service answered alike each time: what counts beside its other answers is which rules new breaks.
    if (steady.length === 0) {
      const grounds = (areBothGranted(witness) ? [] : witness.wrongly).map((rule) => `breaks ${rule}`)
      return grounds.length === 0 ? witness : { ...witness, discrepancy: withGrounds(discrepancy, grounds) }
    }
    const [own = discrepancy] = discrepanciesOf(step, steady, old, now)
    return { ...witness, discrepancy: own }
  }

  /** The same, sent once for each probe. */
  async compareOnce(probe: PairProbe): Promise<ProbeComparison> {
    const key = probeKey(probe)
    let compared = this.#known.get(key)
    if (compared === undefined) {
      if (probe.mayFail && this.loginsLeft <= this.reserve) return { kind: 'spent' }
      compared = await this.compare(probe, false)
      this.#known.set(key, compared)
    }
    if (compared.kind !== 'compared') return compared
    return { ...compared, witnesses: compared.witnesses.map((witness) => this.withoutNoise(witness)) }
  }

  #compareSteps(
    probe: PairProbe,
    { old, now, again }: ComparedViews,
    { groundsOf, refusedWronglyIn, grantedWronglyIn, ...judged }: JudgedDiscrepancy,
  ): readonly Witness[] {
    const found: Witness[] = []
    for (const [step, view] of old.entries()) {
      const other = now[step]
      if (other === undefined) break
      const self = again?.[step]
      const noise = self === undefined ? [] : compareAnswers(view, self)
      this.addNoise(noise)
      const places = new Set(noise.map(({ at }) => at))
      // All of an answer comes with its fate.
      const isFateNoise = places.has('outcome')
      const differences = compareAnswers(view, other)
      // Asked once, as while it is made smaller: what varies was seen before.
      if (self === undefined)
        for (const { at } of differences.filter((one) => one.at.startsWith('/') && this.isNoisy(one)))
          places.add(at)
      const [steady, noisy] = [false, true].map((isNoise) =>
        differences.filter(({ at }) => (isFateNoise || places.has(at)) === isNoise),
      ) as [PlaceDifference[], PlaceDifference[]]
      const [bare, otherBare] = [withoutValues(view, places), withoutValues(other, places)]
      const known = discrepanciesOf(step, steady, bare, otherBare)
      const isKnown = ({ about }: Discrepancy): boolean =>
        about !== 'value' && known.some((one) => one.about === about)
      const counting = discrepanciesOf(step, noisy, view, other).flatMap((one) => {
        const grounds = isKnown(one) ? [] : groundsOf(one)
        return grounds.length === 0 ? [] : [withGrounds(one, grounds)]
      })
      // Where the connection ends, nothing is said of the request.
      const isRefusal = other.fate === 'refused' && /^\d/.test(other.status)
      const witnessOf = (discrepancy: Discrepancy, own: AnswerView, now: AnswerView): Witness => ({
        ...{ probe, discrepancy, old: own, new: now },
        wrongly: isRefusal
          ? refusedWronglyIn(discrepancy)
          : other.fate === 'granted' && !ONE_CHANGE.has(discrepancy.about)
            ? grantedWronglyIn(discrepancy)
            : [],
        isRefusedWrongly: isRefusal && judged.isRefusedWrongly(discrepancy),
        refusesGrant: isRefusal && judged.isGrantRefused(discrepancy),
      })
      found.push(...known.map((discrepancy) => witnessOf(discrepancy, bare, otherBare)))
      found.push(...counting.map((discrepancy) => witnessOf(discrepancy, view, other)))
      // After a fate that differs, also by chance, later steps show nothing.
      if (isFateNoise || view.fate !== other.fate) break
    }
    return found
  }

  /** @param noise in what one answer of the old service differs from another */
  addNoise(noise: readonly PlaceDifference[], isCounted: (at: string) => boolean = () => true): void {
    // All of an answer comes with its fate: no status varies where a name is taken the second time.
    const isFate = noise.some(({ at }) => at === 'outcome')
    for (const difference of noise.filter(({ at }) => isCounted(at))) {
      const at = placeOf(difference)
      const { seen = 0, values = [difference.old, difference.new] as const } = this.#noise.get(at) ?? {}
      this.#noise.set(at, { at, seen: seen + 1, values })
      if (!isFate || at === 'outcome') this.#addVariants(at, difference)
    }
  }

  #addVariants(at: string, difference: PlaceDifference): void {
    const known = this.#variants.get(at) ?? []
    const isOf = (variants: ReadonlySet<string>): boolean =>
      variants.has(difference.old) || variants.has(difference.new)
    const joined = known.filter(isOf).flatMap((variants) => [...variants])
    if (joined.length < MAX_VARIANTS)
      this.#variants.set(at, [
        ...known.filter((variants) => !isOf(variants)).slice(0, MAX_VARIANTS),
        new Set([...joined, difference.old, difference.new]),
      ])
  }

  isNoisy(difference: PlaceDifference): boolean {
    return this.#noise.has(placeOf(difference))
  }

  /** All values between which the old service varies in a place, where that one is among them; else that one alone. */
  variantsOf(at: string, value: string): string {
    const variants = this.#variants.get(placeOf({ at }))?.find((one) => one.has(value))
    return variants === undefined ? value : [...variants].sort().join(' or ')
  }
}

/** What new breaks in such an answer, old may break by what varies, too. */
export function areBothGranted({ old, new: now }: Witness): boolean {
  return old.fate === 'granted' && now.fate === 'granted'
}

function isLetIn(old: AnswerView, now: AnswerView | undefined): boolean {
  return old.fate === 'refused' && now?.fate === 'granted'
}
