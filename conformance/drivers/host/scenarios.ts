import { specifiedBehaviour } from '../../../reference/behaviour.js'
import type { Answer } from '../../../reference/http/answer.js'
import type { ReferenceServerOptions } from '../../../reference/server.js'
import type { Json } from '../../../spec/model/json.js'
import { EXPIRY_SCENARIOS } from './expiry-scenarios.js'
import { answering, FREEDOM_NAMES, FREEDOMS, PLAIN_CHOICE } from './legal-answers.js'
import type { Scenario } from './scenario.js'

/** A plain answer must sign in, and a refusal must not: without both nothing that a client does shows anything. */
export const GRANTED: Scenario = {
  id: 'client:request/plain',
  title: 'right credentials, and a plain answer',
  expects: 'signed-in',
  rules: [
    'client:request-method',
    'client:request-path',
    'client:request-media-type',
    'client:request-grant_type',
    'client:request-username',
    'client:request-password',
    'client:request-secrets',
    'client:request-once',
    'client:request-bearer',
    'client:answer-reported',
  ],
  service: () => ({}),
}

export const REFUSED: Scenario = refused(
  'wrong-password',
  'a wrong password is refused by 400 and invalid_grant',
  {
    registered: 'Another-1-password',
  },
)

const CREDENTIALS = ['client:request-username', 'client:request-password', 'client:request-secrets']

const requests = [
  ['plus', 'a plus sign', 'alice', 'a+b+1C'],
  ['percent', 'per cent signs', 'alice', '100%-1A %41'],
  ['ampersand', 'ampersands, equals signs and semicolons', 'alice', 'a&b=c&grant_type=x;1A'],
  ['space', 'spaces, outer ones too', 'alice', ' two  spaces 1A '],
  ['quotes', 'quotes and backslashes', "o'alice", `'1' "A" \\ \`x\``],
  ['umlauts', 'letters beyond ASCII', 'Zoë', 'Pässwörter-1-ß€'],
  ['astral', 'characters beyond 16 bits', 'alice', 'Emoji-😀-1-𝒜'],
  ['decomposed', 'a letter with a combining accent', 'alice', 'e\u0301-1-A'],
  ['shell', 'what a shell reads', 'alice', '$HOME `id` $(id) !1 *?A'],
  ['address', 'an address as user name', 'alice.o+tag@example.com', 'Address-1-password'],
  ['long', '124 characters', 'alice', `Aa1-${'0123456789'.repeat(12)}`],
].map(
  ([name = '', what = '', userName = '', password = '']): Scenario => ({
    id: `client:request/${name}`,
    title: `credentials with ${what} arrive unchanged`,
    expects: 'signed-in',
    rules: CREDENTIALS,
    userName,
    password,
    service: () => ({}),
  }),
)

/** Each way in which an answer may differ, alone. */
const answers: readonly Scenario[] = FREEDOM_NAMES.flatMap((name) => {
  const { rule, ways } = FREEDOMS[name]
  return ways.flatMap(({ when }, place): readonly Scenario[] =>
    place === 0
      ? []
      : [
          {
            id: answerId(when),
            title: `signs in when ${when}`,
            expects: 'signed-in',
            rules: rule === 'client:answer-dates' ? [rule, 'client:answer-reported'] : [rule],
            service: () => answering({ ...PLAIN_CHOICE, [name]: place }),
          },
        ],
  )
})

const error = (status: number, body: Json, type = 'application/json;charset=UTF-8'): Answer => ({
  status,
  headers: [['Content-Type', type]],
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const html = '<!doctype html><title>Sign in</title><p>access_token'

const refusals: readonly Scenario[] = [
  REFUSED,
  refused('documented', 'the documented error', { answer: error(400, { error: 'unsupported_grant_type' }) }),
  refused('401', '401 without a body', {
    answer: { status: 401, headers: [['WWW-Authenticate', 'Bearer']], body: '' },
  }),
  refused('403', '403 and a text', { answer: error(403, 'No.', 'text/plain') }),
  refused('404', '404 and a page', { answer: error(404, html, 'text/html') }),
  refused('500', '500 and a page', { answer: error(500, html, 'text/html') }),
  refused('redirect', 'a redirect to a page', {
    answer: { status: 302, headers: [['Location', '/login']], body: '' },
  }),
  refused('reset', 'a connection that is reset', { deliver: { kind: 'reset' } }),
  refused('no-http', 'bytes that are no HTTP', {
    deliver: { kind: 'raw', bytes: Buffer.from('nonsense\r\n\r\n') },
  }),
  refused('busy', '429 with a wait of two seconds', {
    answer: { ...error(429, { error: 'slow_down' }), headers: [['Retry-After', '2']] },
  }),
  refused('unavailable', '503 with a wait of two seconds', {
    answer: { ...error(503, 'Busy.', 'text/plain'), headers: [['Retry-After', '2']] },
  }),
]

const wrong: readonly Scenario[] = [
  wrongAnswer('no-token', 'there is no `access_token`', { token_type: 'bearer', expires_in: 1209599 }),
  wrongAnswer('null-token', '`access_token` is null', { access_token: null, token_type: 'bearer' }),
  wrongAnswer('empty-token', '`access_token` is empty', { access_token: '', token_type: 'bearer' }),
  wrongAnswer('token-in-array', 'the answer is an array', [{ access_token: 'x', token_type: 'bearer' }]),
  wrongAnswer('error-by-200', 'an error comes with 200', { error: 'invalid_grant' }),
  wrongAnswer('page-by-200', 'a page comes with 200', html, 'text/html'),
  wrongAnswer('cut-json', 'the JSON is cut', '{"access_token":"x","token_type":"bea'),
  wrongAnswer('empty-body', 'the body is empty', ''),
]

/** Every scenario, the controls first. */
export const SCENARIOS: readonly Scenario[] = [
  GRANTED,
  ...refusals,
  ...requests,
  ...answers,
  ...wrong,
  ...EXPIRY_SCENARIOS,
]

function refused(
  name: string,
  what: string,
  {
    answer,
    deliver,
    registered,
  }: {
    readonly answer?: Answer
    readonly deliver?: ReturnType<typeof specifiedBehaviour.deliver>
    readonly registered?: string
  },
): Scenario {
  const rule = name === 'documented' ? 'client:refusal-documented' : 'client:refusal-other'
  return {
    id: `client:refusal/${name}`,
    title: `does not sign in after ${what}`,
    expects: 'refused',
    rules: [rule, 'client:refusal-end', 'client:refusal-retry'],
    ...(registered === undefined ? {} : { registered }),
    service: () =>
      deliver === undefined && answer === undefined
        ? {}
        : delivering(deliver ?? { kind: 'answer', answer: answer ?? error(500, '') }),
  }
}

function wrongAnswer(name: string, when: string, body: Json, type?: string): Scenario {
  return {
    id: `client:wrong/${name}`,
    title: `does not sign in when ${when}`,
    expects: 'safe',
    rules: ['client:wrong-answer'],
    service: () => delivering({ kind: 'answer', answer: error(200, body, type) }),
  }
}

/** The same for every token request. */
function delivering(delivery: ReturnType<typeof specifiedBehaviour.deliver>): ReferenceServerOptions {
  return {
    behaviour: {
      deliver: (own, request) =>
        request.path.endsWith('/Token') ? delivery : specifiedBehaviour.deliver(own, request),
    },
  }
}

/** The id of the case in which that alone differs. */
export function answerId(when: string): string {
  return `client:answer/${when
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`
}
