import type { RequestTemplate } from '../../../../spec/model/case.js'
import { send, templatesOf } from '../../../drivers/send/session/send.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import type { EarlierRequest } from '../../../evidence/reproduce.js'
import { textAt } from '../../../exchange/json-values.js'
import { secret } from '../../../exchange/redactable-text.js'
import type { RefreshSettings } from '../../../target/deployment.js'
import type { Issuer } from '../declare/open-sides.js'
import { type NoToken, type ObtainedToken, runFor, tokenOf } from './obtain-token.js'

const NAME = 'refreshToken'
const RENEWAL: RequestTemplate = { form: { grant_type: 'refresh_token', refresh_token: `$${NAME}` } }

/** A refresh token, and what was sent for it. */
export interface RefreshToken {
  readonly value: string
  readonly sent: readonly SentRequest[]
  /** With the last of them as what the token is captured from. */
  readonly earlier: readonly EarlierRequest[]
}

/** The refresh token that came with a token; undefined where none did. */
export function refreshTokenOf({ issuer, answer, sent, earlier }: ObtainedToken): RefreshToken | undefined {
  const { pointer } = settingsOf(issuer)
  const value = textAt(answer.json.root, pointer)
  if (value === undefined || value === '') return undefined
  issuer.session.run.redactor.learnToken(value, '‹refresh token›')
  const last = earlier.at(-1)
  return {
    value,
    sent,
    earlier: last === undefined ? [] : [...earlier.slice(0, -1), { ...last, capture: { [NAME]: pointer } }],
  }
}

/** Renews a token by a refresh token of the same issuer, or of another one. */
export async function renew(issuer: Issuer, from: RefreshToken): Promise<ObtainedToken | NoToken> {
  const { request } = settingsOf(issuer)
  // A refresh token may work once: on a connection of its own nothing is sent again.
  const run = { ...runFor(issuer.session), freshConnections: true }
  const sent = await send(run, {
    label: 'refresh',
    ...(request === undefined ? { template: RENEWAL } : templatesOf(request)),
    bindings: { ...run.bindings, [NAME]: secret(from.value, NAME) },
  })
  return tokenOf(issuer, 'refresh', [...from.sent, sent], from.earlier)
}

/** Signs in, and renews what comes. */
export async function refreshed(signedIn: ObtainedToken | NoToken): Promise<ObtainedToken | NoToken> {
  if ('problem' in signedIn) return { ...signedIn, grant: 'refresh' }
  const token = refreshTokenOf(signedIn)
  if (token !== undefined) return renew(signedIn.issuer, token)
  const { issuer, sent, earlier } = signedIn
  const problem = `no token was issued: the answer to the sign-in has no refresh token at ${settingsOf(issuer).pointer}`
  return { issuer, grant: 'refresh', problem, isUnanswered: false, sent, earlier }
}

function settingsOf({ deployment }: Issuer): RefreshSettings {
  const refresh = deployment.rehearsal?.refresh
  if (refresh === undefined) throw new TypeError(`${deployment.name} declares no refresh`)
  return refresh
}
