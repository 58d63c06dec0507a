import type { HttpResponse } from '../../../exchange/http-response.js'
import { textAt } from '../../../exchange/json-values.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Issuer } from '../declare/open-sides.js'
import { type NoToken, type ObtainedToken, signInWithPassword } from '../grants/obtain-token.js'
import { type RefreshToken, refreshTokenOf, renew } from '../grants/refresh-token.js'
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
    observeRenewal(stage, await renew(issuer, first), 'refresh-twice', 'works twice', 'works once')
    await observeOther(stage, issuer)
  }
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
  const isGood = about === 'refresh-restarted' || about === 'refresh-other' ? isWorking : !isWorking
  const words = isWorking ? works : refused
  stage.onFact({
    ...commonOf(renewed),
    about,
    faults: isGood ? [] : [words],
    otherwise: words,
    isUnanswered: 'problem' in renewed && renewed.isUnanswered,
  })
}

/** Whether the new service renews what the old one issued: those who hold only that stay signed in. */
async function observeOther(stage: RehearsalStage, issuer: Issuer): Promise<void> {
  if (issuer.role !== 'new') return
  const old = refreshing(stage).find(({ role }) => role === 'old')
  const signedIn = old && (await signInWithPassword(old))
  const token = signedIn === undefined || 'problem' in signedIn ? undefined : refreshTokenOf(signedIn)
  if (token === undefined || old === undefined) return
  observeRenewal(
    stage,
    await renew(issuer, token),
    'refresh-other',
    `renews that of ${old.name}`,
    `refuses that of ${old.name}`,
  )
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
