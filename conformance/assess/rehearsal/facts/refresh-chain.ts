import type { SentRequest } from '../../../drivers/send/session/session.js'
import { presentToken } from '../cells/present-token.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Acceptor, Issuer } from '../declare/open-sides.js'
import { type NoToken, type ObtainedToken, signInWithPassword } from '../grants/obtain-token.js'
import { type RefreshToken, refreshed, refreshTokenOf, renew } from '../grants/refresh-token.js'
import { commonOf, membersOf, observeRenewal, rotationOf } from './renewal.js'

/** A session that was renewed once. */
interface RenewedSession {
  readonly signedIn: ObtainedToken
  readonly first: RefreshToken
  readonly renewed: ObtainedToken
  /** That accept the token of its refresh. */
  readonly acceptors: readonly Acceptor[]
  /** What came of a second refresh by its first refresh token. */
  readonly again: ObtainedToken | NoToken
}

/** The acceptors of a service that accept a token of it. */
export async function acceptorsOf(
  { sides }: RehearsalStage,
  { issuer, token }: ObtainedToken,
): Promise<readonly Acceptor[]> {
  const accepting: Acceptor[] = []
  for (const acceptor of sides.acceptors.filter(({ of }) => of.includes(issuer.of)))
    if ((await presentToken(issuer, acceptor, token)).outcome === 'accepted') accepting.push(acceptor)
  return accepting
}

/**
 * Whether a client that holds what a refresh leaves it with goes on: the new refresh token, or the first one where none is
 * given. That the first one ends is another fact.
 */
export async function observeChain(stage: RehearsalStage, session: RenewedSession): Promise<void> {
  const { renewed, again } = session
  const isGiven = refreshTokenOf(renewed) !== undefined
  const second = isGiven ? await renewAnew(renewed.issuer) : again
  if (second === undefined) return
  if (!('problem' in second)) return observeSecond(stage, session, second)
  const isUnanswered = second.isUnanswered || isLimited(second)
  // An old service that does not answer is no measure.
  if (!isGiven || (isUnanswered && second.issuer.role === 'old')) return
  const refused = isUnanswered ? second.problem : 'is refused'
  observeRenewal(stage, { ...second, isUnanswered }, 'refresh-chain', 'works', refused)
}

/**
 * Two refreshes, the second by what the first one gave: in a session of their own, which no use of an old refresh token has
 * ended. Undefined where it does not come to the second.
 */
async function renewAnew(issuer: Issuer): Promise<ObtainedToken | NoToken | undefined> {
  const renewed = await refreshed(await signInWithPassword(issuer))
  const next = 'problem' in renewed ? undefined : refreshTokenOf(renewed)
  return next === undefined ? undefined : renew(issuer, next)
}

/** Whether a second refresh gives what the first one gave. What that one lacks as well is another fact, or a cell. */
async function observeSecond(
  stage: RehearsalStage,
  { signedIn, first, renewed, acceptors }: RenewedSession,
  second: ObtainedToken,
): Promise<void> {
  const lackedBy = (answered: ObtainedToken): readonly string[] => [
    ...membersOf(signedIn.answer, answered.answer).faults,
    ...rotationOf(first, refreshTokenOf(answered)).faults,
  ]
  const known = lackedBy(renewed)
  const lacks = lackedBy(second).filter((fault) => !known.includes(fault))
  const fact = { ...commonOf(second), about: 'refresh-chain', otherwise: 'works' } as const
  const refusals = await refusalsOf(second, acceptors)
  const [shown] = refusals
  if (shown === undefined) return stage.onFact({ ...fact, faults: lacks })
  const isUnanswered = lacks.length === 0 && refusals.every((one) => one.isUnanswered)
  // An old resource that does not answer is no measure.
  if (isUnanswered && second.issuer.role === 'old') return
  stage.onFact({
    ...fact,
    faults: [...lacks, ...new Set(refusals.map(({ fault }) => fault))],
    isUnanswered,
    sent: [...second.sent, shown.sent],
    earlier: second.earlier,
  })
}

/** What becomes of the token where it is not accepted, in words that are the same for both services. */
async function refusalsOf({ issuer, token }: ObtainedToken, acceptors: readonly Acceptor[]) {
  const refusals: { readonly fault: string; readonly isUnanswered: boolean; readonly sent: SentRequest }[] =
    []
  for (const acceptor of acceptors) {
    const { outcome, why = '', sent, ...presented } = await presentToken(issuer, acceptor, token)
    if (outcome === 'accepted') continue
    const isUnanswered = presented.isUnanswered ?? isLimited({ sent: [sent] })
    const name = acceptor.resource.name ?? 'the resource'
    const fault = isUnanswered ? `${name}: ${why}` : `gives a token that ${name} does not accept`
    refusals.push({ fault, isUnanswered, sent })
  }
  return refusals.toSorted((a, b) => Number(a.isUnanswered) - Number(b.isUnanswered))
}

/** A limit of the rate is no answer to the request. */
function isLimited({ sent }: Pick<ObtainedToken, 'sent'>): boolean {
  return sent.at(-1)?.exchange.failure?.kind === 'rate-limited'
}
