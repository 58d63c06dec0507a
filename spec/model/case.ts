import type { Case as WrittenCase, Step as WrittenStep } from '../generated/types/case-file.js'
import type { Expectation } from './expectation.js'
import { pointerTo } from './json.js'

export type {
  Fields,
  Registration as RegistrationTemplate,
  Request as RequestTemplate,
} from '../generated/types/case-file.js'

/** Generator arguments by variable: the generator's name. */
export type Forall = NonNullable<WrittenCase['forall']>

/** What is sent (exactly one of `send`, `register`, `signIn` and `property`), and what the rules expect of the answer. */
export interface Step extends Omit<WrittenStep, 'expect'>, Pick<WrittenCase, 'property'> {
  readonly expect?: readonly Expectation[]
}

/** One case of a case file, with what is written in short written out: steps, and the expectations of groups. */
export interface Case
  extends Omit<WrittenCase, 'send' | 'register' | 'signIn' | 'property' | 'steps' | 'expect'> {
  readonly section: string
  readonly steps: readonly Step[]
  /** The rules of which its judgements gate nothing: set by `withAdvice`, never written down. */
  readonly advisory?: readonly string[]
}

/** Whether nothing that the case judges gates. */
export function isAdvice({ steps, advisory = [] }: Case): boolean {
  return (
    advisory.length > 0 &&
    steps.every(({ expect = [] }) => expect.every(({ rule }) => advisory.includes(rule)))
  )
}

/** A `$root.path` in a string of a template, and the JSON pointer of that string. */
export interface Reference {
  readonly root: string
  readonly pointer: string
}

/** Every `$reference` in the strings of a value; `$$` is a literal `$`. */
export function referencesIn(value: unknown, pointer: string, found: Reference[] = []): readonly Reference[] {
  if (typeof value === 'string') {
    for (const [, root] of value.matchAll(/\$\$|\$([A-Za-z]\w*)/g))
      if (root !== undefined) found.push({ root, pointer })
  } else if (typeof value === 'object' && value !== null)
    // An array's entries have their indices as keys.
    for (const [key, item] of Object.entries(value))
      if (typeof item === 'object' || (typeof item === 'string' && item.includes('$')))
        referencesIn(item, pointerTo(pointer, key), found)
  return found
}
