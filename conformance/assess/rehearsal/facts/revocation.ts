import { channelFor, send, templatesOf } from '../../../drivers/send/session/send.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import { secret } from '../../../exchange/redactable-text.js'
import { presentToken } from '../cells/present-token.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Acceptor, Issuer } from '../declare/open-sides.js'
import { type ObtainedToken, runFor, signInWithPassword } from '../grants/obtain-token.js'

/** A token that its service has revoked. */
export interface RevokedToken {
  readonly signedIn: ObtainedToken
  readonly revoked: SentRequest
  /** Of the service: where it is no good any more. */
  readonly acceptors: readonly Acceptor[]
}

/** Whether each acceptor of a service still accepts a token that was revoked there. */
export async function observeRevocation(stage: RehearsalStage): Promise<void> {
  for (const issuer of stage.sides.issuers)
    for (const token of await revokeNew(stage, issuer, () => true))
      await observeRevoked(stage, token, 'revoked-token')
}

/**
 * Revokes a new token. None: that is not declared, failed, or there is no acceptor to show it to.
 * @param isMeant whether it is to be shown to an acceptor of the service
 */
export async function revokeNew(
  stage: RehearsalStage,
  issuer: Issuer,
  isMeant: (acceptor: Acceptor) => boolean,
): Promise<readonly RevokedToken[]> {
  const request = issuer.deployment.rehearsal?.revoke
  const acceptors = stage.sides.acceptors.filter(
    (acceptor) => acceptor.side !== 'both' && acceptor.of.includes(issuer.of) && isMeant(acceptor),
  )
  if (request === undefined || acceptors.length === 0 || stage.run.signal.aborted) return []
  const signedIn = await signInWithPassword(issuer)
  if ('problem' in signedIn) return []
  const revoked = await send(runFor(issuer.session), {
    label: 'revoke',
    ...templatesOf(request),
    bindings: { token: secret(signedIn.token, 'token') },
    byTarget: true,
    through: channelFor(issuer.session, request),
  })
  const { response } = revoked.exchange
  if (response !== undefined && response.status <= 299) return [{ signedIn, revoked, acceptors }]
  stage.onObstacle(
    `${issuer.name}: the request of \`revoke\` was not answered with 2xx: ${response?.status ?? 'no answer'}`,
  )
  return []
}

/** Shows it to each of its acceptors. */
export async function observeRevoked(
  stage: RehearsalStage,
  { signedIn, revoked, acceptors }: RevokedToken,
  about: 'revoked-token' | 'revoked-restarted',
): Promise<void> {
  const { issuer } = signedIn
  for (const acceptor of acceptors) {
    const presented = await presentToken(issuer, acceptor, signedIn.token)
    stage.onFact({
      about,
      of: `${issuer.name}→${acceptor.name}`,
      side: issuer.role,
      like: acceptor.resource.name ?? '',
      faults: presented.outcome === 'refused' ? [] : [presented.outcome],
      otherwise: 'refused',
      isUnanswered: presented.isUnanswered === true,
      accounts: issuer.deployment.accounts,
      sent: [...signedIn.sent, revoked, presented.sent],
      earlier: [...signedIn.earlier, revoked],
    })
  }
}
