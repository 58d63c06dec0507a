import fc from 'fast-check'
import type { RegistrationTemplate, RequestTemplate } from '../../../../spec/model/case.js'
import { PLAIN_FORM } from '../../../drivers/pair/probe.js'
import type { FormPair } from '../../../exchange/form-pairs.js'

type Draft = Omit<RequestTemplate, 'form'> & { readonly pairs: readonly FormPair[] }
type Edit = (draft: Draft) => Draft
type TextEdit = (value: string) => string

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'QUERY']

const PATHS = '/token /TOKEN /Token/ //Token /Token%20 /%54oken /Token/x /Token;v=1 / /Tokens'.split(' ')

const CONTENT_TYPES: readonly (string | null)[] = [
  'application/x-www-form-urlencoded; charset=UTF-8',
  'application/x-www-form-urlencoded; charset=ISO-8859-1',
  'APPLICATION/X-WWW-FORM-URLENCODED',
  'application/x-www-form-urlencoded;',
  'application/x-www-form-urlencoded, text/plain',
  'application/x-www-form-urlencodedx',
  ...['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', '*/*', 'x', ''],
  null,
]

const BODIES = [
  ...['', 'x', '{}', '{', '=', '&&&', 'grant_type'],
  '{"grant_type":"password","username":"$account.userName","password":"$account.password"}',
]

const HEADERS: readonly FormPair[] = [
  ...['application/json', 'text/html', 'application/xml', 'application/json;q=0'].map(
    (type): FormPair => ['Accept', type],
  ),
  ['Accept-Language', 'de'],
  ['Accept-Charset', 'iso-8859-1'],
  ['Origin', 'https://client.example'],
  ['Origin', 'null'],
  ['Referer', 'https://client.example/'],
  ['User-Agent', 'Mozilla/5.0 (token-assay)'],
  ['User-Agent', ''],
  ['Cookie', 'session=x'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['X-Forwarded-Proto', 'https'],
  ['X-HTTP-Method-Override', 'GET'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-9'],
  ['Cache-Control', 'no-cache'],
  ['Authorization', 'Basic Y2xpZW50OnNlY3JldA=='],
  ['Authorization', 'Bearer x'],
  ['Authorization', 'x'],
  ['Content-Language', 'de'],
  ['Content-Encoding', 'identity'],
]

/** Of the value of a parameter. */
const VALUES: readonly TextEdit[] = [
  (value) => `${value} `,
  (value) => ` ${value}`,
  (value) => `${value}!`,
  (value) => `x${value}`,
  (value) => `${value}\0`,
  (value) => `${value}\r\n`,
  (value) => `"${value}"`,
  (value) => `${value},${value}`,
  ...['', 'x', 'ä€😀', '%00', '<script>', 'x'.repeat(300), 'x'.repeat(5000)].map(
    (value): TextEdit =>
      () =>
        value,
  ),
]

/** Of the name of a parameter. */
const RENAMES: readonly TextEdit[] = [
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => `${name}[]`,
  (name) => `${name}[0]`,
  (name) => ` ${name}`,
  (name) => name.replace('_', '.'),
]

const FURTHER: readonly FormPair[] = [
  ['scope', 'read'],
  ['scope', ''],
  ['client_id', 'web'],
  ['client_secret', 'x'],
  ['refresh_token', 'x'],
  ['code', 'x'],
  ['redirect_uri', 'https://client.example/'],
  ['state', 'x'],
  ['', 'x'],
  ['x', ''],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['padding', 'x'.repeat(20_000)],
]

function withPart(part: Partial<Draft>): Edit {
  return (draft) => ({ ...draft, ...part })
}

function onPairs(change: (pairs: readonly FormPair[]) => readonly FormPair[]): Edit {
  return (draft) => ({ ...draft, pairs: change(draft.pairs) })
}

/** Of one parameter: another value, another name, left out, twice, or in the query. */
function editsOf(name: string): readonly Edit[] {
  const each = (change: (pair: FormPair) => FormPair): Edit =>
    onPairs((pairs) => pairs.map((pair) => (pair[0] === name ? change(pair) : pair)))
  return [
    ...VALUES.map((change) => each(([own, value]) => [own, change(value)])),
    ...RENAMES.map((rename) => each(([own, value]) => [rename(own), value])),
    onPairs((pairs) => pairs.filter(([own]) => own !== name)),
    onPairs((pairs) => [...pairs, ...pairs.filter(([own]) => own === name)]),
    onPairs((pairs) => [...pairs, [name, 'x']]),
    (draft) => ({
      ...draft,
      query: draft.pairs.filter(([own]) => own === name),
      pairs: draft.pairs.filter(([own]) => own !== name),
    }),
  ]
}

/** Of other flows: what a rewritten service may support without being asked to. */
const GRANT_TYPES = ['refresh_token', 'client_credentials', 'authorization_code', 'implicit']

function withGrantType(value: string): Edit {
  return onPairs((pairs) =>
    pairs.map(([own, before]): FormPair => [own, own === 'grant_type' ? value : before]),
  )
}

/** Every single way in which a request is made to differ from the plain login. */
const EDITS: readonly Edit[] = [
  ...GRANT_TYPES.map((value) => withGrantType(value)),
  ...METHODS.map((method) => withPart({ method })),
  ...PATHS.map((path) => withPart({ path })),
  ...CONTENT_TYPES.map((contentType) => withPart({ contentType })),
  ...HEADERS.map(
    ([name, value]): Edit =>
      (draft) => ({ ...draft, headers: { ...draft.headers, [name]: value } }),
  ),
  ...PLAIN_FORM.flatMap(([name]) => editsOf(name)),
  ...FURTHER.map((pair) => onPairs((pairs) => [...pairs, pair])),
  onPairs((pairs) => pairs.toReversed()),
  onPairs((pairs) =>
    pairs.map(([own, value]) => [own, own === 'password' ? '$account.passwordInOtherCase' : value]),
  ),
  ...BODIES.map((body) => withPart({ body })),
  withPart({ query: [['x', '1']] }),
  withPart({ query: [['grant_type', 'x']] }),
]

/** More grant types than any list has: a difference may be in one of a hundred. */
const grantType: fc.Arbitrary<Edit> = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_'), maxLength: 24 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 32 }).map((text) => text.replaceAll('$', '$$$$')),
  )
  .map(withGrantType)

/** How a service that reads such a grant type as the right one refuses a form with another fault, which hardly any run draws. */
const ALSO_FAULTY: readonly (readonly Edit[])[] = [
  [withGrantType(' password '), onPairs((pairs) => pairs.filter(([own]) => own !== 'username'))],
]

export const PLANNED_EDITS: readonly RequestTemplate[] = [...EDITS.map((edit) => [edit]), ...ALSO_FAULTY].map(
  requestOf,
)

/** Requests that differ from the plain login in a few ways at once. Plain data, drawn by fast-check. */
export const mutatedLogins: fc.Arbitrary<RequestTemplate> = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...EDITS) }, { weight: 1, arbitrary: grantType }), {
    minLength: 1,
    maxLength: 3,
  })
  .map(requestOf)

