import type { Mutant } from '../mutants/mutant.js'
import type { Variant } from '../variants/variant.js'

/** What shows that the rules of a profile are judged. */
export interface ProfileProof {
  readonly mutants: readonly Mutant[]
  readonly variants: readonly Variant[]
  /** Rules that no server of `prove` can break, each with the test that sees it red. */
  readonly shownElsewhere: Readonly<Record<string, string>>
}

/** Every server of a profile is that one, which passes, with some decisions changed. */
export function changing<Server extends Mutant | Variant>(
  base: Variant,
  servers: readonly Server[],
): readonly Server[] {
  return servers.map((server) => ({
    ...server,
    options: { ...base.options, ...server.options },
    behaviour: () => ({ ...base.behaviour(), ...server.behaviour() }),
  }))
}
