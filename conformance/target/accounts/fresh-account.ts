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

/**
 * Of every class, with no character at a boundary of one, and of distinct parts: cutting or flipping changes it. The
 * asterisk is in every usual list of symbols: a service that goes by such a list accepts it, and can be judged.
 */
export const FRESH_PASSWORD = 'Quiet-7-Rivers*Bend-42-Times'

const LETTERS = 'bcdefghijklmnopqrstuvwxy'
/** Of the nonce of a run: of a thousand runs against one service hardly two have the same. */
const NONCE_LETTERS = 6
const PLACE_LETTERS = 2
const COUNT_LETTERS = 3
const CHECK_LETTERS = 2

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
  const own = number + checkLetters(number)
  const userName = { wire: own + nonce, shown: `${own}‹run›` }
  const email = {
    wire: `${userName.wire}@${emailDomain}`,
    shown: `${userName.shown}@${shownEmailDomain}`,
  }
  const password = plain(FRESH_PASSWORD.padEnd(policy.minimumLength, FRESH_PASSWORD))
  return { userName, email, password, loginName: userName }
}

/**
 * So that a name with one letter changed is never another account's, all of which have the same password, and that a name of
 * someone is hardly ever one that a run makes up.
 */
function checkLetters(text: string): string {
  let [sum, weighted] = [0, 0]
  for (const [at, letter] of [...text].entries()) {
    sum += LETTERS.indexOf(letter)
    weighted += (at + 1) * LETTERS.indexOf(letter)
  }
  return LETTERS.charAt(sum % LETTERS.length) + LETTERS.charAt(weighted % LETTERS.length)
}

/** The name as 16 digits, of which two are a check. */
export function inDigits(name: string): string {
  let number = 0n
  for (const letter of name) number = (number * 24n + BigInt(LETTERS.indexOf(letter))) % 10n ** 14n
  return withCheckDigits(number)
}

function withCheckDigits(number: bigint): string {
  return `${number}`.padStart(14, '0') + `${number % 97n}`.padStart(2, '0')
}

/** So many letters, or one more where a number in it is large: of 50 deployments, or of an account in 20,000. */
const FRESH_LETTERS = PLACE_LETTERS + COUNT_LETTERS + CHECK_LETTERS + NONCE_LETTERS
const FRESH_NAME = new RegExp(`^[${LETTERS}]{${FRESH_LETTERS},${FRESH_LETTERS + 1}}$`)
/** What a generator puts into a name, at one place. */
const MAX_INSERTED = 3
/** The small letters among that: a name of such letters alone may be that of someone. */
const SMALL_LETTERS = /^[abcxyz]+$/
/** What 8/long-user-name puts in front. */
const LONG_START = /^(?:quietriversbendmanytimes){2}old/
const DOT_SEGMENT = /(?:^|[\\/])\.{1,2}(?:[\\/]|$)/
/** A name with a word of the user's own beside it. */
const WORDS = /^[\p{L}\d ._@+-]+$/u
/** Or the label of the variable that holds it: nothing that may lead elsewhere in a path. */
const DOMAIN = /^[^\p{C}/\\?#%]*$/u

/** Whether a run may have made the name up: a list of accounts to remove may come from anyone, and name real ones. */
export function isMadeUpName(name: string): boolean {
  if (/^[A-Z]+$/.test(name)) return isFresh(name.toLowerCase())
  if (/^\d{16}$/.test(name)) return name === withCheckDigits(BigInt(name.slice(0, 14)))
  if (name.length > 256 || DOT_SEGMENT.test(name)) return false
  if (isFresh(name.replace(LONG_START, ''))) return true
  if (WORDS.test(name) && name.split(/[^A-Za-z]/).some(isFresh)) return true
  const hasOthers = !/^[a-z]*$/.test(name)
  for (let length = 1; length <= MAX_INSERTED; length += 1)
    for (let at = 0; at + length <= name.length; at += 1) {
      const mayBePut = hasOthers || SMALL_LETTERS.test(name.slice(at, at + length))
      if (mayBePut && isFresh(name.slice(0, at) + name.slice(at + length))) return true
    }
  return false
}

/** The same of an address, whose name may have letters and digits around it. */
export function isMadeUpEmail(email: string): boolean {
  const [, local = email, domain] = /^(.*)@([^@]*)$/s.exec(email) ?? []
  if (domain !== undefined && !DOMAIN.test(domain)) return false
  if (local.length > 256 || DOT_SEGMENT.test(local)) return false
  return isMadeUpName(local) || [...local].some((_, at) => isFresh(local.slice(at, at + FRESH_LETTERS)))
}

function isFresh(name: string): boolean {
  const number = name.slice(0, -NONCE_LETTERS - CHECK_LETTERS)
  return FRESH_NAME.test(name) && name.startsWith(number + checkLetters(number))
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
