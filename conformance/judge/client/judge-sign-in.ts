import type { Judgement } from '../../../spec/model/report.js'
import type { Exchange } from '../../exchange/exchange.js'
import { headerValues } from '../../exchange/headers.js'
import { cannotTell, type Decision, failed, inapplicable, PASSED } from './decision.js'
import {
  distinctiveSecret,
  findExposures,
  judgeBearer,
  judgeSecrets,
  type SecretLookup,
} from './exposed-secrets.js'
import { givesUp, keepsToken, signsInAnew, signsInOnce } from './judge-expiry.js'
import { judgeReported } from './judge-reported.js'
import { howItEnded, isResourceUse, isSignedIn, type ObservedSignIn } from './observed-sign-in.js'
import { judgeTokenRequests, TOKEN_REQUEST_RULES } from './token-request.js'

type ClientRule = (observed: ObservedSignIn, tokenRequests: readonly Exchange[]) => Decision

/** More token requests than this for one refused sign-in ask without end. */
const MAX_RETRIES = 5
/** A wait may be this much shorter, for what a clock rounds: milliseconds. */
const EARLY_MS = 100

/** The rules with a judgement of their own; all others ask whether the client signed in. */
const RULES: Readonly<Record<string, ClientRule>> = {
  'client:request-secrets': (observed) => {
    const secrets = secretsOf(observed)
    return judgeSecrets(observed.exchanges.flatMap((exchange) => findExposures(exchange, secrets)))
  },
  'client:request-once': (_, requests) =>
    requests.length === 1
      ? PASSED
      : failed('one sign-in sends several token requests', '1', String(requests.length)),
  'client:request-bearer': usesBearer,
  'client:answer-reported': judgeReported,
  'client:refusal-end': ({ end }) =>
    end.problem === undefined
      ? PASSED
      : failed('the client does not end by itself', 'an exit code', howItEnded(end)),
  'client:refusal-retry': retriesInTime,
  'client:expiry-before-time': keepsToken,
  'client:expiry-anew': signsInAnew,
  'client:expiry-refused': signsInAnew,
  'client:expiry-once': signsInOnce,
  'client:expiry-storm': givesUp,
}

/** One judgement for each rule of the scenario. Pure. */
export function judgeSignIn(observed: ObservedSignIn): readonly Judgement[] {
  const { exchanges, environment, scenario } = observed
  const requests = exchanges.filter((exchange) => !isResourceUse(exchange))
  const ofRequests = judgeTokenRequests(requests, { ...environment, tokenPath: '/Token' })
  return scenario.rules.map((rule): Judgement => {
    if (requests.length === 0 && rule.startsWith('client:request-'))
      return { rule, ...cannotTell('the client sent no request') }
    const ofRequest = TOKEN_REQUEST_RULES.includes(rule)
      ? ofRequests.find((one) => one.rule === rule)
      : undefined
    const decide: ClientRule = RULES[rule] ?? isAsExpected
    return ofRequest ?? { rule, ...decide(observed, requests) }
  })
}

function isAsExpected(observed: ObservedSignIn): Decision {
  const { end, scenario, exchanges } = observed
  const signedIn = isSignedIn(observed)
  if (signedIn === (scenario.expects === 'signed-in')) return PASSED
  if (end.outOfTime) return cannotTell(`${end.problem}: a longer time-out shows whether it would sign in`)
  const isRefused = end.signedIn && exchanges.some(isResourceUse)
  return failed(
    signedIn
      ? 'the client reports that it is signed in'
      : `the client ${scenario.title.replace('signs in', 'does not sign in')}`,
    signedIn ? 'not signed in' : 'signed in',
    `${isRefused ? 'the resource refused its token; ' : ''}${howItEnded(end)}`,
  )
}

/** The client was given a password that no text has by chance, and so are its tokens. */
function secretsOf({ tokens, environment: { password } }: ObservedSignIn): SecretLookup {
  return {
    isToken: (text) => tokens.includes(text),
    isPassword: (text) => text === password,
    distinctive: [
      distinctiveSecret('password', password),
      ...tokens.map((value) => distinctiveSecret('token', value)),
    ],
  }
}

function usesBearer(observed: ObservedSignIn): Decision {
  const uses = observed.exchanges.filter(isResourceUse)
  if (uses.length === 0) return inapplicable('the client does not ask for TOKEN_ASSAY_RESOURCE_URL')
  const secrets = secretsOf(observed)
  for (const use of uses) {
    const judgement = judgeBearer(use, findExposures(use, secrets), secrets)
    if (judgement?.outcome === 'failed') return judgement
    if (judgement !== undefined) continue
    const isSent = headerValues(use.request.headers, 'authorization').length > 0
    const sent = isSent ? 'another Authorization' : 'no Authorization'
    return failed('the token is not sent as the contract has it', 'Authorization: Bearer and the token', sent)
  }
  return PASSED
}

function retriesInTime({ exchanges }: ObservedSignIn, requests: readonly Exchange[]): Decision {
  if (requests.length > MAX_RETRIES)
    return failed(
      'the client asks again and again',
      `at most ${MAX_RETRIES} requests`,
      String(requests.length),
    )
  const [retryAfter = 0] = headerValues(exchanges[0]?.response?.headers ?? [], 'retry-after')
  const wait = 1000 * Number(retryAfter)
  const waits = requests.slice(1).map(({ startedAt }, at) => startedAt - (requests[at]?.startedAt ?? 0))
  const early = waits.find((waited) => waited < wait - EARLY_MS)
  return early === undefined
    ? PASSED
    : failed('the client does not wait as Retry-After says', `${wait} ms`, `${Math.round(early)} ms`)
}
