import { firstFew } from '../../reports/formats/shared/phrase.js'
import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { MUTANTS } from '../mutants/index.js'
import type { Mutant } from '../mutants/mutant.js'
import { PROFILE_PROOFS } from '../profiles/index.js'
import type { ProfileProof } from '../profiles/profile-proof.js'
import { VARIANTS } from '../variants/index.js'
import type { Variant } from '../variants/variant.js'

/** What `prove` runs the suite against. */
export interface Selected {
  readonly mutants: readonly Mutant[]
  readonly variants: readonly Variant[]
}

/** @throws AssayError `usage` where there is none, with the nearest one */
export function findMutant(id: string, profile?: string): Mutant {
  return find('mutant', allOf(profile).mutants, id)
}

/** @throws AssayError `usage` where there is none, with the nearest one */
export function findVariant(id: string, profile?: string): Variant {
  return find('variant', allOf(profile).variants, id)
}

/** The named ones, of the specification or of a profile; all where none is named. */
export function selectToProve(
  mutants: readonly string[],
  variants: readonly string[],
  profile?: string,
): Selected {
  if (mutants.length === 0 && variants.length === 0) return allOf(profile)
  return {
    mutants: unique(mutants).map((id) => findMutant(id, profile)),
    variants: unique(variants).map((id) => findVariant(id, profile)),
  }
}

function allOf(profile: string | undefined): Selected {
  return profile === undefined ? { mutants: MUTANTS, variants: VARIANTS } : findProof(profile)
}

/** @throws AssayError `usage` where there is none, with the nearest one */
export function findProof(profile: string): ProfileProof {
  const proof = Object.hasOwn(PROFILE_PROOFS, profile) ? PROFILE_PROOFS[profile] : undefined
  if (proof !== undefined) return proof
  const hint = didYouMean(profile, Object.keys(PROFILE_PROOFS))
  throw new AssayError('usage', `there is no profile \`${profile}\`: ${hint}`)
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
