import { headerValues } from '../../../exchange/headers.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { presentToken } from '../cells/present-token.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Acceptor } from '../declare/open-sides.js'
import { type ObtainedToken, signInWithPassword } from '../grants/obtain-token.js'
import type { ObservedFact } from './observed-fact.js'

/** As long as one that a service issues, and in letters that every format of tokens has. */
const NEVER_ISSUED = `never-issued-${'0123456789abcdef'.repeat(4)}`

/** What each acceptor does with tokens that no one has issued: one that is made up, and an issued one with a letter changed. */
export async function observeBadTokens(stage: RehearsalStage): Promise<void> {
  for (const acceptor of stage.sides.acceptors) {
    const issuer = stage.sides.issuers.find(({ of }) => acceptor.of.includes(of))
    if (issuer === undefined || stage.run.signal.aborted) continue
    const { accounts } = issuer.deployment
    const made = await presentToken(issuer, acceptor, NEVER_ISSUED, 'a token that no one issued')
    const common = { of: acceptor.name, side: acceptor.side, like: acceptor.resource.name ?? '', accounts }
    const evidence = { sent: [made.sent], earlier: [], isUnanswered: made.isUnanswered === true }
    stage.onFact({
      ...common,
      ...evidence,
      about: 'bad-token',
      faults: isRefusal(acceptor, made.status, made.outcome) ? [] : [answered(made)],
      otherwise: answered(made),
    })
    if (made.status === 401)
      stage.onFact({ ...common, ...evidence, about: 'challenge', ...challengeIn(made.sent.response) })
    const own = await signInWithPassword(issuer)
    if (!('problem' in own)) await observeAltered(stage, acceptor, own, common)
  }
}

/** Introspection answers 200 for a token that is not active. */
function isRefusal({ resource }: Acceptor, status: number | undefined, outcome: string): boolean {
  return resource.active === undefined ? status === 401 : outcome === 'refused'
}

async function observeAltered(
  stage: RehearsalStage,
  acceptor: Acceptor,
  { issuer, token, sent }: ObtainedToken,
  common: Pick<ObservedFact, 'of' | 'side' | 'like' | 'accounts'>,
): Promise<void> {
  const [changed, label] = [altered(token), 'an issued token with a letter changed']
  // A service that echoes it shows all but a letter of the issued one.
  stage.run.redactor.learnToken(changed, `‹${label}›`)
  const presented = await presentToken(issuer, acceptor, changed, label)
  stage.onFact({
    ...common,
    about: 'altered-token',
    faults: presented.outcome === 'refused' ? [] : [answered(presented)],
    otherwise: 'refused',
    isUnanswered: presented.isUnanswered === true,
    sent: [...sent, presented.sent],
    earlier: [],
  })
}

/** Near the end, where a signed token has its signature; the very last letters may carry fewer bits than they could. */
function altered(token: string): string {
  const at = Math.max(0, token.length - 10)
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

function answered({ outcome, status, why }: Awaited<ReturnType<typeof presentToken>>): string {
  return status === undefined ? (why ?? outcome) : `${outcome === 'error' ? 'answered' : outcome} (${status})`
}

function challengeIn(response: unknown): Pick<ObservedFact, 'faults' | 'otherwise'> {
  const [header] =
    response instanceof HttpResponse ? headerValues(response.raw.headers, 'www-authenticate') : []
  const scheme = /^[\w-]+/.exec(header?.trim() ?? '')?.[0]
  return scheme === undefined
    ? { faults: ['no `WWW-Authenticate`'], otherwise: '' }
    : { faults: [], otherwise: `\`WWW-Authenticate: ${scheme}\`` }
}
