import type { Mutant } from './mutant.js'
import { answers, carriesToken, raw, rendered } from './overrides.js'
import { mutants } from './row.js'

const body = ['2.1-json-object']
/** Where nothing that is an object can be read, there is no token. */
const unreadable = {
  violates: ['1-exchange', '2.1-json-object', '4.1-R3', '5-R1'],
  collateral: [
    ...['2.1-access_token', '2.1-token_type', '2.1-expires_in', '2.1-userName', '2.1-issued', '2.1-expires'],
    ...['4.1-success', '4.1-form-encoding', '4.2-external-login', '5-R2', '5-R3', '8-R1'],
  ],
}

/** 2.1: the body is one JSON object, and nothing else. */
export const jsonTextMutants: readonly Mutant[] = mutants([
  {
    id: 'duplicate-member',
    sentence: 'The token response names token_type twice.',
    violates: body,
    behaviour: rendered((json) => json.replace('{', '{"token_type":"bearer",')),
  },
  {
    id: 'duplicate-escaped-member',
    sentence: 'The token response names access_token a second time, with an escape in the name.',
    violates: body,
    behaviour: rendered((json) => json.replace('{', '{"\\u0061ccess_token":"another-token",')),
  },
  {
    id: 'nested-duplicate-member',
    sentence: 'An extra member of the token response is an object that names a member twice.',
    violates: body,
    behaviour: rendered((json) => json.replace(/\}$/, ',"more":{"a":1,"a":2}}')),
  },
  {
    id: 'byte-order-mark',
    sentence: 'A byte order mark stands before the token response.',
    violates: body,
    behaviour: rendered((json) => `\ufeff${json}`),
  },
  {
    id: 'trailing-comma',
    sentence: "A comma stands after the token response's last member.",
    violates: body,
    behaviour: rendered((json) => json.replace(/\}$/, ',}')),
  },
  {
    id: 'text-after-object',
    sentence: 'A comment of the template engine follows the token response.',
    violates: body,
    behaviour: rendered((json) => `${json}\n<!-- 12 ms -->`),
  },
  {
    id: 'two-objects',
    sentence: 'A second, empty object follows the token response.',
    violates: body,
    behaviour: rendered((json) => `${json}{}`),
  },
  {
    id: 'script-guard',
    sentence: 'The token response begins with a guard against cross-site script inclusion.',
    violates: body,
    behaviour: rendered((json) => `)]}',\n${json}`),
  },
  {
    id: 'no-break-space-after-object',
    sentence: 'A no-break space, which is no white space of JSON, follows the token response.',
    violates: body,
    behaviour: rendered((json) => `${json}\u00a0`),
  },
  {
    id: 'control-character-in-string',
    sentence: 'An extra member of the token response holds a tab that is not escaped.',
    violates: body,
    behaviour: rendered((json) => json.replace(/\}$/, ',"note":"a\tb"}')),
  },
  {
    id: 'leading-zero',
    sentence: 'expires_in is written with a leading zero, which JSON has not.',
    violates: body,
    collateral: ['2.1-expires_in'],
    behaviour: raw('expires_in', '01209599'),
  },
  {
    id: 'latin-1',
    sentence: 'The token response is encoded in ISO 8859-1.',
    violates: ['2.1-json-object', '2.1-userName'],
    behaviour: answers((answer) =>
      carriesToken(answer) ? { ...answer, body: Buffer.from(answer.body.toString(), 'latin1') } : answer,
    ),
  },
  {
    id: 'surrogates-in-utf-8',
    sentence: 'An extra member holds half a character, encoded as if that were UTF-8.',
    violates: body,
    behaviour: answers((answer) => (carriesToken(answer) ? withHalfCharacter(answer) : answer)),
  },
  {
    id: 'single-quotes',
    sentence: 'The token response is written with single quotes.',
    ...unreadable,
    behaviour: rendered((json) => json.replaceAll('"', "'")),
  },
  {
    id: 'array',
    sentence: 'The token response is an array that holds the object.',
    ...unreadable,
    behaviour: rendered((json) => `[${json}]`),
  },
  {
    id: 'wrapped-object',
    sentence: 'The token response is a member `data` of an object.',
    violates: ['1-exchange', '4.1-R3', '5-R1', '2.1-access_token'],
    collateral: unreadable.collateral.filter((rule) => rule !== '2.1-access_token'),
    behaviour: rendered((json) => `{"data":${json}}`),
  },
])

function withHalfCharacter<A extends { readonly body: string | Uint8Array }>(answer: A): A {
  const [before, after] = [answer.body.toString().slice(0, -1), '"}']
  const bytes = Buffer.concat([
    Buffer.from(`${before},"note":"`),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from(after),
  ])
  return { ...answer, body: bytes }
}
