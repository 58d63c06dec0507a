import type { Policy } from '../../spec/model/policy.js'
import {
  isEnabled,
  lacks,
  PASSWORD_REQUIREMENTS,
  type PasswordRequirement,
  violatedBy,
} from '../target/accounts/policy.js'
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
import { maxPlainLength, passwordGenerator } from './password-generator.js'

/** More than the minimum length, and not beyond what every service allows. */
const MAX_EXTRA = 24

function longer(min: number, extra: number, policy: Policy): number {
  return Math.max(min, Math.min(min + extra, maxPlainLength(policy)))
}

function longest(min: number, policy: Policy): number {
  return longer(min, MAX_EXTRA, policy)
}

/** 8-R1: passwords of every class, required or not, that no requirement is nearly violated by. */
const satisfying = passwordGenerator(
  'password-satisfying',
  'passwords of more than the minimum length with a character of every class, required or not',
  (policy) => {
    const min = longer(minLength(policy, CLASS_NAMES), 1, policy)
    // Every symbol in two: one that is lost on the way to the store is found whatever the seed.
    const halves = [SYMBOLS.slice(0, 17), SYMBOLS.slice(17)]
    return {
      examples: [
        ...[min, maxPlainLength(policy)].map((length) => compose(CLASS_NAMES, length, 0)),
        ...halves.map((chars) => withChar(compose(CLASS_NAMES, min, 1), chars, 1)),
        compose(CLASS_NAMES, longer(min, 1, policy), 0),
      ],
      chars: PRINTABLE,
      lengths: [min, longest(min, policy)],
      classes: CLASS_NAMES,
    }
  },
  (password, policy) =>
    password.length >= longer(policy.minimumLength, 1, policy) && isClear(password, CLASS_NAMES),
)

/** 8-minimum-length: of exactly the minimum length, or of one character for each required class where that is more. */
const ofMinimumLength = passwordGenerator(
  'password-satisfying(minimum-length)',
  'passwords of exactly the minimum length that satisfy every enabled requirement',
  (policy) => {
    const classes = classesWithin(policy.minimumLength, policy)
    const length = minLength(policy, classes)
    return {
      examples: [
        compose(classes, length, 0),
        // Inside, where no one trims it.
        withChar(compose(classes, length - 1, 0), ' ', 1),
        compose(classes, length, 1),
        compose(classes, length, 2),
      ],
      chars: PRINTABLE,
      lengths: [length, length],
      classes,
    }
  },
  (password, policy) => {
    const classes = classesWithin(policy.minimumLength, policy)
    return password.length === minLength(policy, classes) && isClear(password, classes)
  },
)

/** 8-R1: what a policy only just allows, and a login that holds passwords against another one refuses. */
const barelyAllowed = passwordGenerator(
  'password-barely-allowed',
  'passwords of exactly the minimum length that lack what is not required',
  (policy) => {
    const required = enabledClasses(policy)
    const plain = required.length > 0 ? required : CLASS_NAMES.slice(-1)
    const optional = CLASS_NAMES.filter((name) => !required.includes(name))
    const length = minLength(policy, plain)
    return {
      examples: [plain, ...optional.map(without)].map((classes) =>
        compose(classes, minLength(policy, classes), 0),
      ),
      chars: plain.map((name) => CLASSES[name]).join(''),
      lengths: [length, length],
      classes: plain,
    }
  },
  (password, policy) => {
    const required = enabledClasses(policy)
    return (
      password.length <= minLength(policy, CLASS_NAMES) &&
      violatedBy(password, policy).length === 0 &&
      isClear(password, required)
    )
  },
)

/** Some of the classes, but neither none nor all of them. */
const combinations = Array.from({ length: 2 ** CLASS_NAMES.length - 2 }, (_, index) =>
  CLASS_NAMES.filter((_, at) => (index + 1) & (1 << at)),
)

