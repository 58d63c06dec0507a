import type { Variant } from '../mutants/mutant.js'
import { bodyVariants } from './bodies.js'

/** Every benign variant, by topic. */
export const VARIANTS: readonly Variant[] = [...bodyVariants]
