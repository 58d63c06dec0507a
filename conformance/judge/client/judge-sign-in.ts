import type { Judgement } from '../../../spec/model/report.js'
import { Redactor } from '../../evidence/redact.js'
import type { Exchange } from '../../exchange/exchange.js'
import { headerValues } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { formValues, parseForm } from '../../exchange/parse-form.js'
import { cannotTell, type Decision, failed, inapplicable, PASSED } from './decision.js'
import { findExposures, judgeBearer, judgeSecrets, type SecretLookup } from './exposed-secrets.js'
import { givesUp, keepsToken, sharesSignIn, signsInAnew, signsInOnce } from './judge-expiry.js'
import { judgeReported } from './judge-reported.js'
import { retriesInTime } from './judge-retries.js'
import {
  bearerIn,
  howItEnded,
  isResourceUse,
  isSignedIn,
  type ObservedSignIn,
  tokenRequestsIn,
} from './observed-sign-in.js'
import { judgeTokenRequests, TOKEN_REQUEST_RULES, tokenPathsOf } from './token-request.js'

type ClientRule = (observed: ObservedSignIn, tokenRequests: readonly Exchange[]) => Decision

/** Of what a client sends in the place of a token: no secret is as short. */
const MAX_SHOWN = 16

/** Whatever else a scenario is about, it is broken by a secret in the wrong place. */
const SECRETS = 'client:request-secrets'

/** So it is by a token request that is wrong, the first one or one after it: every request counts. */
const ALWAYS: readonly string[] = [...TOKEN_REQUEST_RULES, SECRETS]

/** The rules with a judgement of their own; all others ask whether the client signed in. */
const RULES: Readonly<Record<string, ClientRule>> = {
  [SECRETS]: (observed) => {
    const secrets = secretsOf(observed)
    const { userName } = observed.environment
    const credentials: SecretLookup = { ...secrets, isUserName: (text) => text === userName }
    const requests = tokenRequestsIn(observed.exchanges, observed.scenario)
    const exposures = observed.exchanges.flatMap((one) =>
      requests.includes(one) ? findExposures(one, credentials) : findExposures(one, secrets, true),
    )
    return judgeSecrets(exposures)
  },
  'client:request-once': (_, requests) =>
    requests.length === 1
      ? PASSED
      : failed('one sign-in sends several token requests', '1', String(requests.length)),
  'client:request-bearer': usesBearer,
  'client:request-account': judgeUsers,
  'client:request-redirect': keepsPassword,
  'client:answer-plain': takesPlainAnswer,
  'client:answer-patience': losesPatience,
  'client:answer-reported': judgeReported,
  // That it asks again and again is judged by itself.
  'client:refusal-end': ({ end }) =>
    end.problem === undefined || end.cut === 'requests'
      ? PASSED
      : failed('the client does not end by itself', 'an exit code', howItEnded(end)),
  'client:refusal-retry': retriesInTime,
  'client:refusal-bearer': judgeBearerWithoutToken,
  'client:wrong-bearer': judgeBearerWithoutToken,
  'client:expiry-at-once': sharesSignIn,
  'client:expiry-before-time': keepsToken,
  'client:expiry-anew': signsInAnew,
  'client:expiry-refused': signsInAnew,
  'client:expiry-once': signsInOnce,
  'client:expiry-storm': givesUp,
}

/** One judgement for each rule of the scenario, and one for each other that is broken by what was sent. Pure. */
export function judgeSignIn(observed: ObservedSignIn): readonly Judgement[] {
  const { environment, scenario } = observed
  // A user before signs in with credentials of their own.
  const always = scenario.before === undefined ? ALWAYS : [SECRETS]
  const others = always.filter((rule) => !scenario.rules.includes(rule))
  const requests = tokenRequestsIn(observed.exchanges, observed.scenario)
  const paths = tokenPathsOf(scenario.service?.basePath ?? '')
  const tokenPath = paths.find((path) => requests.some((one) => requestOf(one).path === path)) ?? paths[0]
  const ofRequests = judgeTokenRequests(requests, { ...environment, tokenPath: tokenPath ?? '' })
  const judged = [...scenario.rules, ...others].map((rule): Judgement => {
    if (requests.length === 0 && keepsEarlierToken(observed))
      return { rule, ...(rule === 'client:request-account' ? USES_ANOTHERS : NOT_ASKED) }
    if (requests.length === 0 && isAboutRequest(rule))
      return { rule, ...cannotTell('the client sent no request') }
    const ofRequest = TOKEN_REQUEST_RULES.includes(rule)
      ? ofRequests.find((one) => one.rule === rule)
      : undefined
    const decide: ClientRule = RULES[rule] ?? isAsExpected
    const decided = ofRequest ?? { rule, ...decide(observed, requests) }
    const unread = whyUnread(observed)
    return unread !== undefined && decided.outcome === 'passed' ? { rule, ...cannotTell(unread) } : decided
  })
  return judged.filter(({ rule, outcome }) => !others.includes(rule) || outcome === 'failed')
}

