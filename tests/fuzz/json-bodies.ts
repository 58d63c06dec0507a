import fc, { type Arbitrary } from 'fast-check'
import { providerWithoutCallback, refusingProvider } from './expect-sign-in.js'
import { bytesOf } from './form-bodies.js'

const name = fc.oneof(
  fc.constantFrom('ann', 'cay', 'dan', '', 'e'.repeat(256), 'e'.repeat(257), '__proto__', 'Zoë & Søn'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const email = fc.oneof(
  fc.constantFrom('cay@x', 'dan@x', '', 'x', '@x', 'x@', 'a@b@c', 'a b@c', `${'m'.repeat(320)}@x`),
  fc.emailAddress(),
)
const newPassword = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Secret-1', 'Sëcret-1', 'Aa1!Aa', 'P4ss word') },
  fc.constantFrom(
    '',
    'Aa1!A',
    'secret-1',
    'SECRET-1',
    'Secret-x',
    'Secret12',
    '\u{1f511}',
    'Ää1!',
    '٣Secret-',
  ),
  fc.string({ maxLength: 12 }),
)
const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined))
const member = (usual: Arbitrary<string>): Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, odd)

/** New accounts, many of which the policy allows. */
export const accountBody: Arbitrary<string> = fc
  .record({ userName: member(name), email: member(email), password: member(newPassword) })
  .map((account) => bytesOf(JSON.stringify(account)))

export const signInBody: Arbitrary<string> = fc
  .record({
    provider: member(fc.constantFrom(refusingProvider, providerWithoutCallback, 'other', '__proto__', '')),
    code: member(fc.string({ maxLength: 20 })),
  })
  .map((signIn) => bytesOf(JSON.stringify(signIn)))

/** What is no object with the right members, or hardly JSON. */
export const strangeJson: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '[]',
    'null',
    '"x"',
    '1e999',
    '{"userName":',
    '{"a":1}{"b":2}',
    `${'['.repeat(2000)}${']'.repeat(2000)}`,
  ),
  fc.constantFrom(
    '\xef\xbb\xbf{"provider":"acme"}',
    '{"provider":"\\ud800"}',
    '{"provider":"acme","provider":"x"}',
    '{"provider":"\xff"}',
    "{'provider':'acme'}",
    '{"__proto__":{"provider":"acme"}}',
    ' {"provider":"acme"}\n',
  ),
  fc.json().map(bytesOf),
)
