import { jsonTextMutants } from './json-text.js'
import type { Mutant } from './mutant.js'
import { tokenResponseMutants } from './token-response.js'

export type { Mutant, ProvingGround, Variant } from './mutant.js'

/** Every mutant, by topic. */
export const MUTANTS: readonly Mutant[] = [...jsonTextMutants, ...tokenResponseMutants]
