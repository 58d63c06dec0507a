import fc from 'fast-check'
import type { Text } from '../session/text.js'
import { SYMBOLS } from './characters.js'
import type { Generator, Scope } from './generator.js'

/** Characters put into a new name, and where. */
export type NewName = { readonly chars: string; readonly at: number }

const AT_DOT_UNDERSCORE = '@._'
const OTHERS = [...SYMBOLS].filter((char) => !AT_DOT_UNDERSCORE.includes(char)).join('')
/** Not alphanumeric either. The last in a name, a line end slips past a pattern that ends in `$`. */
const CONTROLS = '\n\r\t\u0001\u007f'

type Kind = 'alphanumeric' | 'printable' | 'other' | 'at-dot-underscore'

const KINDS: Readonly<Record<Kind, { readonly statement: string; readonly chars: string }>> = {
  alphanumeric: {
    statement: 'new user names of letters and digits alone',
    chars: 'abcxyzABCXYZ0189',
  },
  printable: {
    statement: 'new user names with any printable ASCII character inside',
    chars: SYMBOLS,
  },
  other: {
    statement:
      'new user names with one ASCII character that is neither letter nor digit, but for `@`, `.` and `_`',
    chars: OTHERS + CONTROLS,
  },
  'at-dot-underscore': {
    statement: 'new user names with `@`, `.` or `_`',
    chars: AT_DOT_UNDERSCORE,
  },
}

/** 8-alphanumeric-user-names: names of one kind; each is used once. */
export function userName(kind: Kind): Generator<NewName> {
  const { chars, statement } = KINDS[kind]
  return {
    name: `user-name(${kind})`,
    statement,
    examples: () => [
      ...[...chars].map((char, index) => ({ chars: char, at: 1 + (index % 8) })),
      // At the end, but where a space might be trimmed off unseen.
      ...[...chars].filter((char) => char !== ' ').map((char) => ({ chars: char, at: 99 })),
    ],
    arbitrary: () =>
      fc.record({
        chars: fc.string({ unit: fc.constantFrom(...chars), minLength: 1, maxLength: 3 }),
        at: fc.nat(12),
      }),
    bind: (value, scope) => nameOf(value, scope),
    show: ({ chars: put, at }) => `a new name with ${JSON.stringify(put)} at ${at}`,
    promises: (_, __, candidate) => {
      const name = candidate?.userName.wire
      return name !== undefined && name.replace(/^ +| +$/g, '') === name && isOfKind(name, kind)
    },
  }
}

export const USER_NAME_KINDS: readonly Kind[] = ['alphanumeric', 'printable', 'other', 'at-dot-underscore']

function nameOf({ chars, at }: NewName, { unique }: Scope): Text {
  if (unique === undefined) throw new TypeError('registration is not declared')
  const base = unique()
  const put = (text: string): string => text.slice(0, at) + chars + text.slice(at)
  return { wire: put(base.wire), shown: at < base.shown.indexOf('‹') ? put(base.shown) : base.shown + chars }
}

/** Told from the final name alone. */
function isOfKind(name: string, kind: Kind): boolean {
  const others = [...name].filter((char) => !/^[0-9A-Za-z]$/.test(char))
  switch (kind) {
    case 'alphanumeric':
      return others.length === 0
    case 'printable':
      return others.length > 0 && others.every((char) => char >= ' ' && char <= '~')
    case 'other':
      return others.some((char) => !/^[@._]$/.test(char)) && others.every((char) => char <= '\u007f')
    case 'at-dot-underscore':
      return others.length > 0 && others.every((char) => /^[@._]$/.test(char))
  }
}
