import type { Case } from '../../../../spec/model/case.js'
import type { TokenGrant } from '../../../../spec/model/later-life.js'
import { PLAIN } from '../../../drivers/pair/probe.js'
import { baseBindings, type CaseRun, startCase } from '../../../drivers/send/session/case-run.js'
import { send } from '../../../drivers/send/session/send.js'
import type { SentRequest, Session } from '../../../drivers/send/session/session.js'
import type { EarlierRequest } from '../../../evidence/reproduce.js'
import { instantOf } from '../../../exchange/headers.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { textAt } from '../../../exchange/json-values.js'
import type { Issuer } from '../declare/open-sides.js'

/** A token as it was issued. */
export interface ObtainedToken {
  readonly issuer: Issuer
  readonly grant: TokenGrant
  readonly token: string
  /** Seconds. */
  readonly lifetime: number
  /** Milliseconds since the epoch, by the local clock. */
  readonly issuedAt: number
  readonly answer: HttpResponse
  /** What was sent for it, in the order of sending. */
  readonly sent: readonly SentRequest[]
  /** The same for a command that does it again. */
  readonly earlier: readonly EarlierRequest[]
}

/** No token was issued. */
export interface NoToken {
  readonly issuer: Issuer
  readonly grant: TokenGrant
  readonly problem: string
  /** There was no answer at all. */
  readonly isUnanswered: boolean
  readonly sent: readonly SentRequest[]
  readonly earlier: readonly EarlierRequest[]
}

/** Where a token response has its token, as the binding `$token` of later requests. */
const TOKEN = { token: '/access_token' }

const REHEARSAL: Case = { id: 'rehearsal', section: '', title: 'rehearsal', steps: [] }

/** A request of the rehearsal, for the main account. */
export function runFor(session: Session): CaseRun {
  const run = startCase(session, REHEARSAL)
  return { ...run, bindings: baseBindings(run, []) }
}

/** Signs in with the main account. Never throws for what is answered. */
export async function signInWithPassword(issuer: Issuer): Promise<ObtainedToken | NoToken> {
  const sent = await send(runFor(issuer.session), { label: 'sign-in', template: PLAIN })
  return tokenOf(issuer, 'password', [sent], [])
}

/** @param sent the last of which is answered with the token */
export function tokenOf(
  issuer: Issuer,
  grant: TokenGrant,
  sent: readonly SentRequest[],
  before: readonly EarlierRequest[],
): ObtainedToken | NoToken {
  const last = sent.at(-1)
  if (last === undefined) throw new TypeError('nothing was sent')
  const { response } = last
  const earlier = [...before, { ...last, capture: TOKEN }]
  const common = { issuer, grant, sent, earlier }
  if (!(response instanceof HttpResponse)) {
    const problem = `no token was issued: ${response.reason}`
    return { ...common, problem, isUnanswered: last.exchange.response === undefined }
  }
  const token = textAt(response.json.root, TOKEN.token)
  if (token === undefined || token === '' || response.status > 299) {
    const problem = `no token was issued: the ${last.label} was answered with ${response.status}${errorCode(response)}`
    return { ...common, problem, isUnanswered: false }
  }
  issuer.session.run.redactor.learnToken(token)
  const lifetime = lifetimeIn(response) ?? issuer.deployment.tokenLifetime
  return { ...common, token, lifetime, issuedAt: response.receivedAt, answer: response }
}

/** `: invalid_grant`, where the answer has such a code. */
function errorCode(response: HttpResponse): string {
  const code = textAt(response.json.root, '/error')
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? `, ${code}` : ''
}

/** Seconds: the difference of `.expires` and `.issued`, else `expires_in`. */
function lifetimeIn({ json: { root } }: HttpResponse): number | undefined {
  const [issued, expires] = ['/.issued', '/.expires'].map((pointer) => instantOf(textAt(root, pointer) ?? ''))
  if (issued !== undefined && expires !== undefined && expires > issued) return (expires - issued) / 1000
  const seconds = Number(textAt(root, '/expires_in'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
