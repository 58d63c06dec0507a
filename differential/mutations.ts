import fc from 'fast-check'
import type { RequestTemplate } from '../spec/model/case.js'
import { PLAIN_FORM } from './probe.js'

type Pair = readonly [name: string, value: string]
/** A request while it is being changed. */
type Draft = Omit<RequestTemplate, 'form'> & { readonly pairs: readonly Pair[] }
type Edit = (draft: Draft) => Draft

const NAMES = ['grant_type', 'username', 'password'] as const

/** Requests that differ from the plain login in one way, or in a few at once. Plain data, drawn by fast-check. */
export function mutatedLogins(): fc.Arbitrary<RequestTemplate> {
  return fc.array(edits(), { minLength: 1, maxLength: 3 }).map((all) => {
    const { pairs, ...rest } = all.reduce((draft, edit) => edit(draft), { pairs: PLAIN_FORM } as Draft)
    return rest.body !== undefined || rest.json !== undefined ? rest : { ...rest, form: pairs }
  })
}

function edits(): fc.Arbitrary<Edit> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...METHODS).map((method): Edit => (draft) => ({ ...draft, method })) },
    { weight: 2, arbitrary: paths.map((path): Edit => (draft) => ({ ...draft, path })) },
    { weight: 3, arbitrary: fc.constantFrom(...CONTENT_TYPES).map((contentType): Edit => (draft) => ({ ...draft, contentType })) },
    { weight: 5, arbitrary: headers },
    { weight: 8, arbitrary: valueEdits() },
    { weight: 5, arbitrary: pairEdits() },
    { weight: 2, arbitrary: fc.constantFrom(...BODIES).map((body): Edit => (draft) => ({ ...draft, body })) },
    { weight: 2, arbitrary: queryEdits() },
    // More grant types than any list: a difference may be in one of a hundred.
    { weight: 12, arbitrary: grantTypes.map((value): Edit => set('grant_type', value)) },
  )
}

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'QUERY']

const paths = fc.constantFrom(
  ...['/token', '/TOKEN', '/Token/', '//Token', '/Token%20', '/%54oken', '/Token/x', '/Token;v=1', '/Token?x=1', '/', '/Tokens'],
)

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
  '',
  'x',
  '{}',
  '{',
  '=',
  '&&&',
  'grant_type',
  'grant_type=password&username=%zz&password=%',
  'grant_type=password;username=x;password=x',
  '{"grant_type":"password","username":"$account.userName","password":"$account.password"}',
  '\ufeffgrant_type=password',
]

const headers: fc.Arbitrary<Edit> = fc
  .constantFrom<Pair>(
    ['Accept', 'application/json'],
    ['Accept', 'text/html'],
    ['Accept', 'application/xml'],
    ['Accept', 'application/json;q=0'],
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
  )
  .map(([name, value]): Edit => (draft) => ({ ...draft, headers: { ...draft.headers, [name]: value } }))

const grantTypes = fc.oneof(
  fc.constantFrom('refresh_token', 'client_credentials', 'authorization_code', 'implicit', 'PASSWORD', 'password '),
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_'), minLength: 0, maxLength: 24 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 32 }).map((text) => text.replaceAll('$', '$$$$')),
)

/** Of any parameter. */
function valueEdits(): fc.Arbitrary<Edit> {
  const changes: readonly ((value: string) => string)[] = [
    () => '',
    () => 'x',
    (value) => `${value} `,
    (value) => ` ${value}`,
    (value) => `${value}!`,
    (value) => `x${value}`,
    (value) => `${value}\0`,
    (value) => `${value}\r\n`,
    (value) => `"${value}"`,
    (value) => `${value},${value}`,
    () => 'ä€😀',
    () => '%00',
    () => '<script>',
    () => 'x'.repeat(300),
    () => 'x'.repeat(5000),
  ]
  return fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...changes))
    .map(([name, change]): Edit => (draft) => ({
      ...draft,
      pairs: draft.pairs.map(([own, value]): Pair => [own, own === name ? change(value) : value]),
    }))
}

/** Pairs that are left out, doubled, renamed, added, or in another order. */
function pairEdits(): fc.Arbitrary<Edit> {
  const renames: readonly ((name: string) => string)[] = [
    (name) => name.toUpperCase(),
    (name) => `${name}[]`,
    (name) => `${name}[0]`,
    (name) => ` ${name}`,
    (name) => name.replace('_', '.'),
    (name) => name.charAt(0).toUpperCase() + name.slice(1),
  ]
  const further: readonly Pair[] = [
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
  const pairOf = (draft: Draft, name: string): Pair => [name, new Map(draft.pairs).get(name) ?? 'x']
  return fc.oneof(
    fc.constantFrom(...NAMES).map((name): Edit => (draft) => ({ ...draft, pairs: draft.pairs.filter(([own]) => own !== name) })),
    fc.constantFrom(...NAMES).map((name): Edit => (draft) => ({ ...draft, pairs: [...draft.pairs, pairOf(draft, name)] })),
    fc.constantFrom(...NAMES).map((name): Edit => (draft) => ({ ...draft, pairs: [...draft.pairs, [name, 'x']] })),
    fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...renames)).map(([name, rename]): Edit => (draft) => ({
      ...draft,
      pairs: draft.pairs.map(([own, value]): Pair => [own === name ? rename(own) : own, value]),
    })),
    fc.constantFrom(...further).map((pair): Edit => (draft) => ({ ...draft, pairs: [...draft.pairs, pair] })),
    fc.constant<Edit>((draft) => ({ ...draft, pairs: draft.pairs.toReversed() })),
  )
}

/** A parameter, or all of them, in the query. */
function queryEdits(): fc.Arbitrary<Edit> {
  return fc.oneof(
    fc.constantFrom(...NAMES.slice(0, 2)).map((name): Edit => (draft) => ({
      ...draft,
      query: draft.pairs.filter(([own]) => own === name),
      pairs: draft.pairs.filter(([own]) => own !== name),
    })),
    fc.constant<Edit>((draft) => ({ ...draft, query: [['x', '1']] })),
    fc.constant<Edit>((draft) => ({ ...draft, query: [['grant_type', 'x']] })),
  )
}

function set(name: string, value: string): Edit {
  return (draft) => ({ ...draft, pairs: draft.pairs.map(([own, before]): Pair => [own, own === name ? value : before]) })
}

/** New accounts whose data is unusual in one way: within the policy and out of it. */
export const mutatedRegistrations: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  fc
    .constantFrom('', 'x', 'abc', 'abcdef', 'ABCDEF1!', 'abcdef1!', 'Abcdef!x', 'Abcdef12', '      ', 'Aa1!'.repeat(30), '$fresh.password ', ' $fresh.password', 'Ää1!ßß', 'Aa1!😀')
    .map((password) => ({ password })),
  fc
    .string({ unit: fc.constantFrom(...'abcABC123!- ä'), minLength: 0, maxLength: 12 })
    .map((password) => ({ password })),
  fc
    .constantFrom('', 'o.$fresh.userName', '$fresh.userName@x', '$fresh.userName x', '$fresh.userName-x', '$fresh.userName ', 'ä$fresh.userName', '$fresh.userName<b>')
    .map((userName) => ({ userName })),
  fc
    .constantFrom('', 'x', '$fresh.userName@', '@$fresh.email', 'o.$fresh.email', 'tag+$fresh.email', '"x"$fresh.email', ' $fresh.email', '$fresh.email ', '$fresh.email.')
    .map((email) => ({ email })),
)
