import fc from 'fast-check'
import type { Policy } from '../../spec/types.js'
import { isEnabled, lacks, PASSWORD_REQUIREMENTS, type PasswordRequirement, violatedBy } from '../policy.js'
import { plain } from '../text.js'
import { DIGITS, LOWERCASE, PRINTABLE, UPPERCASE } from './characters.js'
import type { Generator, Scope } from './generator.js'
import {
  BOUNDARIES,
  CLASS_NAMES,
  CLASSES,
  type ClassRequirement,
  classOf,
  compose,
  enabledClasses,
  isClear,
  NEIGHBOURS,
  USUAL,
  withChar,
} from './password-classes.js'

/** No policy asks for less, and some services allow no more. */
const LONGEST_SURPLUS = 24

/** 8-R1: passwords that violate just the named requirements, enabled or not, and satisfy the other enabled ones. */
export function passwordViolating(violated: readonly PasswordRequirement[]): Generator<string> {
  const allowed = CLASS_NAMES.filter((name) => !violated.includes(name))
  const tooShort = violated.includes('minimum-length')
  return passwordGenerator(
    `password-violating(${violated.join(', ')})`,
    `passwords that violate ${violated.join(', ')} and nothing else, often by one character`,
    (policy) => {
      const chars = allowed.map((name) => CLASSES[name]).join('')
      const lengths = tooShort
        ? [Math.max(policy.minimumLength - 1, 0), 1].filter((length) => length < policy.minimumLength)
        : [
            leastLength(policy, allowed),
            leastLength(policy, allowed) + 1,
            leastLength(policy, allowed) + LONGEST_SURPLUS,
          ]
      const near = [...BOUNDARIES].filter((char) => chars.includes(char))
      return {
        examples: [
          ...lengths.map((length) => compose(allowed, length, 0)),
          ...near.map((char, at) => withChar(compose(allowed, (lengths[0] ?? 0) - +tooShort, at), char, at)),
        ],
        chars,
        lengths: [lengths.at(-1) ?? 0, lengths[0] ?? 0],
        classes: allowed,
      }
    },
    (password, policy) => {
      const feasible = !tooShort || policy.minimumLength > enabledClasses(policy).length
      return PASSWORD_REQUIREMENTS.every((requirement) => {
        const isLacking = lacks(requirement, password, policy)
        if (violated.includes(requirement)) return isLacking
        if (!isEnabled(requirement, policy) || !feasible) return true
        return requirement === 'minimum-length' ? !isLacking : isClear(password, [requirement])
      })
    },
  )
}

/** 7-one-per-violation: passwords that violate some of the enabled requirements, one or several. */
export const passwordViolatingAny: Generator<string> = passwordGenerator(
  'password-violating(any)',
  'passwords that violate one or several enabled requirements, in every combination',
  (policy) => ({
    examples: subsets(CLASS_NAMES).flatMap((classes) => [
      compose(classes, leastLength(policy, classes), 0),
      compose(classes, Math.max(policy.minimumLength - 1, 1), 3),
    ]),
    chars: PRINTABLE,
    lengths: [1, policy.minimumLength + 4],
    classes: [],
  }),
  (password, policy) =>
    // Of an empty one a service may only say that it is missing.
    (password !== '' || policy.minimumLength === 1) &&
    PASSWORD_REQUIREMENTS.some(
      (requirement) => isEnabled(requirement, policy) && lacks(requirement, password, policy),
    ),
)

/** 8-R1: passwords that violate as many of the enabled requirements as one password can. */
export const passwordViolatingAll: Generator<string> = passwordGenerator(
  'password-violating(all)',
  'passwords that violate as many of the enabled requirements as one password can',
  (policy) => ({
    examples: [...LOWERCASE.slice(0, 3), ...UPPERCASE.slice(0, 3), ...DIGITS.slice(0, 3), '-', ''].map(
      (char) => char.repeat(Math.max(policy.minimumLength - 1, 0) > 0 ? 1 : 0),
    ),
    chars: LOWERCASE,
    lengths: [Math.min(1, policy.minimumLength - 1), policy.minimumLength - 1],
    classes: [],
  }),
  (password, policy) => {
    const violated = violatedBy(password, policy)
    const classes = enabledClasses(policy).length
    return violated.includes('minimum-length') && violated.length >= Math.max(classes, 1)
  },
)

/** 8-R1: passwords that satisfy every enabled requirement; exactly the minimum length among them. */
export const passwordSatisfying: Generator<string> = passwordGenerator(
  'password-satisfying',
  'passwords that satisfy every enabled requirement, of exactly the minimum length among them',
  (policy) => {
    const classes = enabledClasses(policy)
    const least = leastLength(policy, classes)
    return {
      examples: [least, least + 1, least + LONGEST_SURPLUS].map((length) => compose(classes, length, 0)),
      chars: PRINTABLE,
      lengths: [least, least + LONGEST_SURPLUS],
      classes,
    }
  },
  satisfies,
)

