import type { Policy } from '../../spec/types.js'
import { isEnabled, lacks, PASSWORD_REQUIREMENTS, type PasswordRequirement, violatedBy } from '../policy.js'
import { DIGITS, LOWERCASE, PRINTABLE, SYMBOLS, UPPERCASE } from './characters.js'
import type { Generator } from './generator.js'
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
  withChar,
} from './password-classes.js'
import { passwordGenerator } from './password-generator.js'

/** No policy asks for less, and some services allow no more. */
const LONGEST_SURPLUS = 24

/** 8-R1: passwords that violate just the named requirements, enabled or not, and clearly satisfy the other enabled ones. */
export function passwordViolating(violated: readonly PasswordRequirement[]): Generator<string> {
  const others = CLASS_NAMES.filter((name) => !violated.includes(name))
  const tooShort = violated.includes('minimum-length')
  return passwordGenerator(
    `password-violating(${violated.join(', ')})`,
    `passwords that violate ${violated.join(', ')} and nothing else, often by one character`,
    (policy) => {
      const allowed = tooShort ? classesWithin(policy.minimumLength - 1, policy) : others
      const chars = allowed.map((name) => CLASSES[name]).join('')
      const least = leastLength(policy, allowed) + spareLength(violated, policy)
      const lengths = tooShort
        ? [Math.max(policy.minimumLength - 1, 0), 1].filter((length) => length < policy.minimumLength)
        : [least, least + 1, least + LONGEST_SURPLUS]
      const around = (lengths[0] ?? 0) - (tooShort ? 1 : 0)
      const near = [...BOUNDARIES].filter((char) => chars.includes(char))
      return {
        examples: [
          ...lengths.map((length) => compose(allowed, length, 0)),
          ...near.map((char, at) => withChar(compose(allowed, around, at), char, at)),
        ],
        chars,
        lengths: [lengths.at(-1) ?? 0, lengths[0] ?? 0],
        classes: allowed,
      }
    },
    (password, policy) => {
      const feasible = !tooShort || policy.minimumLength > enabledClasses(policy).length
      return PASSWORD_REQUIREMENTS.every((requirement) => {
        if (violated.includes(requirement)) return lacks(requirement, password, policy)
        if (!isEnabled(requirement, policy) || !feasible) return true
        return requirement === 'minimum-length'
          ? password.length >= policy.minimumLength + spareLength(violated, policy)
          : isClear(password, [requirement])
      })
    },
  )
}

/** Where a password is to be accepted, whatever it lacks, it must not hang on the minimum length. */
function spareLength(violated: readonly PasswordRequirement[], policy: Policy): number {
  return violated.every((requirement) => isEnabled(requirement, policy)) ? 0 : 1
}

const combinations = subsets(CLASS_NAMES)

/** 7-one-per-violation: passwords that violate some of the enabled requirements, one or several. */
export const passwordViolatingAny: Generator<string> = passwordGenerator(
  'password-violating(any)',
  'passwords that violate one or several enabled requirements, in every combination',
  (policy) => ({
    examples: [
      ...combinations.map((classes) => compose(classes, leastLength(policy, classes), 0)),
      // One character that services are wrong about, next to what it is taken for, and alone of its class.
      ...NEIGHBOURS,
      ...[...BOUNDARIES].map((char, at) =>
        withChar(compose(without(classOf(char)), Math.min(policy.minimumLength - 2, 3), at), char, at),
      ),
      ...combinations.map((classes) => compose(classes, Math.max(policy.minimumLength - 1, 1), 3)),
      // All that violates a policy that asks for one character of any kind.
      '',
    ],
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

/** 8-R1: passwords of every class, required or not, that no requirement is nearly violated by. */
export const passwordSatisfying: Generator<string> = passwordGenerator(
  'password-satisfying',
  'passwords of more than the minimum length with a character of every class, required or not',
  (policy) => {
    const least = leastLength(policy, CLASS_NAMES) + 1
    return {
      examples: [
        ...[least, least + 1, least + LONGEST_SURPLUS].map((length) => compose(CLASS_NAMES, length, 0)),
        // Every symbol in two: one that is lost on the way to the store is found whatever the seed.
        ...[SYMBOLS.slice(0, 17), SYMBOLS.slice(17)].map((chars) =>
          withChar(compose(CLASS_NAMES, least, 1), chars, 1),
        ),
      ],
      chars: PRINTABLE,
      lengths: [least, least + LONGEST_SURPLUS],
      classes: CLASS_NAMES,
    }
  },
  (password, policy) => password.length > policy.minimumLength && isClear(password, CLASS_NAMES),
)

/** 8-minimum-length: of exactly the minimum length, or of one character for each required class where that is more. */
export const passwordOfMinimumLength: Generator<string> = passwordGenerator(
  'password-satisfying(minimum-length)',
  'passwords of exactly the minimum length that satisfy every enabled requirement',
  (policy) => {
    const classes = classesWithin(policy.minimumLength, policy)
    const least = leastLength(policy, classes)
    return {
      examples: [0, 1, 2].map((turn) => compose(classes, least, turn)),
      chars: PRINTABLE,
      lengths: [least, least],
      classes,
    }
  },
  (password, policy) => {
    const classes = classesWithin(policy.minimumLength, policy)
    return password.length === leastLength(policy, classes) && isClear(password, classes)
  },
)

/** Every class where there is room for them, else those that are required. */
function classesWithin(length: number, policy: Policy): readonly ClassRequirement[] {
  return length < CLASS_NAMES.length ? enabledClasses(policy) : CLASS_NAMES
}

/** 8-require-…: passwords with a single character of the named class, each character of it in turn. */
export function passwordBarely(name: ClassRequirement): Generator<string> {
  const others = without(name)
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
        barely: name,
      }
    },
    (password, policy) =>
      password.length >= policy.minimumLength &&
      isClear(
        password,
        enabledClasses(policy).filter((other) => other !== name),
      ) &&
      [...password].filter((char) => CLASSES[name].includes(char)).length === 1,
  )
}

function leastLength(policy: Policy, classes: readonly ClassRequirement[]): number {
  return Math.max(policy.minimumLength, classes.length, 1)
}

function without(name: ClassRequirement): readonly ClassRequirement[] {
  return CLASS_NAMES.filter((other) => other !== name)
}

function subsets<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, mask) =>
    items.filter((_, at) => mask & (1 << at)),
  ).filter((subset) => subset.length > 0)
}
