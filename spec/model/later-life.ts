import type { RehearsedCell } from '../generated/types/rehearsal.js'

export type TokenMoment = RehearsedCell['when']
export type TokenGrant = RehearsedCell['grant']

/** When a token is presented, in the order of its life, in words. */
export const MOMENT_WORDS: Readonly<Record<TokenMoment, string>> = {
  'at-once': 'at once',
  'issuer-restarted': 'after a restart of the issuer',
  'acceptor-restarted': 'after a restart of the acceptor',
  'near-end': 'near the end of its life',
  'after-end': 'after the end of its life',
}

/** What it was issued for, in words. */
export const GRANT_WORDS: Readonly<Record<TokenGrant, string>> = {
  password: 'the password grant',
  refresh: 'a refresh',
  external: 'an external sign-in',
}

// The keys of a record that is complete by its type.
export const MOMENTS = Object.keys(MOMENT_WORDS) as readonly TokenMoment[]
export const GRANTS = Object.keys(GRANT_WORDS) as readonly TokenGrant[]
