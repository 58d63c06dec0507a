import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, carriesToken, raw, rendered } from './overrides.js'

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
export const jsonTextMutants: readonly Mutant[] = [
  ...breaking(body, rendered, {
    'duplicate-member: The token response names token_type twice.': ['{', '{"token_type":"bearer",'],
    'duplicate-escaped-member: The token response names access_token again, with an escape in it.': (text) =>
      text.replace('{', '{"\\u0061ccess_token":"another-token",'),
    'nested-duplicate-member: An extra member of the token response is an object that names a member twice.':
      (text) => text.replace(/\}$/, ',"more":{"a":1,"a":2}}'),
    'byte-order-mark: A byte order mark comes before the token response.': [/^/, '\ufeff'],
    "trailing-comma: A comma follows the token response's last member.": [/\}$/, ',}'],
    'text-after-object: A template comment follows the token response.': [/$/, '\n<!-- 12 ms -->'],
    'two-objects: A second, empty object follows the token response.': [/$/, '{}'],
    'script-guard: The token response begins with a guard against cross-site script inclusion.': (text) =>
      text.replace(/^/, ")]}',\n"),
    'no-break-space-after-object: A no-break space, which is not JSON white space, follows the response.': (
      text,
    ) => text.replace(/$/, '\u00a0'),
    'control-character-in-string: An extra member of the token response contains an unescaped tab.': (text) =>
      text.replace(/\}$/, ',"note":"a\tb"}'),
  }),
  ...breaking({ violates: body, collateral: ['2.1-expires_in'] }, asIs, {
    'leading-zero: expires_in has a leading zero, which JSON does not allow.': raw('expires_in', '01209599'),
  }),
  ...breaking(['2.1-json-object', '2.1-userName'], asIs, {
    'latin-1: The token response is encoded in ISO 8859-1.': answers((answer) =>
      carriesToken(answer) ? { ...answer, body: Buffer.from(answer.body.toString(), 'latin1') } : answer,
    ),
  }),
  ...breaking(body, asIs, {
    'surrogates-in-utf-8: An extra member contains a lone surrogate, encoded like UTF-8.': answers(
      (answer) => (carriesToken(answer) ? { ...answer, body: withHalfCharacter(answer.body) } : answer),
    ),
  }),
  ...breaking(unreadable, rendered, {
    'single-quotes: The token response is written with single quotes.': [/"/g, "'"],
    'array: The token response is an array that holds the object.': (json) => `[${json}]`,
  }),
  ...breaking(
    {
      violates: ['1-exchange', '4.1-R3', '5-R1', '2.1-access_token'],
      collateral: unreadable.collateral.filter((rule) => rule !== '2.1-access_token'),
    },
    asIs,
    {
      'wrapped-object: The token response is wrapped in a member `data`.': rendered(
        (json) => `{"data":${json}}`,
      ),
    },
  ),
]

function withHalfCharacter(body: string | Uint8Array): Uint8Array {
  const start = Buffer.from(`${body.toString().slice(0, -1)},"note":"`)
  return Buffer.concat([start, Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])
}
