import fc from 'fast-check'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { plain } from '../exchange/redactable-text.js'
import { violatedBy } from '../target/accounts/policy.js'
import type { Generator, Scope } from './generator.js'
import { CLASS_NAMES, compose } from './password-classes.js'

/** What a password holds beside usual characters, and another that a store may take for the same. */
const KINDS: Readonly<Record<string, readonly [exact: string, changed: string]>> = {
  // Both are none of ISO 8859-1, and have the same low bytes.
  'letters beyond ASCII': ['\u0142\u017c', '\u0242\u027c'],
  'characters beyond 16 bits': ['\u{1f511}', '\u{1f512}'],
  'a decomposed letter': ['e\u0301', 'e\u0300'],
  'a ligature and a full-width letter': ['\ufb01\uff21', 'fiA'],
  'two spaces in a row': ['  ', ' '],
  '128 characters': ['x', 'y'],
  // A filter of all input decodes both once more, and removes tags.
  'an escape of a form': ['%41', 'A'],
  'an entity of HTML': ['&amp;', '&'],
  // A filter of input drops them, or makes one of two, or another character.
  'an escape of a string': ['\\n', 'n'],
  'two quotes': ["''", "'"],
  'a double quote': ['"', ''],
  'a composed letter': ['\u00e9', '\u00e8'],
  '64 characters': ['x', 'X'],
  'a no-break space': ['\u00a0', '-'],
  'a tag of HTML': ['<b>', ''],
  // What replaces texts, fills in templates, or removes comments and steps of a path takes them for its own.
  'two dollar signs, and two slashes': ['$$//', '$/'],
  'placeholders of templates': ['${a}{{b}}../', ''],
}
/** Of what is added to the usual characters: what is cut off is the end. */
const USUAL_LENGTH = 12

export function isBeyondAscii(kind: string): boolean {
  return /[^ -~]/.test(KINDS[kind]?.[0] ?? '')
}

/** Whether the other one differs in letter case alone. */
export function isOfOtherCase(kind: string): boolean {
  const [exact = '', changed = ''] = KINDS[kind] ?? []
  return exact !== changed && exact.toLowerCase() === changed.toLowerCase()
}

/** 8-R1, 4.1-credentials: passwords that a service need not accept, each with another one that is not the same. */
export const unusualPassword: Generator<string> = {
  name: 'password-unusual',
  statement:
    'passwords of characters beyond ASCII and beyond 16 bits, composed and decomposed, with spaces, escapes, tags and placeholders inside, and long ones',
  examples: () => Object.keys(KINDS),
  arbitrary: () => fc.constantFrom(...Object.keys(KINDS)),
  bind: (kind, scope) => {
    const [exact, changed] = textsOf(kind, scope)
    return { exact: plain(exact), changed: plain(changed) }
  },
  show: (kind) => kind,
  inScope: (_, { policy }, candidate) =>
    candidate !== undefined &&
    policy !== undefined &&
    violatedBy(candidate.password.wire, policy).length === 0,
}

/** A service may compose both (RFC 8265): by NFC too the two differ. By NFKC they may not: it makes another password right. */
function textsOf(kind: string, { policy = LISTED_POLICY }: Scope): readonly [string, string] {
  const [exact = '', changed = ''] = KINDS[kind] ?? []
  const wanted = Number.parseInt(kind, 10) || 0
  const length = Math.max(policy.minimumLength, wanted - exact.length, USUAL_LENGTH)
  const usual = compose(CLASS_NAMES, length, 0)
  // At the end where the end is what matters, else inside.
  const at = wanted > 0 ? usual.length : USUAL_LENGTH / 2
  const around = (part: string): string => usual.slice(0, at) + part + usual.slice(at)
  return [around(exact), around(changed)]
}
