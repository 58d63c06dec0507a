import { groupBy } from '../../../../spec/model/items.js'
import { factId, factValue, type ObservedFact } from '../facts/observed-fact.js'

/** A fact beside what the old service shows. */
export interface JudgedFact {
  readonly fact: ObservedFact
  /** What the old service shows, in words. */
  readonly expected?: string
  readonly differs: boolean
}

export interface JudgedFacts {
  readonly facts: readonly JudgedFact[]
  /** Why something could not be compared. */
  readonly inconclusive: readonly string[]
}

/**
 * What the new service lacks and the old one does not is a difference. So is a refresh token that works once at one of
 * them and twice at the other, whichever it is: clients depend on both.
 */
export function judgeFacts(facts: readonly ObservedFact[]): JudgedFacts {
  const olds = groupBy(
    facts.filter(({ side }) => side === 'old'),
    keyOf,
  )
  const judged = facts.map((fact): JudgedFact & { readonly inconclusive?: string } => {
    const isCompared = fact.side === 'new' && fact.about !== 'refresh-other'
    const alike = isCompared ? (olds.get(keyOf(fact)) ?? renewalsOfOne(fact, olds)) : []
    const [first] = alike
    if (first === undefined) return { fact, differs: false }
    const id = factId(fact)
    if (fact.isUnanswered) return { fact, differs: false, inconclusive: `${id}: ${factValue(fact)}` }
    const known = new Set(alike.flatMap(({ faults }) => faults))
    const lacks = fact.faults.some((fault) => !known.has(fault))
    const isOther = fact.about === 'refresh-twice' && alike.every((old) => factValue(old) !== factValue(fact))
    return { fact, expected: factValue(first), differs: lacks || isOther }
  })
  return {
    facts: judged.map(({ inconclusive: _, ...one }) => one),
    inconclusive: [
      ...[...withoutMeasure(facts)].map(
        (name) => `${name} accepts a token that no one issued: check \`resource\``,
      ),
      ...judged.flatMap(({ inconclusive }) => inconclusive ?? []),
    ],
  }
}

/** An old service of one instance renews whatever it is sent: its clients were never refused for where they were sent. */
function renewalsOfOne(
  { about, like }: ObservedFact,
  olds: ReadonlyMap<string, readonly ObservedFact[]>,
): readonly ObservedFact[] {
  if (about !== 'refresh-instance') return []
  const renewed = olds.get(keyOf({ about: 'refresh-rotation', like })) ?? []
  return renewed.map((old) => ({ ...old, faults: [], otherwise: 'renews its own, as its one instance' }))
}

function keyOf({ about, like }: Pick<ObservedFact, 'about' | 'like'>): string {
  return JSON.stringify([about, like])
}

/** The acceptors that are no measure of the new service: they accept what no one issued. */
export function withoutMeasure(facts: readonly ObservedFact[]): ReadonlySet<string> {
  return new Set(facts.flatMap(({ of, ...fact }) => (acceptsAny(fact) ? [of] : [])))
}

function acceptsAny({ about, side, faults }: Omit<ObservedFact, 'of'>): boolean {
  return about === 'bad-token' && side !== 'new' && faults.some((fault) => fault.startsWith('accepted'))
}
