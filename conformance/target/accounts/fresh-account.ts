import type { Policy } from '../../../spec/model/policy.js'
import { plain, type RedactableText } from '../../exchange/redactable-text.js'

/** A new account's data: valid under the declared policy, and used by no one. */
export interface Candidate {
  readonly userName: RedactableText
  readonly email: RedactableText
  readonly password: RedactableText
  /** What it logs in with: one of the two. */
  readonly loginName: RedactableText
}

/** What a registered account logs in with, as the target declares it. */
export type LoginName = '$userName' | '$email'

export function withLoginName(
  { userName, email, password }: Omit<Candidate, 'loginName'>,
  which: LoginName,
): Candidate {
  return { userName, email, password, loginName: which === '$email' ? email : userName }
}

/** Of every class, with no character at a boundary of one, and of distinct parts: cutting or flipping changes it. */
export const FRESH_PASSWORD = 'Quiet-7-Rivers-Bend-42-Times'

const LETTERS = 'bcdefghijklmnopqrstuvwxy'
/** Of the nonce of a run: of a thousand runs against one service hardly two have the same. */
const NONCE_LETTERS = 6
const PLACE_LETTERS = 3
const COUNT_LETTERS = 3

/** Whether the suite made the account up: its password is no secret, and a copied command may hold it. */
export function isMadeUp({ password }: { readonly password: string }): boolean {
  return password.startsWith(FRESH_PASSWORD)
}

/**
 * The user name is of 13 letters, so that what is put into it still makes 16: some services allow no more. Digits are for
 * the names that are made to find who refuses them.
 * @param place of the case in the run, and `count` of the account in the case: no two accounts have both alike
 * @param nonce of the run: a name is never one of another run; shown as `‹run›`
 */
export function freshAccount(
  place: number,
  count: number,
  nonce: string,
  policy: Policy,
  emailDomain: string,
  shownEmailDomain = emailDomain,
): Candidate {
  const number = letters(place, PLACE_LETTERS) + letters(count, COUNT_LETTERS)
  const own = number + checkLetter(number)
  const userName = { wire: own + nonce, shown: `${own}‹run›` }
  const email = {
    wire: `${userName.wire}@${emailDomain}`,
    shown: `${userName.shown}@${shownEmailDomain}`,
  }
  const password = plain(FRESH_PASSWORD.padEnd(policy.minimumLength, FRESH_PASSWORD))
  return { userName, email, password, loginName: userName }
}

/** So that a name with one letter changed is never another account's, all of which have the same password. */
function checkLetter(text: string): string {
  let sum = 0
  for (const letter of text) sum += LETTERS.indexOf(letter)
  return LETTERS.charAt(sum % LETTERS.length)
}

/** @param random a whole number below `NONCES` */
export function nonceOf(random: number): string {
  return letters(random, NONCE_LETTERS)
}

export const NONCES = LETTERS.length ** NONCE_LETTERS

/** The number in lower-case letters, at least so many: no policy forbids a name of these. */
function letters(number: number, width: number): string {
  const { length } = LETTERS
  const last = LETTERS.charAt(number % length)
  const rest = Math.floor(number / length)
  return rest === 0 && width <= 1 ? last : letters(rest, width - 1) + last
}