function requestOf(edits: readonly Edit[]): RequestTemplate {
  const { pairs, ...rest } = edits.reduce((draft: Draft, edit) => edit(draft), { pairs: PLAIN_FORM })
  return rest.body === undefined ? { ...rest, form: pairs } : rest
}

/** New accounts whose data is unusual in one way: within the policy and out of it. */
export const SINGLE_REGISTRATIONS: readonly RegistrationTemplate[] = [
  ...[
    '',
    'x',
    'abc',
    'abcdef',
    'ABCDEF1!',
    'abcdef1!',
    'Abcdef!x',
    'Abcdef12',
    'Aa1!',
    'Abc1!',
    'Abc1!x',
    '      ',
    'Aa1!'.repeat(30),
    // Without the white space around them, too short, and of letters and digits alone.
    ' Aa1! ',
    ' Abcdef1 ',
  ].map((password) => ({ password })),
  ...['$fresh.password ', ' $fresh.password', 'Ää1!ßß', 'Aa1!😀'].map((password) => ({ password })),
  ...['', 'o.$fresh.userName', '$fresh.userName@x', '$fresh.userName x', '$fresh.userName-x'].map(
    (userName) => ({ userName }),
  ),
  ...['$fresh.userName ', 'ä$fresh.userName', '$fresh.userName<b>'].map((userName) => ({ userName })),
  ...[
    '',
    '$fresh.userName',
    '$fresh.userName@',
    '@$fresh.email',
    '$fresh.userName@localhost',
    'o.$fresh.email',
  ].map((email) => ({ email })),
  ...['tag+$fresh.email', '"x"$fresh.email', ' $fresh.email', '$fresh.email ', '$fresh.email.'].map(
    (email) => ({ email }),
  ),
]

/** Passwords that no one thought of. */
export const mutatedRegistrations: fc.Arbitrary<RegistrationTemplate> = fc
  .string({ unit: fc.constantFrom(...'abcABC123!- ä'), minLength: 0, maxLength: 12 })
  .map((password) => ({ password }))
