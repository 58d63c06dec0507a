import { type Form, formValues, parseForm } from '../../../reference/http/form.js'
import { isMediaType } from '../../../reference/http/media-type.js'
import type { Judgement } from '../../../spec/model/report.js'
import { isResource, type Met, type Played } from '../../drivers/host/play.js'
import type { ClientEnvironment } from '../../drivers/host/scenario.js'
import { cannotTell, type Decision, failed, inapplicable, PASSED } from './decision.js'
import { givesUp, keepsToken, signsInAnew, signsInOnce } from './judge-expiry.js'

type Rule = (played: Played, tokenRequests: readonly Met[]) => Decision
/** Of what is sent alone. */
type RequestRule = (credentials: Credentials, tokenRequests: readonly Pick<Met, 'request'>[]) => Decision

interface Credentials {
  readonly environment: Pick<ClientEnvironment, 'userName' | 'password'>
}

/** More token requests than this for one refused sign-in ask without end. */
const MOST_RETRIES = 5
/** A wait may be this much shorter, for what a clock rounds: milliseconds. */
const EARLY_MS = 100

/** What each rule of a token request finds, whichever client sent it. */
const REQUEST_RULES = {
  'client:request-method': every('the method is POST', ({ request }) =>
    request.method === 'POST' ? undefined : request.method,
  ),
  'client:request-path': (_, requests) =>
    requests.some(({ request }) => request.path === '/Token')
      ? PASSED
      : failed('nothing is sent to the endpoint', '/Token', requests[0]?.request.path ?? 'no request'),
  'client:request-media-type': every(
    'the media type is application/x-www-form-urlencoded',
    ({ request: { contentType } }) =>
      isMediaType(contentType, 'application/x-www-form-urlencoded') ? undefined : (contentType ?? 'none'),
  ),
  'client:request-grant_type': parameter('grant_type', () => 'password'),
  'client:request-username': parameter('username', ({ environment }) => environment.userName),
  'client:request-password': parameter('password', ({ environment }) => environment.password),
} as const satisfies Readonly<Record<string, RequestRule>>

/** The rules that `judgeRequest` judges, in its order. */
export const REQUEST_RULE_IDS: readonly string[] = Object.keys(REQUEST_RULES)

/** What each rule finds in a scenario that was played; all others ask whether the client signed in. */
const RULES: Readonly<Record<string, Rule>> = {
  ...REQUEST_RULES,
  'client:request-secrets': ({ met, environment: { password }, tokens }) => {
    const secrets = [password, ...tokens].filter((secret) => secret.length > 3)
    const shows = (text: string): boolean =>
      secrets.some((secret) => formsOf(secret).some((form) => text.includes(form)))
    for (const { request } of met) {
      const url = `${request.path}?${request.query}`
      if (shows(url))
        return failed('a secret is in the URL', 'password and token in no URL', `${request.path}?…`)
      const header = Object.entries(request.headers).find(([name, value]) =>
        formsOf(password).some(
          (form) => name !== 'content-length' && `${value}${basic(String(value))}`.includes(form),
        ),
      )
      if (header !== undefined)
        return failed('the password is in a header', 'the password in the body alone', `in ${header[0]}`)
    }
    return PASSED
  },
  'client:request-once': (_, requests) =>
    requests.length === 1
      ? PASSED
      : failed('one sign-in sends several token requests', '1', String(requests.length)),
  'client:request-bearer': ({ met, tokens }) => {
    const uses = met.filter(isResource)
    if (uses.length === 0) return inapplicable('the client does not ask for TOKEN_ASSAY_RESOURCE_URL')
    const wrong = uses.find(({ request }) => {
      const [scheme = '', token = ''] = String(request.headers.authorization ?? '').split(/ +/)
      return scheme.toLowerCase() !== 'bearer' || !tokens.includes(token)
    })
    if (wrong === undefined) return PASSED
    const sent =
      wrong.request.headers.authorization === undefined ? 'no Authorization' : 'another Authorization'
    return failed('the token is not sent as the contract has it', 'Authorization: Bearer and the token', sent)
  },
  'client:answer-reported': ({ end: { reported }, environment, expiresAtMs }) => {
    if (reported?.userName === undefined && reported?.expiresAt === undefined)
      return inapplicable('the client reports neither userName nor expiresAt')
    if (reported.userName !== undefined && reported.userName !== environment.userName)
      return failed('the client reports another user name', environment.userName, shown(reported.userName))
    if (reported.expiresAt === undefined || expiresAtMs === undefined) return PASSED
    const instant = instantOf(reported.expiresAt)
    const expected = new Date(expiresAtMs).toISOString()
    return instant !== undefined && Math.abs(instant - expiresAtMs) <= 1000
      ? PASSED
      : failed('the client reports another time of expiry', expected, shown(reported.expiresAt))
  },
  'client:refusal-end': ({ end }) =>
    end.problem === undefined
      ? PASSED
      : failed('the client does not end by itself', 'an exit code', end.problem),
  'client:refusal-retry': ({ met }, requests) => {
    if (requests.length > MOST_RETRIES)
      return failed(
        'the client asks again and again',
        `at most ${MOST_RETRIES} requests`,
        String(requests.length),
      )
    const wait = 1000 * Number(met[0]?.answer?.headers.find(([name]) => name === 'Retry-After')?.[1] ?? 0)
    const early = requests.findIndex(
      ({ atMs }, index) => index > 0 && atMs - (requests[index - 1]?.atMs ?? 0) < wait - EARLY_MS,
    )
    if (early < 0) return PASSED
    const after = Math.round((requests[early]?.atMs ?? 0) - (requests[early - 1]?.atMs ?? 0))
    return failed('the client does not wait as Retry-After says', `${wait} ms`, `${after} ms`)
  },
  'client:expiry-before-time': keepsToken,
  'client:expiry-anew': signsInAnew,
  'client:expiry-refused': signsInAnew,
  'client:expiry-once': signsInOnce,
  'client:expiry-storm': givesUp,
}

