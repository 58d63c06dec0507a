import { compareViews, type Difference } from '../../assess/differential/compare/compare.js'
import { type Part, partsOf } from '../../assess/differential/compare/parts.js'
import { type View, viewsOf } from '../../assess/differential/compare/view.js'
import { keyOf, type Probe } from './probe.js'
import { type Asked, type Role, type Side, SPENT } from './side.js'

/** What the two sides made of a probe. */
export type Compared =
  | { readonly kind: 'compared'; readonly parts: readonly Part[]; readonly old: Asked; readonly new: Asked }
  /** The budget of failed logins allows it no more. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'trouble'; readonly role: Role; readonly reason: string }

/** A place in which the old side differs from itself. */
export interface Noise {
  readonly at: string
  readonly seen: number
  /** Two of its values. */
  readonly values: readonly [string, string]
}

/** How a difference turns out when it is asked for several times. */
export type Steadiness =
  | 'steady'
  | 'noise'
  | 'flaky'
  | 'spent'
  | { readonly side: 'old' | 'new'; readonly trouble: string }

const ROUNDS = 6
/** Of a load-balanced pair, so many answers hardly ever come from one. */
const MORE_ROUNDS = 14

/** Both sides under the same requests. The old one is asked twice: what differs from itself is noise. */
export class Experiment {
  readonly old: Side
  readonly again: Side
  readonly new: Side
  /** Failed logins that are kept for asking again whether a difference lasts. */
  reserve = 0
  readonly #noise = new Map<string, Noise>()
  readonly #known = new Map<string, Compared>()

  constructor(sides: { readonly old: Side; readonly again: Side; readonly new: Side }) {
    this.old = sides.old
    this.again = sides.again
    this.new = sides.new
  }

  get noise(): readonly Noise[] {
    return [...this.#noise.values()]
  }

  /** @param twice whether the old side is asked twice; where failed logins are few, it is asked once */
  async compare(probe: Probe, twice = true): Promise<Compared> {
    const [old, now, again] = await Promise.all([
      this.old.ask(probe),
      this.new.ask(probe),
      twice ? this.again.ask(probe) : undefined,
    ])
    if (old === SPENT || now === SPENT || again === SPENT) return { kind: 'spent' }
    const views = { old: viewsOf(old), new: viewsOf(now), again: again && viewsOf(again) }
    for (const [role, own] of Object.entries(views))
      if (own !== undefined && 'trouble' in own)
        return { kind: 'trouble', role: role as Role, reason: own.trouble }
    const { old: a, new: b, again: c } = views as Record<Role, readonly View[] | undefined>
    const compared = { kind: 'compared', parts: this.#partsOf(a ?? [], b ?? [], c), old, new: now } as const
    // Asked for again where it is made small, and where causes are compared.
    if (compared.parts.length > 0) this.#known.set(keyOf(probe), compared)
    return compared
  }

  /** The same, asked once for each probe. */
  async show(probe: Probe): Promise<Compared> {
    const key = keyOf(probe)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (probe.mayFail && Math.min(this.old.left, this.new.left) <= this.reserve) return { kind: 'spent' }
    const compared = await this.compare(probe, false)
    this.#known.set(key, compared)
    return compared
  }

  #partsOf(old: readonly View[], now: readonly View[], again: readonly View[] | undefined): readonly Part[] {
    const parts: Part[] = []
    for (const [step, view] of old.entries()) {
      const other = now[step]
      if (other === undefined) break
      const self = again?.[step]
      const noise = self === undefined ? [] : compareViews(view, self)
      for (const difference of noise) this.#hear(difference)
      const places = new Set(noise.map(({ at }) => at))
      // Another fate by chance, and nothing that follows says anything.
      if (places.has('fate')) break
      const differences = compareViews(view, other).filter(({ at }) => !places.has(at))
      parts.push(...partsOf(step, differences, view, other))
      if (view.fate !== other.fate) break
    }
    return parts
  }

  #hear({ at, old, new: other }: Difference): void {
    const place = at.replace(/\/\d+/g, '/*')
    const before = this.#noise.get(place)
    this.#noise.set(place, {
      at: place,
      seen: (before?.seen ?? 0) + 1,
      values: before?.values ?? [old, other],
    })
  }

  /** Asks again, every other time on connections of its own, until it is clear whether the difference is one. */
  async settle(probe: Probe, part: Part): Promise<Steadiness> {
    const seen: { readonly old: View[]; readonly new: View[] } = { old: [], new: [] }
    const { step } = part
    const askOne = async (side: 'old' | 'new', round: number): Promise<Steadiness | undefined> => {
      const asked = await this[side].ask(probe, round % 2 === 1)
      if (asked === SPENT) return 'spent'
      const views = viewsOf(asked)
      if ('trouble' in views) return { side, trouble: views.trouble }
      const view = views[step]
      if (view !== undefined) seen[side].push(view)
      return undefined
    }
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [await askOne('old', round), await askOne('new', round)]
      // Twice each is the least that tells anything.
      if ((a === 'spent' || b === 'spent') && round >= 2) break
      const problem = a ?? b
      if (problem !== undefined) return problem
    }
    const verdict = judge()
    const isSuspect = part.differences.some(({ at }) => this.#noise.has(at.replace(/\/\d+/g, '/*')))
    if (verdict === 'noise' || (verdict === 'steady' && !isSuspect))
      return this.#settled(verdict, seen.old, part)
    for (let round = 0; round < MORE_ROUNDS; round++) if ((await askOne('old', round)) !== undefined) break
    return this.#settled(judge(), seen.old, part)

    function judge(): 'steady' | 'noise' | 'flaky' {
      const isSame = (a: View, b: View): boolean => !partsOf(step, compareViews(a, b), a, b).some(overlaps)
      const [first] = seen.old
      if (first !== undefined && seen.old.some((view) => !isSame(first, view))) return 'noise'
      return seen.new.some((view) => first !== undefined && isSame(first, view)) ? 'flaky' : 'steady'
    }

    function overlaps(other: Part): boolean {
      if (other.about === 'fate' || part.about === 'fate') return other.about === part.about
      return other.differences.some(({ at }) => part.differences.some((own) => own.at === at))
    }
  }

  #settled(verdict: 'steady' | 'noise' | 'flaky', views: readonly View[], part: Part): Steadiness {
    if (verdict !== 'noise') return verdict
    const [first, ...others] = views
    for (const view of others)
      for (const difference of first === undefined ? [] : compareViews(first, view))
        if (part.differences.some(({ at }) => at === difference.at)) this.#hear(difference)
    return verdict
  }
}
