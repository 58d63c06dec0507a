import type { Judgement } from '../../../spec/model/report.js'
import { formatReplay } from '../../../spec/model/selection.js'
import { type CaseRun, seedOf } from '../../drivers/send/session/case-run.js'
import { channelFor, templatesOf } from '../../drivers/send/session/send.js'
import type { CaseRecord, Evidence, SentRequest, Session } from '../../drivers/send/session/session.js'
import { type EarlierRequest, reproduce } from '../../evidence/reproduce.js'
import { secret } from '../../exchange/redactable-text.js'
import { type Bindings, prepareRequest } from '../../exchange/template.js'
import { passwordLabel, shownName } from '../../target/account-binding.js'

export { shorten } from '../../evidence/shorten.js'

const CONTROLS: readonly string[] = ['control', 'control again']

/** What shows a failure, and the means to repeat it. @param id of the result */
export function repeatOf(
  run: CaseRun,
  id: string,
  { sent }: CaseRecord,
  evidence: Evidence | undefined,
  withExchanges: boolean,
): Partial<Judgement> {
  const { deployment, run: context } = run.session
  const { redactor } = context
  const { about, counterexample, sameAs, isCompared = false } = evidence ?? {}
  const isOfDeclared = ({ account }: SentRequest): boolean =>
    deployment.accounts.some(({ userName }) => userName === account?.userName)
  // The control belongs to every failure of a case.
  const shown = sent.flatMap((request, place) =>
    CONTROLS.includes(request.label) || evidence?.sent.includes(request) ? [place] : [],
  )
  return {
    ...(withExchanges && evidence !== undefined ? { exchanges: shown } : {}),
    ...(counterexample === undefined ? {} : { counterexample: redactor.value(counterexample) }),
    // To repeat this case does not send what another one sent, but signs in with every declared account.
    ...(about?.ofCase === undefined || (isCompared && evidence?.sent.every(isOfDeclared))
      ? { replay: formatReplay(id, { seed: seedOf(run), path: '0', ...counterexample }) }
      : {}),
    // One request alone shows nothing of a race, or of two answers.
    ...(about === undefined ||
    isCompared ||
    run.testCase.steps.some(({ concurrency }) => concurrency !== undefined)
      ? {}
      : {
          reproduce: reproduce(about, redactor, deployment.accounts, [
            ...(sameAs === undefined ? [] : [{ ...sameAs, isShown: true }]),
            ...earlierRequests(run.session, about, sent),
          ]),
        }),
  }
}

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
  const captured = capturedFor(about, sent)
  if (captured.length > 0) return captured
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

/** Without letter case, outer white space and the form of letters: a service may take them for the same. */
function namesIn({ candidate, account, prepared: { userName, wire } }: SentRequest): readonly string[] {
  const query = new URLSearchParams(wire.path.split('?')[1])
  const texts =
    candidate === undefined
      ? [userName, query.get('username') ?? undefined, account?.userName]
      : [candidate.userName.wire, candidate.email.wire, candidate.loginName.wire]
  return texts.flatMap((text) => (text === undefined ? [] : [text.trim().normalize('NFKC').toLowerCase()]))
}

/** The registration, by the suite, of the account that a login names, or that its name is a near miss of. */
function registration(session: Session, about: SentRequest): readonly EarlierRequest[] {
  const { registration: declared } = session.deployment
  const [name = ''] = namesIn(about)
  // The name may be in another parameter than its own.
  const values = (about.prepared.form ?? []).map(({ value }) => value.wire.toLowerCase())
  const names = [...namesIn(about), ...values]
  const isNamed = (known: string): boolean => names.includes(known.toLowerCase())
  const isNear = (known: string): boolean => name.includes(known.slice(0, -1).toLowerCase())
  const { registered } = session
  const known =
    registered.find(({ userName, email }) => isNamed(userName.wire) || isNamed(email.wire)) ??
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
  if (!usesAny(capture, prepared)) return undefined
  const account = accounts.find(({ userName }) => userName === name) ?? accounts[0]
  const bindings = {
    userName: shownName(account),
    password: secret(account.password, passwordLabel(account)),
  }
  return { ...requestTo(channelFor(session, request), templatesOf(request), bindings), capture }
}

/** The steps whose answers a request repeats a part of, with those that they depend on. */
function capturedFor(about: SentRequest, sent: readonly SentRequest[]): readonly EarlierRequest[] {
  return sent.slice(0, Math.max(sent.indexOf(about), 0)).flatMap((request) => {
    const { captured: capture } = request
    return capture === undefined || !usesAny(capture, about.prepared)
      ? []
      : [...capturedFor(request, sent), { ...request, capture }]
  })
}

function usesAny(
  capture: Readonly<Record<string, string>>,
  { shownPath, headers, shownBody }: SentRequest['prepared'],
): boolean {
  const spelled = JSON.stringify([shownPath, headers, shownBody])
  return Object.keys(capture).some((name) => spelled.includes(`‹${name}›`))
}

function requestTo(
  { basePath, shownBase, target }: Pick<Session, 'basePath' | 'shownBase' | 'target'>,
  { template, shownTemplate }: ReturnType<typeof templatesOf>,
  bindings: Bindings,
): EarlierRequest {
  return { prepared: prepareRequest(template, bindings, basePath, shownTemplate), shownBase, target }
}
