import { firstFew } from '../reports/shared/phrase.js'
import { didYouMean } from '../spec/load/nearest.js'
import { AssayError } from '../spec/model/assay-error.js'
import { MUTANTS } from './mutants/index.js'
import type { Mutant } from './mutants/mutant.js'
import { VARIANTS } from './variants/index.js'
import type { Variant } from './variants/variant.js'

/** What `prove` runs the suite against. */
export interface Selected {
  readonly mutants: readonly Mutant[]
  readonly variants: readonly Variant[]
}

/** @throws AssayError `usage` where there is none, with the nearest one */
export function findMutant(id: string): Mutant {
  return find('mutant', MUTANTS, id)
}

/** @throws AssayError `usage` where there is none, with the nearest one */
export function findVariant(id: string): Variant {
  return find('variant', VARIANTS, id)
}

/** The named ones; all where none is named. */
export function selectToProve(mutants: readonly string[], variants: readonly string[]): Selected {
  if (mutants.length === 0 && variants.length === 0) return { mutants: MUTANTS, variants: VARIANTS }
  return { mutants: unique(mutants).map(findMutant), variants: unique(variants).map(findVariant) }
}

function find<T extends { readonly id: string }>(what: string, all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id)
  if (found !== undefined) return found
  const ids = all.map((one) => one.id)
  const hint = didYouMean(id, ids, `there are ${firstFew(ids, 20)}`)
  throw new AssayError('usage', `there is no ${what} \`${id}\`: ${hint}`)
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