/** 7-one-per-violation: passwords that violate some of the enabled requirements, one or several. */
const violatingAny = passwordGenerator(
  'password-violating(any)',
  'passwords that violate one or several enabled requirements, in every combination',
  (policy) => ({
    examples: [
      // Too short, and of two classes: the message of each other one is due, and no more.
      ...[combinations[2], combinations[5]].map((classes = []) =>
        compose(classes, Math.max(policy.minimumLength - 1, 1), 3),
      ),
      // Long, where a service may ask for no more.
      compose(['lowercase'], longest(policy.minimumLength, policy), 0),
      ...combinations.map((classes) => compose(classes, minLength(policy, classes), 0)),
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
    lengths: [1, longest(policy.minimumLength, policy)],
    classes: [],
  }),
  // Of an empty one a service may only say that it is missing.
  (password, policy) =>
    (password !== '' || policy.minimumLength === 1) && violatedBy(password, policy).length > 0,
)

/** All but two, and all but one: what is too short lacks another class, what is not lacks two. */
const [lackingTwo, lackingOne] = [2, 3].map((size) =>
  combinations.filter((classes) => classes.length === size),
) as [typeof combinations, typeof combinations]

/** 8-R1: passwords that violate two of the enabled requirements, or more, where there are two. */
const violatingSeveral = passwordGenerator(
  'password-violating(several)',
  'passwords that violate two or more of the enabled requirements',
  (policy) => {
    const { minimumLength } = policy
    const [first = '', ...others] = [LOWERCASE, UPPERCASE, DIGITS].flatMap((chars) => [...chars.slice(0, 2)])
    const two = [
      ...lackingTwo.map((classes) => compose(classes, minLength(policy, classes), 0)),
      ...lackingOne.map((classes) => compose(classes, Math.max(minimumLength - 1, 1), 0)),
    ]
    return {
      examples: minimumLength > 1 ? [first, ...two, ...others, '-', ''] : ['', ...two],
      chars: LOWERCASE,
      lengths: [Math.min(1, minimumLength - 1), minimumLength - 1],
      classes: [],
    }
  },
  (password, policy) => violatedBy(password, policy).length >= Math.min(2, violatedBy('', policy).length),
)

/** What is taken for a character of the class: its neighbours in ASCII. */
const BESIDE: Readonly<Record<ClassRequirement, string>> = {
  'non-letter-or-digit': 'zZ9',
  digit: '/:_',
  lowercase: '`{_',
  uppercase: '@[_',
}

/** As long as a password that the suite makes up may be: services exempt what is long. */
const LONGEST = 64

/** 8-R1: passwords that violate just this requirement, enabled or not, and clearly satisfy the other enabled ones. */
function violating(requirement: PasswordRequirement): Generator<string> {
  const tooShort = requirement === 'minimum-length'
  // A password that is to be accepted, whatever it lacks, must not depend on the minimum length.
  const withSpare = (min: number, policy: Policy): number =>
    isEnabled(requirement, policy) ? min : longer(min, 1, policy)
  return passwordGenerator(
    `password-violating(${requirement})`,
    `passwords that violate ${requirement} and nothing else, often by one character`,
    (policy) => {
      const { minimumLength } = policy
      const classes = tooShort ? classesWithin(minimumLength - 1, policy) : without(requirement)
      const chars = classes.map((name) => CLASSES[name]).join('')
      const min = withSpare(minLength(policy, classes), policy)
      const lengths = tooShort
        ? [Math.max(minimumLength - 1, 0), 1].filter((length) => length < minimumLength)
        : [min, longer(min, 1, policy), longest(min, policy)]
      // What is to be accepted is no longer than every service allows.
      const exempt = isEnabled(requirement, policy) && !tooShort ? [Math.max(LONGEST, min)] : []
      const around = (lengths[0] ?? 0) - (tooShort ? 1 : 0)
      const likeliest = tooShort ? '' : BESIDE[requirement]
      const near = [...new Set([...likeliest, ...BOUNDARIES])]
        .filter((char) => chars.includes(char))
        .map((char, at) => withChar(compose(classes, around, at), char, at))
      const [first = '', ...others] = [...lengths, ...exempt].map((length) => compose(classes, length, 0))
      // Without anything that is not required: disabled requirements together may be enforced as one.
      const required = enabledClasses(policy)
      const plain = required.length > 0 ? [required] : classes.map((name) => [name])
      const plainest = isEnabled(requirement, policy) ? [] : plain.map((own) => compose(own, min, 0))
      return {
        examples: [
          ...[first, ...plainest, ...near.slice(0, likeliest.length)],
          ...[...others, ...near.slice(likeliest.length)],
        ],
        chars,
        lengths: [lengths.at(-1) ?? 0, lengths[0] ?? 0],
        classes,
      }
    },
    (password, policy) => {
      if (!lacks(requirement, password, policy)) return false
      const classes = enabledClasses(policy)
      if (tooShort) return policy.minimumLength <= classes.length || isClear(password, classes)
      const others = classes.filter((name) => name !== requirement)
      return password.length >= withSpare(policy.minimumLength, policy) && isClear(password, others)
    },
  )
}

/** Of each class the characters that services leave out: its ends, and those that mean something in a pattern. */
const LIKELIEST: Readonly<Record<ClassRequirement, string>> = {
  'non-letter-or-digit': '_\\~ ',
  digit: '90',
  lowercase: 'za',
  uppercase: 'ZA',
}

/** 8-require-…: passwords with a single character of the named class, each character of it in turn. */
function barely(name: ClassRequirement): Generator<string> {
  const others = without(name)
  return passwordGenerator(
    `password-barely(${name})`,
    `passwords that satisfy every enabled requirement, with one character of ${name} alone`,
    (policy) => {
      const length = Math.max(policy.minimumLength, CLASS_NAMES.length * 2)
      return {
        examples: [...new Set([...LIKELIEST[name], ...CLASSES[name]])].map((char, at) =>
          withChar(compose(others, length - 1, at), char, at),
        ),
        chars: others.map((other) => CLASSES[other]).join(''),
        lengths: [length, longest(length, policy)],
        classes: CLASS_NAMES,
        barely: name,
      }
    },
    (password, policy) => {
      const required = enabledClasses(policy).filter((other) => other !== name)
      const own = [...password].filter((char) => CLASSES[name].includes(char))
      return password.length >= policy.minimumLength && isClear(password, required) && own.length === 1
    },
  )
}

/** Every class where there is room for them, else those that are required. */
function classesWithin(length: number, policy: Policy): readonly ClassRequirement[] {
  return length < CLASS_NAMES.length ? enabledClasses(policy) : CLASS_NAMES
}

function minLength(policy: Policy, classes: readonly ClassRequirement[]): number {
  return Math.max(policy.minimumLength, classes.length, 1)
}

function without(name: ClassRequirement): readonly ClassRequirement[] {
  return CLASS_NAMES.filter((other) => other !== name)
}

/** Passwords for new accounts, held against the declared policy. */
export const passwords: readonly Generator<string>[] = [
  satisfying,
  ofMinimumLength,
  barelyAllowed,
  violatingAny,
  violatingSeveral,
  ...PASSWORD_REQUIREMENTS.map(violating),
  ...(['non-letter-or-digit', 'digit', 'lowercase', 'uppercase'] as const).map(barely),
]
