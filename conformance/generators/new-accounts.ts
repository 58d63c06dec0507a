import fc from 'fast-check'
import type { RedactableText } from '../exchange/redactable-text.js'
import { inDigits } from '../target/accounts/fresh-account.js'
import { SYMBOLS } from './characters.js'
import type { Generator, Scope } from './generator.js'

/** Characters put into a new name, and where; or a name of one class alone. */
export type NewName = { readonly chars: string; readonly at: number; readonly all?: 'digits' | 'capitals' }

const AT_DOT_UNDERSCORE = '@._'
const OTHERS = [...SYMBOLS].filter((char) => !AT_DOT_UNDERSCORE.includes(char)).join('')
/** Not alphanumeric either. The last in a name, a line end slips past a pattern that ends in `$`. A check in C ends at a NUL. */
const CONTROLS = '\n\r\t\u0001\u007f\u0000\u001f'

/** In NFC. The first has no place in ISO 8859-1, so that every wrong decoder garbles it. */
const BEYOND_ASCII = 'Żëй名'

/** Names by the characters put into them; `is` decides by those of the final name that are not alphanumeric. */
const KINDS: readonly {
  readonly kind: string
  readonly statement: string
  readonly chars: string
  readonly is: (odd: readonly string[]) => boolean
}[] = [
  {
    kind: 'alphanumeric',
    statement: 'new user names of letters and digits alone',
    chars: 'abcxyzABCXYZ0189',
    is: (odd) => odd.length === 0,
  },
  {
    kind: 'printable',
    statement: 'new user names with any printable ASCII character inside',
    chars: SYMBOLS,
    is: (odd) => odd.length > 0 && odd.every((char) => char >= ' ' && char <= '~'),
  },
  {
    kind: 'other',
    statement:
      'new user names with one ASCII character that is neither letter nor digit, but for `@`, `.` and `_`',
    chars: OTHERS + CONTROLS,
    is: (odd) =>
      odd.some((char) => !AT_DOT_UNDERSCORE.includes(char)) && odd.every((char) => char <= '\u007f'),
  },
  {
    kind: 'at-dot-underscore',
    statement: 'new user names with `@`, `.` or `_`',
    chars: AT_DOT_UNDERSCORE,
    is: (odd) => odd.length > 0 && odd.every((char) => AT_DOT_UNDERSCORE.includes(char)),
  },
  {
    kind: 'beyond-ascii',
    statement: 'new user names with letters beyond ASCII, of ISO 8859-1 and beyond it',
    chars: BEYOND_ASCII,
    is: (odd) => odd.length > 0 && odd.every((char) => BEYOND_ASCII.includes(char)),
  },
]

/** A made-up name has 13 characters before the part that differs from run to run. */
function placeOf(at: number): string {
  if (at === 0) return 'at the beginning'
  return at > 12 ? 'at the end' : `after character ${at}`
}

/** `with "Q" at the beginning`, `in digits alone`. */
export function whatIsPut({ chars, at, all }: NewName): string {
  if (all !== undefined) return `in ${all} alone`
  return `with ${JSON.stringify(chars)} ${placeOf(at)}`
}

export function putInto(name: string, { chars, at }: NewName): string {
  return name.slice(0, at) + chars + name.slice(at)
}

