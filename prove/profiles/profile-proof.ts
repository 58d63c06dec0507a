import type { Mutant } from '../mutants/mutant.js'
import type { Variant } from '../variants/variant.js'

/** What shows that the rules of a profile are judged. */
export interface ProfileProof {
  readonly mutants: readonly Mutant[]
  readonly variants: readonly Variant[]
  /** Rules that no server of `prove` can break, each with the test that sees it red. */
  readonly shownElsewhere: Readonly<Record<string, string>>
}

/** Every mutant of a profile is that behaviour, which passes, with one decision changed. */
export function changing(base: Variant, mutants: readonly Mutant[]): readonly Mutant[] {
  return mutants.map((mutant) => ({
    ...mutant,
    options: { ...base.options, ...mutant.options },
    behaviour: () => ({ ...base.behaviour(), ...mutant.behaviour() }),
  }))
}
