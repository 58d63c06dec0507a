import { MUTANTS } from '../mutants/index.js'
import { katanaProof } from './katana.js'
import type { ProfileProof } from './profile-proof.js'
import { rfc6749 } from './rfc6749.js'
import { security } from './security.js'

export const PROFILE_PROOFS: Readonly<Record<string, ProfileProof>> = {
  katana: katanaProof,
  rfc6749,
  security,
}

/** Of the specification, and of all profiles. */
export const EVERY_MUTANT = [...MUTANTS, ...Object.values(PROFILE_PROOFS).flatMap(({ mutants }) => mutants)]
