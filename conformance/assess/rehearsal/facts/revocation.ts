import { channelFor, send, templatesOf } from '../../../drivers/send/session/send.js'
import { secret } from '../../../exchange/redactable-text.js'
import { presentToken } from '../cells/present-token.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import { runFor, signInWithPassword } from '../grants/obtain-token.js'

/** Whether each acceptor of a service still accepts a token that was revoked there. */
export async function observeRevocation(stage: RehearsalStage): Promise<void> {
  for (const issuer of stage.sides.issuers) {
    const request = issuer.deployment.rehearsal?.revoke
    if (request === undefined || stage.run.signal.aborted) continue
    const signedIn = await signInWithPassword(issuer)
    if ('problem' in signedIn) continue
    const revoked = await send(runFor(issuer.session), {
      label: 'revoke',
      ...templatesOf(request),
      bindings: { token: secret(signedIn.token, 'token') },
      byTarget: true,
      through: channelFor(issuer.session, request),
    })
    const { response } = revoked.exchange
    if (response === undefined || response.status > 299) {
      stage.onObstacle(
        `${issuer.name}: the request of \`revoke\` was not answered with 2xx: ${response?.status ?? 'no answer'}`,
      )
      continue
    }
    const own = stage.sides.acceptors.filter(({ of, side }) => side !== 'both' && of.includes(issuer.of))
    for (const acceptor of own) {
      const presented = await presentToken(issuer, acceptor, signedIn.token)
      const way = `${issuer.name}→${acceptor.name}`
      stage.onFact({
        about: 'revoked-token',
        of: way,
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
}
