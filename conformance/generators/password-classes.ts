import type { Policy } from '../../spec/model/policy.js'
import { isEnabled, type PasswordRequirement } from '../target/accounts/policy.js'
import { DIGITS, LOWERCASE, SYMBOLS, UPPERCASE } from './characters.js'

export type ClassRequirement = Exclude<PasswordRequirement, 'minimum-length'>

export const CLASSES: Readonly<Record<ClassRequirement, string>> = {
  'non-letter-or-digit': SYMBOLS,
  digit: DIGITS,
  lowercase: LOWERCASE,
  uppercase: UPPERCASE,
}
export const CLASS_NAMES: readonly ClassRequirement[] = [
  'uppercase',
  'lowercase',
  'digit',
  'non-letter-or-digit',
]

/** Those that no service takes for another class: away from its bounds, and symbols of every usual list. */
export const USUAL: Readonly<Record<ClassRequirement, string>> = {
  'non-letter-or-digit': '!*',
  digit: DIGITS.slice(1, -1),
  lowercase: LOWERCASE.slice(1, -1),
  uppercase: UPPERCASE.slice(1, -1),
}

/** The neighbours of a class in ASCII: a range that is off by one has one of these in it. */
export const NEIGHBOURS = '/:@[`{'
/** The characters about which services are wrong. */
export const BOUNDARIES = `09AZaz_ ${NEIGHBOURS}`

export function classOf(char: string): ClassRequirement {
  return CLASS_NAMES.find((name) => CLASSES[name].includes(char)) ?? 'non-letter-or-digit'
}

export function enabledClasses(policy: Policy): readonly ClassRequirement[] {
  return CLASS_NAMES.filter((name) => isEnabled(name, policy))
}

/**
 * Whether the password has a usual character of each of these classes: where it is refused all the same, that is not for
 * them, and another rule's matter.
 */
export function isClear(password: string, classes: readonly ClassRequirement[]): boolean {
  return classes.every((name) => [...password].some((char) => USUAL[name].includes(char)))
}

/** A password of that length with usual characters of each class in turn; `turn` picks others. */
export function compose(classes: readonly ClassRequirement[], length: number, turn: number): string {
  const pools = classes.length === 0 ? [''] : classes.map((name) => USUAL[name])
  return Array.from({ length: Math.max(length, 0) }, (_, at) => {
    const pool = pools[at % pools.length] ?? ''
    return pool[(at * 5 + turn) % pool.length] ?? ''
  }).join('')
}

/** Passwords that violate one enabled requirement each, and satisfy the others. */
export function passwordsLackingOneThing(policy: Policy): readonly string[] {
  const required = enabledClasses(policy)
  const short = policy.minimumLength - 1
  const all = short < CLASS_NAMES.length && required.length > 0 ? required : CLASS_NAMES
  const lackingLength = compose(all, short, 0)
  const lackingClass = required.map((lacking) => {
    const others = CLASS_NAMES.filter((name) => name !== lacking)
    return compose(others, Math.max(policy.minimumLength, others.length), 0)
  })
  return short >= Math.max(required.length, 1) ? [lackingLength, ...lackingClass] : lackingClass
}

/** The password with a character (or several) added; never at the ends, where a space might be trimmed. */
export function withChar(password: string, char: string, at: number): string {
  const place = 1 + (at % Math.max(password.length - 1, 1))
  return password.slice(0, place) + char + password.slice(place)
}