/** What was not read may have been a token request, with the password: nothing passes on what else was sent. */
export function whyUnread({ unreadable }: Pick<ObservedSignIn, 'unreadable'>): string | undefined {
  return unreadable === undefined
    ? undefined
    : `the client also sent a request that was not read: ${unreadable}`
}

const NOT_ASKED = cannotTell(
  'the client asked for no token, and sent one that this service did not give, as one kept from an earlier call',
)
// The user before signs in there alone, so that any token which the client has by then is another's.
const USES_ANOTHERS = failed(
  'the client asks for no token, and for the resource with a token that this service did not give',
  'a token request for each user',
  'a token kept from an earlier call, no matter who signs in',
)

/** What is as long as a token, and none that this service gave. */
function keepsEarlierToken({ exchanges, owners }: ObservedSignIn): boolean {
  const sent = exchanges.filter(isResourceUse).flatMap((use) => bearerIn(use) ?? [])
  return sent.some((token) => token.length > MAX_SHOWN && !owners.has(token))
}

/** What a client sends is wrong or right whatever it makes of an answer. */
function isAboutRequest(rule: string): boolean {
  return rule.startsWith('client:request-')
}

/** Whether it is right though a control fails: the plain answer is known to be right, and so is what requests are judged by. */
export function isSureAnyway({ rule, outcome }: Judgement): boolean {
  return isAboutRequest(rule)
    ? outcome !== 'cantTell'
    : rule === 'client:answer-plain' && outcome === 'failed'
}

function isAsExpected(observed: ObservedSignIn): Decision {
  const { end, scenario, exchanges } = observed
  const claims = scenario.expects !== 'signed-in' && end.reported?.signedIn === true
  const signedIn = isSignedIn(observed) || claims
  if (signedIn === (scenario.expects === 'signed-in')) return PASSED
  if (end.outOfTime) return cannotTell(`${end.problem}: a longer time-out shows whether it would sign in`)
  const isRefused = !signedIn && end.signedIn && exchanges.some(isResourceUse)
  return failed(
    signedIn
      ? 'the client reports that it is signed in'
      : `the client ${scenario.title.replace('signs in', 'does not sign in')}`,
    signedIn ? 'not signed in' : 'signed in',
    `${isRefused ? 'the resource refused its token; ' : ''}${howItEnded(end)}`,
  )
}

/** 2.1: what is granted as documented signs the client in. Why a request was not granted, other rules say. */
function takesPlainAnswer(observed: ObservedSignIn, requests: readonly Exchange[]): Decision {
  if (!requests.some(({ response }) => response?.status === 200))
    return cannotTell('the client was given no token')
  const uses = observed.exchanges.filter(isResourceUse)
  if (uses.length > 0 && !uses.some(({ response }) => response?.status === 200))
    return cannotTell('the resource refused its token')
  return isAsExpected(observed)
}

/** The client was given a password that no text has by chance, and so are its tokens. */
function secretsOf({ owners, environment: { password } }: ObservedSignIn): SecretLookup {
  const search = { password: new Redactor([{ value: password, label: 'password' }]), token: new Redactor([]) }
  for (const token of owners.keys()) search.token.learnToken(token)
  return {
    isToken: (text) => owners.has(text),
    isPassword: (text) => text === password,
    shows: (what, text) => search[what].text(text) !== text,
  }
}

/** 4.1: the password is not sent on to another host. */
function keepsPassword(observed: ObservedSignIn): Decision {
  const secrets = secretsOf(observed)
  const isSent = observed.elsewhere?.exchanges.some((one) =>
    findExposures(one, secrets, true).some(({ what }) => what === 'password'),
  )
  return isSent
    ? failed(
        'the client follows a redirect to another host with the password',
        'the password at the token endpoint alone',
        'the password in a request to the other host',
      )
    : PASSED
}

