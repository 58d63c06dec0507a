import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Issuer } from '../declare/open-sides.js'
import { signInWithPassword } from '../grants/obtain-token.js'
import { refreshTokenOf, renew } from '../grants/refresh-token.js'
import { acceptorsOf, observeChain } from './refresh-chain.js'
import { commonOf, membersOf, observeRenewal, rotationOf } from './renewal.js'

/** How each issuer renews: once or often, by the same refresh token or another one, with all members or fewer. */
export async function observeRefreshes(stage: RehearsalStage): Promise<void> {
  for (const issuer of refreshing(stage)) {
    if (stage.run.signal.aborted) return
    const signedIn = await signInWithPassword(issuer)
    const first = 'problem' in signedIn ? undefined : refreshTokenOf(signedIn)
    if (first === undefined || 'problem' in signedIn) continue
    const renewed = await renew(issuer, first)
    if ('problem' in renewed) continue
    stage.onFact({
      ...commonOf(renewed),
      about: 'refresh-rotation',
      ...rotationOf(first, refreshTokenOf(renewed)),
    })
    stage.onFact({
      ...commonOf(renewed),
      about: 'refresh-members',
      ...membersOf(signedIn.answer, renewed.answer),
    })
    const acceptors = await acceptorsOf(stage, renewed)
    const again = await renew(issuer, first)
    observeRenewal(stage, again, 'refresh-twice', 'works twice', 'works once')
    await observeChain(stage, { signedIn, first, renewed, acceptors, again })
    for (const [about, other] of othersOf(stage, issuer)) await observeElsewhere(stage, issuer, about, other)
  }
}

/** The issuers that declare how a token is renewed. */
function refreshing({ sides }: RehearsalStage): readonly Issuer[] {
  return sides.issuers.filter(({ deployment }) => deployment.rehearsal?.refresh !== undefined)
}

type Elsewhere = 'refresh-other' | 'refresh-instance'

/** Those whose refresh tokens an issuer may be sent: the old service, and the first instance of its own. */
function othersOf(stage: RehearsalStage, issuer: Issuer): readonly (readonly [Elsewhere, Issuer])[] {
  const all = refreshing(stage)
  const old = issuer.role === 'new' ? all.find(({ role }) => role === 'old') : undefined
  const first = all.find((one) => one.of === issuer.of)
  return [
    ...(old === undefined ? [] : [['refresh-other', old] as const]),
    ...(first === undefined || first === issuer ? [] : [['refresh-instance', first] as const]),
  ]
}

/** Whether an issuer renews what another one issued. Those who hold only that stay signed in, wherever they are sent. */
async function observeElsewhere(
  stage: RehearsalStage,
  issuer: Issuer,
  about: Elsewhere,
  other: Issuer,
): Promise<void> {
  const signedIn = await signInWithPassword(other)
  const token = 'problem' in signedIn ? undefined : refreshTokenOf(signedIn)
  if (token === undefined) return
  const what = about === 'refresh-other' ? `that of ${other.name}` : 'that of another instance'
  observeRenewal(stage, await renew(issuer, token), about, `renews ${what}`, `refuses ${what}`)
}
