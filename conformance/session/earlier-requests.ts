import type { EarlierRequest } from '../evidence/reproduce.js'
import { passwordLabel, shownName } from '../target/account-binding.js'
import { secret } from '../wire/redactable-text.js'
import { channelFor, templatesOf } from './send.js'
import type { SentRequest, Session } from './session.js'
import { type Bindings, prepareRequest } from './template.js'

/**
 * What a command has to send before it can repeat a request: the registration of the account that the request names or
 * shares its address with, or the preparation of a sign-in.
 * @param sent with that request
 */
export function earlierRequests(
  session: Session,
  about: SentRequest,
  sent: readonly SentRequest[],
): readonly EarlierRequest[] {
  const prepared = preparation(session, about)
  if (prepared !== undefined) return [prepared]
  const names = new Set(namesIn(about))
  const before: SentRequest[] = []
  for (const request of sent.slice(0, Math.max(sent.indexOf(about), 0)).reverse()) {
    const own = namesIn(request)
    if (request.candidate === undefined || !own.some((name) => names.has(name))) continue
    before.unshift(request)
    // What an address was registered for first may be why it was refused later.
    for (const name of own) names.add(name)
  }
  return before.length > 0 || about.candidate !== undefined ? before : registration(session, about)
}

/** Without letter case and outer white space: a service may take both for the same. */
function namesIn({ candidate, account, prepared: { userName } }: SentRequest): readonly string[] {
  const texts =
    candidate === undefined
      ? [userName, account?.userName]
      : [candidate.userName.wire, candidate.email.wire, candidate.loginName.wire]
  return texts.flatMap((text) => (text === undefined ? [] : [text.trim().toLowerCase()]))
}

/** The registration, by the suite, of the account that a login names, or that its name is a near miss of. */
function registration(session: Session, about: SentRequest): readonly EarlierRequest[] {
  const { registration: declared } = session.deployment
  const [name = ''] = namesIn(about)
  const names = namesIn(about)
  const isNamed = (known: string): boolean => names.includes(known.toLowerCase())
  const isNear = (known: string): boolean => name.includes(known.slice(0, -1).toLowerCase())
  const { registered } = session
  const known =
    registered.find(({ loginName }) => isNamed(loginName.wire)) ??
    (about.account === undefined ? registered.find(({ loginName }) => isNear(loginName.wire)) : undefined)
  return declared === undefined || known === undefined
    ? []
    : [requestTo(session, templatesOf(declared.request), { ...known })]
}

/** The request to a provider whose answer a sign-in repeats a part of. */
function preparation(session: Session, { prepared }: SentRequest): EarlierRequest | undefined {
  const { accounts, externalLogin } = session.deployment
  const { prepare, account: name } = externalLogin ?? {}
  if (prepare === undefined) return undefined
  const { request, capture } = prepare
  const spelled = JSON.stringify([prepared.shownPath, prepared.headers, prepared.shownBody])
  if (!Object.keys(capture).some((each) => spelled.includes(`‹${each}›`))) return undefined
  const account = accounts.find(({ userName }) => userName === name) ?? accounts[0]
  const bindings = {
    userName: shownName(account),
    password: secret(account.password, passwordLabel(account)),
  }
  return { ...requestTo(channelFor(session, request), templatesOf(request), bindings), capture }
}

function requestTo(
  { basePath, shownBase, target }: Pick<Session, 'basePath' | 'shownBase' | 'target'>,
  { template, shownTemplate }: ReturnType<typeof templatesOf>,
  bindings: Bindings,
): EarlierRequest {
  return { prepared: prepareRequest(template, bindings, basePath, shownTemplate), shownBase, target }
}