/** 2.1: an answer that does not come is given up. */
function losesPatience({ end, exchanges }: ObservedSignIn): Decision {
  if (exchanges.length === 0) return cannotTell('the client sent no request')
  if (end.cut === 'patience')
    return failed('the client waits without end for an answer', 'the client gives up', howItEnded(end))
  return end.outOfTime ? cannotTell(end.problem ?? end.how) : PASSED
}

function usesBearer(observed: ObservedSignIn): Decision {
  const secrets = secretsOf(observed)
  for (const other of observed.exchanges.filter((one) => !isResourceUse(one))) {
    const exposures = findExposures(other, secrets, !isRevocation(other, secrets))
    const judgement = judgeBearer(other, exposures, secrets)
    if (judgement?.outcome === 'failed') return judgement
  }
  const uses = observed.exchanges.filter(isResourceUse)
  if (uses.length === 0) return inapplicable('the client does not ask for TOKEN_ASSAY_RESOURCE_URL')
  const granted = observed.exchanges.find((one) => !isResourceUse(one) && one.response?.status === 200)
  for (const use of uses) {
    const judgement = judgeBearer(use, findExposures(use, secrets, true), secrets)
    if (judgement?.outcome === 'failed') return judgement
    if (judgement !== undefined) continue
    const isSent = headerValues(use.request.headers, 'authorization').length > 0
    // Many sign in only once the resource refuses them.
    if (!isSent && granted !== undefined && use.startedAt < granted.receivedAt) continue
    const sent = isSent ? 'another Authorization' : 'no Authorization'
    return failed('the token is not sent as the contract has it', 'Authorization: Bearer and the token', sent)
  }
  return PASSED
}

/** RFC 7009 and RFC 7662 send the token in a form, to endpoints that the contract leaves open. */
function isRevocation(exchange: Exchange, secrets: SecretLookup): boolean {
  const form = parseForm(requestOf(exchange).body)
  return formValues(form, 'token').some((value) => secrets.isToken(value))
}

/** After an answer that gives no token, the client asks for the resource as if it had one. */
function judgeBearerWithoutToken(observed: ObservedSignIn): Decision {
  const { exchanges, scenario, end } = observed
  const isRefusal = scenario.expects === 'refused'
  const answered = exchanges.findIndex((exchange) => !isResourceUse(exchange))
  // What it sends before may be a token of an earlier call.
  const uses = exchanges.slice(answered + 1).filter(isResourceUse)
  const [shown] = uses.flatMap((use) => bearerIn(use) ?? []).filter((token) => !observed.owners.has(token))
  if (shown !== undefined)
    return failed(
      `the client takes ${isRefusal ? 'a refusal' : 'an answer without a token'} for a sign-in, and asks for the resource`,
      'no request with Authorization: Bearer',
      shown.length > MAX_SHOWN
        ? `a token of ${shown.length} characters`
        : `Authorization: Bearer ${shown}`.trim(),
    )
  return end.signedIn && !exchanges.some(isResourceUse)
    ? inapplicable('the client does not ask for TOKEN_ASSAY_RESOURCE_URL')
    : PASSED
}

/** 4.1: the token of one user is not used for another. */
function judgeUsers(observed: ObservedSignIn): Decision {
  const { exchanges, ownFrom, owners, environment, end } = observed
  if (!exchanges.slice(0, ownFrom).some(isGranted)) return cannotTell('the user before was given no token')
  const own = exchanges.slice(ownFrom)
  const users = own.filter(isResourceUse).flatMap((use) => owners.get(bearerIn(use) ?? '') ?? [])
  if (users.some((user) => user !== environment.userName))
    return failed(
      'the client asks for the resource with the token of the user before',
      'a token of its own for each user',
      'the token of the other user',
    )
  if (own.some(isGranted)) return PASSED
  return end.signedIn
    ? failed(
        'the client reports that the second user is signed in, and asked for no token',
        'a token request for each user',
        howItEnded(end),
      )
    : cannotTell(`the second user was not signed in: ${howItEnded(end)}`)
}

function isGranted(exchange: Exchange): boolean {
  return !isResourceUse(exchange) && exchange.response?.status === 200
}
