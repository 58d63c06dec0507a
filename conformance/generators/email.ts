import fc from 'fast-check'
import type { Text } from '../session/text.js'
import type { Generator } from './generator.js'

/** What is put around a new local part. */
export type NewEmail = { readonly before: string; readonly after: string }

const ATOM = 'abcxyz0189'

/** 8-unique-email: valid addresses that nobody has, in the plain forms of RFC 5321. */
export const email: Generator<NewEmail> = {
  name: 'email',
  statement: 'valid e-mail addresses that nobody has: plain, with dots, tags and hyphens',
  examples: () => [
    { before: '', after: '' },
    { before: 'first.last.', after: '' },
    { before: '', after: '+tag' },
    { before: 'o-', after: '_x' },
    { before: '0', after: '9' },
  ],
  arbitrary: () =>
    fc.record({
      before: fc.string({ unit: fc.constantFrom(...ATOM), maxLength: 8 }),
      after: fc.string({ unit: fc.constantFrom(...ATOM, '-', '_', '+'), maxLength: 8 }),
    }),
  bind: ({ before, after }, { unique, emailDomain }): Text => {
    if (unique === undefined) throw new TypeError('registration is not declared')
    const { wire, shown } = unique()
    const around = (name: string): string => `${before}${name}${after}@${emailDomain ?? 'example.com'}`
    return { wire: around(wire), shown: around(shown) }
  },
  show: ({ before, after }) => `${before}‹new›${after}`,
  promises: (_, __, candidate) =>
    candidate !== undefined && /^[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)+$/.test(candidate.email.wire),
}
