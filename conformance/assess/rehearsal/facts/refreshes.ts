import type { HttpResponse } from '../../../exchange/http-response.js'
import { textAt } from '../../../exchange/json-values.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Issuer } from '../declare/open-sides.js'
import { type NoToken, type ObtainedToken, signInWithPassword } from '../grants/obtain-token.js'
import { type RefreshToken, refreshed, refreshTokenOf, renew } from '../grants/refresh-token.js'
import type { ObservedFact } from './observed-fact.js'

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
    const again = await renew(issuer, first)
    observeRenewal(stage, again, 'refresh-twice', 'works twice', 'works once')
    const isGiven = refreshTokenOf(renewed) !== undefined
    observeChain(stage, isGiven ? await renewAnew(issuer) : again, isGiven)
    for (const [about, other] of othersOf(stage, issuer)) await observeElsewhere(stage, issuer, about, other)
  }
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

/**
 * Whether a client that holds what a refresh leaves it with goes on: the new refresh token, or the first one where none is
 * given. That the first one ends is another fact.
 */
function observeChain(
  stage: RehearsalStage,
  second: ObtainedToken | NoToken | undefined,
  isGiven: boolean,
): void {
  if (second === undefined) return
  if (!('problem' in second)) {
    observeRenewal(stage, second, 'refresh-chain', 'works', 'is refused')
    return
  }
  // A limit of the rate is no answer to the refresh.
  const isLimited = second.sent.at(-1)?.exchange.failure?.kind === 'rate-limited'
  const isUnanswered = second.isUnanswered || isLimited
  // An old service that does not answer is no measure.
  if (!isGiven || (isUnanswered && second.issuer.role === 'old')) return
  const refused = isUnanswered ? second.problem : 'is refused'
  observeRenewal(stage, { ...second, isUnanswered }, 'refresh-chain', 'works', refused)
}

/** The issuers that declare how a token is renewed. */
function refreshing({ sides }: RehearsalStage): readonly Issuer[] {
  return sides.issuers.filter(({ deployment }) => deployment.rehearsal?.refresh !== undefined)
}

/** Notes whether a refresh succeeded. */
export function observeRenewal(
  stage: RehearsalStage,
  renewed: ObtainedToken | NoToken,
  about: ObservedFact['about'],
  works: string,
  refused: string,
): void {
  const isWorking = !('problem' in renewed)
  // A session that must survive, and one that must not.
  const mustSurvive = about !== 'refresh-twice' && about !== 'refresh-ended'
  const isGood = isWorking === mustSurvive
  const words = isWorking ? works : refused
  stage.onFact({
    ...commonOf(renewed),
    about,
    faults: isGood ? [] : [words],
    otherwise: words,
    isUnanswered: 'problem' in renewed && renewed.isUnanswered,
  })
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

function commonOf({ issuer, sent, earlier }: ObtainedToken | NoToken) {
  const { name, role, deployment } = issuer
  return {
    of: name,
    side: role,
    like: '',
    accounts: deployment.accounts,
    sent,
    earlier: earlier.slice(0, -1),
  }
}

function rotationOf(
  first: RefreshToken,
  next: RefreshToken | undefined,
): Pick<ObservedFact, 'faults' | 'otherwise'> {
  if (next === undefined) return { faults: ['a refresh gives no refresh token'], otherwise: '' }
  const otherwise = next.value === first.value ? 'gives the same refresh token' : 'gives a new refresh token'
  return { faults: [], otherwise }
}

/** What a refresh changes in any case; the refresh token is looked at by itself. */
const CHANGING: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'expires_in',
  '.issued',
  '.expires',
])
/** Whose session it is. */
const IDENTITY = ['userName', 'userId', 'token_type']

function membersOf(first: HttpResponse, next: HttpResponse): Pick<ObservedFact, 'faults' | 'otherwise'> {
  const root = first.json.root
  const names = root?.kind === 'object' ? [...new Set(root.members.map(({ name }) => name))] : []
  const lost = names.filter((name) => name !== 'refresh_token' && next.member(name) === undefined)
  const changed = IDENTITY.filter((name) => {
    if (CHANGING.has(name) || lost.includes(name)) return false
    const [before, after] = [first, next].map(({ json }) => textAt(json.root, `/${name}`))
    return before !== after
  })
  return {
    faults: [...lost.map((name) => `loses \`${name}\``), ...changed.map((name) => `changes \`${name}\``)],
    otherwise: 'all members survive',
  }
}