/** 8-alphanumeric-user-names: names of each kind; each is used once. */
export const userNames: readonly Generator<NewName>[] = KINDS.map(({ kind, statement, chars, is }) => ({
  name: `user-name(${kind})`,
  statement,
  examples: () => [
    // What slips past a pattern.
    ...[...chars].filter((char) => char === '\n').map((char) => ({ chars: char, at: 99 })),
    // In front where it means something to a service: an id, an option, a hidden file, a number to call.
    ...[...chars].filter((char) => '01._-@+#$~'.includes(char)).map((char) => ({ chars: char, at: 0 })),
    ...[...chars].map((char, index) => ({ chars: char, at: 1 + (index % 8) })),
    // At the end too, except for a space, which might be trimmed.
    ...[...chars].filter((char) => char !== ' ').map((char) => ({ chars: char, at: 99 })),
  ],
  arbitrary: () =>
    fc.record({
      chars: fc.string({ unit: fc.constantFrom(...chars), minLength: 1, maxLength: 3 }),
      at: fc.nat(12),
    }),
  bind: (value, scope) => {
    const { at, all } = value
    const { wire, shown } = newName(scope)
    if (all === 'digits') return { wire: inDigits(wire), shown: `‹${shown.replace(/‹.*/, '')} in digits›` }
    if (all === 'capitals') return { wire: wire.toUpperCase(), shown: inCapitals(shown) }
    const shownPut = at < shown.indexOf('‹') ? putInto(shown, value) : shown + value.chars
    return { wire: putInto(wire, value), shown: shownPut }
  },
  show: (value) => `a new name ${whatIsPut(value)}`,
  inScope: (_, __, candidate) => {
    const name = candidate?.userName.wire
    return (
      name !== undefined && !/^ | $/.test(name) && is([...name].filter((char) => !/^[0-9A-Za-z]$/.test(char)))
    )
  },
}))

/** 8-alphanumeric-user-names, 8-R1: names that the policy allows, to register and to log in with. */
export const allowedUserName: Generator<NewName> = {
  ...ofKind('alphanumeric'),
  name: 'user-name(allowed)',
  statement:
    'new user names that begin with a digit or a capital, or have no others, and hold symbols where the policy allows them',
  examples: (scope) => [
    { chars: '7', at: 0 },
    { chars: 'Q', at: 0 },
    ...(kindAllowed(scope) === 'printable' ? MANY : []).map((chars) => ({ chars, at: 6 })),
    ...(['digits', 'capitals'] as const).map((all) => ({ chars: '', at: 0, all })),
    ...ofKind(kindAllowed(scope)).examples(scope),
  ],
  arbitrary: (scope) => ofKind(kindAllowed(scope)).arbitrary(scope),
  inScope: (request, scope, candidate) =>
    ['alphanumeric', kindAllowed(scope)].some((kind) => ofKind(kind).inScope(request, scope, candidate)),
}

/** Several at once, so that few names show whether any of them is refused. */
const MANY = [`'"&`, ' <+']

function kindAllowed({ policy }: Scope): string {
  return policy?.alphanumericUserNamesOnly === false ? 'printable' : 'alphanumeric'
}

function ofKind(kind: string): Generator<NewName> {
  const found = userNames.find(({ name }) => name === `user-name(${kind})`)
  if (found === undefined) throw new TypeError(`there are no user names of kind ${kind}`)
  return found
}

/** What is put around a new local part. */
export type NewEmail = { readonly before: string; readonly after: string }

const ATOM = 'abcxyzABCXYZ0189'

/** 8-unique-email: addresses that no account has, plain: services refuse many that RFC 5321 allows. */
export const email: Generator<NewEmail> = {
  name: 'email',
  statement: 'new e-mail addresses with a local part of letters and digits, of either case',
  examples: () => [
    { before: '', after: '' },
    // Mixed case: what is compared is the identical address.
    { before: 'Anna', after: 'Z' },
    { before: '0', after: '9' },
  ],
  arbitrary: () =>
    fc.record({
      before: fc.string({ unit: fc.constantFrom(...ATOM), maxLength: 8 }),
      after: fc.string({ unit: fc.constantFrom(...ATOM), maxLength: 8 }),
    }),
  bind: ({ before, after }, scope) => {
    const { wire, shown } = newName(scope)
    const { emailDomain = 'example.com', shownEmailDomain = emailDomain } = scope
    return {
      wire: `${before}${wire}${after}@${emailDomain}`,
      shown: `${before}${shown}${after}@${shownEmailDomain}`,
    }
  },
  show: ({ before, after }) => `${before}‹new›${after}`,
  inScope: (_, __, candidate) =>
    candidate !== undefined && /^[0-9A-Za-z]+@[\w-]+(?:\.[\w-]+)*$/.test(candidate.email.wire),
}

/** What is in brackets stays: it is replaced where a request is shown. */
function inCapitals(shown: string): string {
  return shown.replace(/^[^‹]*/, (own) => own.toUpperCase())
}

function newName({ unique }: Scope): RedactableText {
  if (unique === undefined) throw new TypeError('registration is not declared')
  return unique()
}