/** One judgement for each rule of the scenario. Pure. */
export function judgeClient(played: Played): readonly Judgement[] {
  const requests = played.met.filter((met) => !isResource(met))
  return played.scenario.rules.map((rule): Judgement => {
    const own = RULES[rule]
    if (own === undefined) return { rule, ...judgeSignIn(played) }
    if (requests.length === 0 && rule.startsWith('client:request-'))
      return { rule, ...cannotTell('the client sent no request') }
    return { rule, ...own(played, requests) }
  })
}

/** Whether the client signed in: by what it says of itself, and by its use of the token where it uses one. */
export function isSignedIn({ end, met }: Played): boolean {
  const uses = met.filter(isResource)
  return end.signedIn && (uses.length === 0 || uses.some(({ answer }) => answer?.status === 200))
}

function judgeSignIn(played: Played): Decision {
  const { end, scenario } = played
  const signedIn = isSignedIn(played)
  if (signedIn === (scenario.expects === 'signed-in')) return PASSED
  if (end.outOfTime) return cannotTell(`${end.problem}: a longer time-out shows whether it would sign in`)
  const used = played.met.some(isResource)
  const actual = [end.how, end.problem, end.signedIn && used ? 'the resource refused its token' : undefined]
  return failed(
    signedIn
      ? 'the client takes itself for signed in'
      : `the client ${scenario.title.replace('signs in', 'does not sign in')}`,
    signedIn ? 'not signed in' : 'signed in',
    actual.filter((part) => part !== undefined).join('; '),
  )
}

/** One judgement for each rule that a token request shows by itself. Pure. */
export function judgeRequest(
  request: Met['request'],
  environment: Credentials['environment'],
): readonly Judgement[] {
  return Object.entries(REQUEST_RULES).map(([rule, find]) => ({
    rule,
    ...find({ environment }, [{ request }]),
  }))
}

/** A parameter of the form that occurs once in every token request, with this value. */
function parameter(name: string, expected: (credentials: Credentials) => string): RequestRule {
  return (played, requests) => {
    const value = expected(played)
    for (const { request } of requests.filter(({ request }) => request.path === '/Token')) {
      const form: Form = parseForm(request.body)
      const given = formValues(form, name)
      if (given.length === 1 && given[0] === value) continue
      const found =
        given.length === 0
          ? form.malformed
            ? 'a form that cannot be decoded'
            : 'none'
          : given.map((text) => JSON.stringify(text)).join(' and ')
      return failed(`\`${name}\` arrives as something else`, JSON.stringify(value), found)
    }
    return PASSED
  }
}

/** @param wrong what is there instead, or undefined */
function every(expected: string, wrong: (met: Pick<Met, 'request'>) => string | undefined): RequestRule {
  return (_, requests) => {
    for (const met of requests) {
      const found = wrong(met)
      if (found !== undefined)
        return failed(`of a token request it is not so that ${expected}`, expected, found)
    }
    return PASSED
  }
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)]
}

/** The user name and password of a Basic header. */
function basic(value: string): string {
  return /^basic /i.test(value) ? Buffer.from(value.slice(6), 'base64').toString() : ''
}

/** A time as clients report it: a text with its zone, or seconds or milliseconds since the epoch. */
function instantOf(reported: unknown): number | undefined {
  if (typeof reported === 'number') return reported < 1e11 ? reported * 1000 : reported
  if (typeof reported !== 'string') return undefined
  const ms = Date.parse(reported)
  return Number.isNaN(ms) ? undefined : ms
}

/** What a client printed may be any JSON. */
function shown(reported: unknown): string {
  return typeof reported === 'string' ? reported : JSON.stringify(reported)
}
