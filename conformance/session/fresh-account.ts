import { createHash } from 'node:crypto'
import type { Policy } from '../../spec/types.js'
import { letters } from '../seed.js'
import type { Text } from './text.js'
import { plain } from './text.js'

/** A new account's data: valid under the declared policy, and used by nobody. */
export interface Candidate {
  readonly userName: Text
  readonly email: Text
  readonly password: Text
}

/** Of every class, with no character at a boundary of one, and of distinct parts: cutting or flipping changes it. */
export const FRESH_PASSWORD = 'Quiet-7-Rivers-Bend-42-Times'

/**
 * @param key of the case and its count: another key, another account
 * The user name is of letters alone, so that whoever refuses digits is found by the names that are made to find it.
 * @param nonce of the run: a name is never one of another run; shown as `‹run›`
 */
export function freshAccount(key: string, nonce: string, policy: Policy, emailDomain: string): Candidate {
  const own = `ta${letters(createHash('sha256').update(key).digest().subarray(0, 5))}`
  const userName = { wire: `${own}x${nonce}`, shown: `${own}x‹run›` }
  return {
    userName,
    email: { wire: `${userName.wire}@${emailDomain}`, shown: `${userName.shown}@${emailDomain}` },
    password: plain(FRESH_PASSWORD.padEnd(policy.minimumLength, FRESH_PASSWORD)),
  }
}