/** 8-require-…: passwords with a single character of the named class, each character of it in turn. */
export function passwordBarely(name: ClassRequirement): Generator<string> {
  const others = CLASS_NAMES.filter((other) => other !== name)
  return passwordGenerator(
    `password-barely(${name})`,
    `passwords that satisfy every enabled requirement, with one character of ${name} alone`,
    (policy) => {
      const length = Math.max(policy.minimumLength, CLASS_NAMES.length * 2)
      return {
        examples: [...CLASSES[name]].map((char, at) => withChar(compose(others, length - 1, at), char, at)),
        chars: others.map((other) => CLASSES[other]).join(''),
        lengths: [length, length + LONGEST_SURPLUS],
        classes: CLASS_NAMES,
      }
    },
    (password, policy) =>
      satisfies(password, policy) &&
      [...password].filter((char) => CLASSES[name].includes(char)).length === 1,
  )
}

interface Shape {
  readonly examples: readonly string[]
  /** What the rest of a password is made of. */
  readonly chars: string
  readonly lengths: readonly [number, number]
  /** A character of each stands somewhere in it. */
  readonly classes: readonly ClassRequirement[]
}

function passwordGenerator(
  name: string,
  statement: string,
  shape: (policy: Policy) => Shape,
  admits: (password: string, policy: Policy) => boolean,
): Generator<string> {
  const shapeOf = ({ policy }: Scope): Shape => shape(policy ?? NO_POLICY)
  return {
    name,
    statement,
    examples: (scope) => [...new Set(shapeOf(scope).examples)],
    arbitrary: (scope) => {
      const { chars, lengths, classes } = shapeOf(scope)
      const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
      const one = classes.map((name) => fc.constantFrom(...CLASSES[name]))
      return fc.oneof(
        fc
          .tuple(
            fc.tuple(...one),
            fc.array(fc.constantFrom(...(chars === '' ? 'a' : chars)), {
              minLength: Math.max(least - one.length, 0),
              maxLength: Math.max(most - one.length, 0),
              size: 'max',
            }),
            fc.infiniteStream(fc.nat(1000)),
          )
          .map(([musts, rest, dice]) => shuffle([...musts, ...rest], dice).join('')),
        // So that an example shrinks too; what the oracle does not admit is passed over.
        fc.string({ unit: fc.constantFrom(...PRINTABLE), maxLength: most, size: 'max' }),
      )
    },
    bind: plain,
    show: (value) => value,
    // Whether outer white space counts is not stated.
    promises: (_, { policy }, candidate) => {
      const password = candidate?.password.wire
      return (
        password !== undefined &&
        policy !== undefined &&
        password.trim() === password &&
        admits(password, policy)
      )
    },
  }
}

const NO_POLICY: Policy = {
  minimumLength: 6,
  requireNonLetterOrDigit: true,
  requireDigit: true,
  requireLowercase: true,
  requireUppercase: true,
  alphanumericUserNamesOnly: false,
  uniqueEmail: true,
}

function satisfies(password: string, policy: Policy): boolean {
  return PASSWORD_REQUIREMENTS.every(
    (requirement) => !isEnabled(requirement, policy) || !lacks(requirement, password, policy),
  )
}

function enabledClasses(policy: Policy): readonly ClassRequirement[] {
  return CLASS_NAMES.filter((name) => isEnabled(name, policy))
}

function leastLength(policy: Policy, classes: readonly ClassRequirement[]): number {
  return Math.max(policy.minimumLength, classes.length, 1)
}

/** A password of that length with characters of each class in turn; `turn` picks others. */
function compose(classes: readonly ClassRequirement[], length: number, turn: number): string {
  const pools =
    classes.length === 0
      ? ['']
      : classes.map((name) => (name === 'non-letter-or-digit' ? '-!#*' : CLASSES[name]))
  return Array.from({ length }, (_, at) => {
    const pool = pools[at % pools.length] ?? ''
    return pool[(at * 5 + turn) % pool.length] ?? ''
  }).join('')
}

/** The password with one character replaced (or added at that place). */
function withChar(password: string, char: string, at?: number): string {
  if (at === undefined) {
    const place = Math.floor(password.length / 2)
    return password.slice(0, place) + char + password.slice(place + 1)
  }
  // Not at the ends, where a space might be trimmed.
  const place = 1 + (at % Math.max(password.length - 1, 1))
  return password.slice(0, place) + char + password.slice(place)
}

function shuffle(chars: readonly string[], dice: Stream): readonly string[] {
  const left = [...chars]
  const shuffled: string[] = []
  while (left.length > 0) shuffled.push(...left.splice((dice.next().value ?? 0) % left.length, 1))
  return shuffled
}

type Stream = Iterator<number>

function subsets<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, mask) =>
    items.filter((_, at) => mask & (1 << at)),
  ).filter((subset) => subset.length > 0)
}
