import type { RehearsedCell } from '../../../../spec/generated/types/rehearsal.js'
import type { JsonNode } from '../../../../spec/model/json.js'
import { send, templatesOf } from '../../../drivers/send/session/send.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { nodeAt } from '../../../exchange/json-values.js'
import { secret } from '../../../exchange/redactable-text.js'
import type { Acceptor, Issuer } from '../declare/open-sides.js'
import { runFor } from '../grants/obtain-token.js'

/** What an acceptor did with a token. */
export interface Presentation {
  readonly outcome: Exclude<RehearsedCell['outcome'], 'not-tried'>
  readonly status?: number
  /** Of an error. */
  readonly why?: string
  /** There was no answer at all. */
  readonly isUnanswered?: true
  readonly sent: SentRequest
}

/** Presents a token. Never throws for what is answered. @param label what is shown in place of the token */
export async function presentToken(
  { session }: Issuer,
  { channel, resource }: Acceptor,
  token: string,
  label = 'token',
): Promise<Presentation> {
  const sent = await send(runFor(session), {
    label: 'resource',
    ...templatesOf(resource.request),
    bindings: { token: secret(token, label) },
    byTarget: true,
    through: channel,
  })
  return { ...outcomeOf(sent, resource.active), sent }
}

function outcomeOf(
  { response, exchange }: SentRequest,
  active: string | undefined,
): Omit<Presentation, 'sent'> {
  if (!(response instanceof HttpResponse)) {
    const unanswered = exchange.response === undefined ? ({ isUnanswered: true } as const) : {}
    return { outcome: 'error', why: response.reason, ...unanswered }
  }
  const { status } = response
  if (exchange.unread !== undefined) return { outcome: 'error', status, why: exchange.unread }
  if (status === 401 || status === 403) return { outcome: 'refused', status }
  if (status < 200 || status > 299) return { outcome: 'error', status, why: `status ${status}` }
  if (active === undefined) return { outcome: 'accepted', status }
  return { outcome: isTrueAt(response.json.root, active) ? 'accepted' : 'refused', status }
}

function isTrueAt(root: JsonNode | undefined, pointer: string): boolean {
  const node = nodeAt(root, pointer)
  return node?.kind === 'literal' && node.value === true
}
