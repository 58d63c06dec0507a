import type { ClientScenario } from '../../../../spec/model/client-suite.js'
import {
  type Answer,
  type Delivery,
  hostClient,
  type ReceivedRequest,
  readableByPages,
  type TestedClient,
} from '../../../drivers/host/host-client.js'
import type { PairSide } from '../../../drivers/pair/service-pair.js'
import { headerValues, instantOf } from '../../../exchange/headers.js'
import { HttpResponse, textIn } from '../../../exchange/http-response.js'
import type { AnsweredSignIn } from '../../../judge/client/effect.js'
import { RESOURCE } from '../../../judge/client/observed-sign-in.js'
import type { ServedAnswer, Situation } from './situation.js'

export interface TriedSignIn extends AnsweredSignIn {
  /** It sent a request that the finding is about. */
  readonly isConcerned: boolean
}

/** What the variable for the scenario says. */
const SCENARIO = 'diff'
const DIALOGUE: ClientScenario = { id: SCENARIO, title: 'signs in', expects: 'signed-in', rules: [] }

/** Lets a client sign in at a service that answers as one side did. */
export async function signIn(
  client: TestedClient,
  { credentials, answers, otherwise, concerns, secrets }: Situation,
  side: PairSide,
  signal: AbortSignal,
): Promise<TriedSignIn> {
  const tokens = [answers[side], otherwise].flatMap((answer) => tokenIn(answer) ?? [])
  let isConcerned = false
  // What pages of other origins may read, a service may say itself; the requests that were recorded did not come from one.
  const isSaid = Object.values(answers).some(saysWhoMayRead)
  const answer = (request: ReceivedRequest): Delivery => {
    if (request.path.endsWith(RESOURCE)) return readableByPages(resourceAnswer(request, tokens), request)
    const isOwn = concerns(request)
    isConcerned ||= isOwn
    const delivery = deliveryOf(isOwn ? answers[side] : otherwise)
    return isSaid ? delivery : readableByPages(delivery, request)
  }
  const observed = await hostClient(client, { ...DIALOGUE, credentials }, { signal, answer, secrets })
  const given = isConcerned ? answers[side] : otherwise
  return {
    ...observed,
    isConcerned,
    isGranted: read(given)?.yieldsToken === true,
    isTelling: given !== 'reset' && given.status < 500,
    expiresAtMs: instantOf(textIn(read(given), '.expires') ?? ''),
  }
}

function read(answer: ServedAnswer): HttpResponse | undefined {
  if (answer === 'reset') return undefined
  const now = Date.now()
  const request = { method: 'POST', path: '/Token', headers: [] }
  return new HttpResponse({ request, response: answer, startedAt: now, receivedAt: now, durationMs: 0 })
}

function saysWhoMayRead(answer: ServedAnswer): boolean {
  return answer !== 'reset' && headerValues(answer.headers, 'access-control-allow-origin').length > 0
}

function tokenIn(answer: ServedAnswer): string | undefined {
  const token = read(answer)?.member('access_token')?.value
  return token?.kind === 'string' ? token.value : token?.kind === 'number' ? token.raw : undefined
}

function deliveryOf(answer: ServedAnswer): Delivery {
  return answer === 'reset' ? { kind: 'reset' } : { kind: 'answer', answer }
}

/** As the reference server's: RFC 6750. */
function resourceAnswer({ headers }: ReceivedRequest, tokens: readonly string[]): Delivery {
  const [, presented] = /^bearer +([^ ].*)$/i.exec(headers.authorization ?? '') ?? []
  const answer: Answer =
    presented !== undefined && tokens.includes(presented)
      ? { status: 200, headers: [['Content-Type', 'application/json;charset=UTF-8']], body: '{}' }
      : { status: 401, headers: [['WWW-Authenticate', 'Bearer']], body: '' }
  return { kind: 'answer', answer }
}
