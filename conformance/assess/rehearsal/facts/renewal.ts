import type { HttpResponse } from '../../../exchange/http-response.js'
import { textAt } from '../../../exchange/json-values.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { NoToken, ObtainedToken } from '../grants/obtain-token.js'
import type { RefreshToken } from '../grants/refresh-token.js'
import type { ObservedFact } from './observed-fact.js'

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

/** Whose refresh it is, and what was sent for it. */
export function commonOf({ issuer, sent, earlier }: ObtainedToken | NoToken) {
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

/** Whether a refresh gives another refresh token. */
export function rotationOf(
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

/** Which members of the answer to a sign-in are lost or changed in the answer to a refresh. */
export function membersOf(
  first: HttpResponse,
  next: HttpResponse,
): Pick<ObservedFact, 'faults' | 'otherwise'> {
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
