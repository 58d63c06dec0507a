import fc from 'fast-check'
import type { Policy } from '../../spec/model/policy.js'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { plain } from '../exchange/redactable-text.js'
import { PRINTABLE } from './characters.js'
import type { Generator, Scope } from './generator.js'
import { CLASSES, type ClassRequirement, USUAL } from './password-classes.js'

/** Longer passwords, and a character three times in a row, some services refuse by further rules of their own. */
const MAX_PLAIN_LENGTH = 64
const THREE_IN_A_ROW = /(.)\1\1/su

export interface PasswordShape {
  readonly examples: readonly string[]
  /** What the rest of a password is made of. */
  readonly chars: string
  readonly lengths: readonly [number, number]
  /** A usual character of each is somewhere in it. */
  readonly classes: readonly ClassRequirement[]
  /** Of this class any character at all. */
  readonly barely?: ClassRequirement
}

/** In characters: no password that a judgement rests on is longer, unless the minimum length itself is. */
export function maxPlainLength({ minimumLength }: Policy): number {
  return Math.max(MAX_PLAIN_LENGTH, minimumLength)
}

/** @param admits decides by the final password alone */
export function passwordGenerator(
  name: string,
  statement: string,
  shape: (policy: Policy) => PasswordShape,
  admits: (password: string, policy: Policy) => boolean,
): Generator<string> {
  const shapeOf = ({ policy }: Scope): PasswordShape => shape(policy ?? LISTED_POLICY)
  return {
    name,
    statement,
    examples: (scope) => [...new Set(shapeOf(scope).examples)],
    arbitrary: (scope) => {
      const { chars, lengths, classes, barely } = shapeOf(scope)
      const [min, max] = [Math.min(...lengths), Math.max(...lengths)]
      const one = classes.map((name) => fc.constantFrom(...(name === barely ? CLASSES : USUAL)[name]))
      const made = fc
        .tuple(
          fc.tuple(...one),
          fc.array(fc.constantFrom(...(chars === '' ? 'a' : chars)), {
            minLength: Math.max(min - one.length, 0),
            maxLength: Math.max(max - one.length, 0),
            size: 'max',
          }),
          fc.infiniteStream(fc.nat(1000)),
        )
        .map(([required, rest, dice]) => shuffle([...required, ...rest], dice).join(''))
      // So that an example shrinks too; what the oracle does not admit is passed over.
      const any = fc.string({ unit: fc.constantFrom(...PRINTABLE), maxLength: max, size: 'max' })
      return fc.oneof({ arbitrary: made, weight: 1000 }, { arbitrary: any, weight: 1 })
    },
    bind: plain,
    show: (value) => value,
    // Whether outer white space counts is not stated.
    inScope: (_, { policy }, candidate) => {
      const password = candidate?.password.wire
      return (
        password !== undefined &&
        policy !== undefined &&
        password.trim() === password &&
        password.length <= maxPlainLength(policy) &&
        !THREE_IN_A_ROW.test(password) &&
        admits(password, policy)
      )
    },
  }
}

function shuffle(chars: readonly string[], dice: Iterator<number>): readonly string[] {
  const left = [...chars]
  const shuffled: string[] = []
  while (left.length > 0) shuffled.push(...left.splice((dice.next().value ?? 0) % left.length, 1))
  return shuffled
}
