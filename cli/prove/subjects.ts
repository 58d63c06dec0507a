import { MUTANTS } from '../../reference/mutants/index.js'
import type { Mutant, Variant } from '../../reference/mutants/mutant.js'
import { VARIANTS } from '../../reference/variants/index.js'
import { firstFew } from '../../reports/phrase.js'
import { AssayError } from '../../spec/assay-error.js'
import { nearest } from '../../spec/nearest.js'

/** What `prove` runs the suite against. */
export interface Subjects {
  readonly mutants: readonly Mutant[]
  readonly variants: readonly Variant[]
}

/** @throws AssayError `usage` for one that there is not, with the nearest that there is */
export function findMutant(id: string): Mutant {
  return find('mutant', MUTANTS, id)
}

/** @throws AssayError `usage` for one that there is not, with the nearest that there is */
export function findVariant(id: string): Variant {
  return find('variant', VARIANTS, id)
}

/** Those that are named; all of them where nothing is named. */
export function chooseSubjects(mutants: readonly string[], variants: readonly string[]): Subjects {
  if (mutants.length === 0 && variants.length === 0) return { mutants: MUTANTS, variants: VARIANTS }
  return { mutants: unique(mutants).map(findMutant), variants: unique(variants).map(findVariant) }
}

function find<T extends { readonly id: string }>(what: string, all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id)
  if (found !== undefined) return found
  const ids = all.map((one) => one.id)
  const near = nearest(id, ids)
  const hint = near === undefined ? `there are ${firstFew(ids, 20)}` : `did you mean \`${near}\`?`
  throw new AssayError('usage', `there is no ${what} \`${id}\`: ${hint}`)
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
