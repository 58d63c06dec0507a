import type { Case, RegistrationTemplate, RequestTemplate } from '../../../../spec/model/case.js'
import { CEASED_TO_WORK } from '../../../../spec/model/report.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import type { Bindings } from '../../../exchange/template.js'
import type { Account } from '../../../target/deployment.js'
import type { CaseRun } from './case-run.js'
import { baseBindings, startCase } from './case-run.js'
import { afterLost, caseRequestOf, isAccepted, registration, send } from './send.js'
import type { ControlResult, SentRequest, Session } from './session.js'
import { easeIfBusy, learnIfEased, mayRepeat, troubleOf } from './trouble.js'

/**
 * Sends the control of a case. An account that was refused at the start is not tried again: that login is the result.
 * @param control the case that is the control; it has one step
 */
export async function sendControl(run: CaseRun, control: Case, label: string): Promise<ControlResult> {
  const [step] = control.steps
  if (step === undefined) throw new TypeError(`${control.id} has no step`)
  const refused = run.session.refusedAccounts.get(run.account.userName)
  if (refused !== undefined && step.send !== undefined) return refused
  const once = async (): Promise<SentRequest> => {
    const bound = { ...run, bindings: baseBindings(run, control.steps) }
    if (step.signIn === undefined) return send(bound, caseRequestOf(bound, step, label))
    return (await (await import('./sign-in.js')).signIn(bound, step.signIn, label)).judged
  }
  const all = [await once()]
  let sent = all[0] as SentRequest
  // What goes wrong now and then is no reason to judge nothing beside it.
  while (step.signIn === undefined && isPassing(sent) && mayRepeat(all)) {
    const wasLost: boolean = sent.exchange.lost === true
    easeIfBusy(run.session, all)
    const again = await once()
    sent = wasLost ? afterLost(again) : again
    all.push(sent)
  }
  if (all.length > 1) learnIfEased(run.session, all, sent)
  return {
    sent,
    problem: explainRefused(run.session, control.id, sent),
    stopped: sent.exchange.failure?.kind === 'stopped',
  }
}

/** A connection that is refused now is refused at the next moment too. */
function isPassing(sent: SentRequest): boolean {
  return troubleOf(sent) !== undefined && sent.exchange.failure?.kind !== 'refused'
}

/** Signs in with an account, the main one by default, by the first login that other cases have as their control. */
export async function plainLogin(
  session: Session,
  label: string,
  account: Account = session.deployment.accounts[0],
): Promise<ControlResult | undefined> {
  const { cases } = session.run
  const controls = new Set([...cases.values()].map((testCase) => testCase.control))
  const login = [...cases.values()].find(({ id, steps }) => controls.has(id) && steps[0]?.send !== undefined)
  if (login === undefined) return undefined
  const result = await sendControl({ ...startCase(session, login), account }, login, label)
  if (result.problem === undefined) session.controls.good(controlKey(login, account), result)
  return result
}

/** The plain login is sent: where it was good at the start and ends in trouble now, that is the reason, else undefined. */
export async function explainOutage(session: Session): Promise<string | undefined> {
  if (!session.signedIn) return undefined
  const login = await plainLogin(session, 'control')
  const trouble = login && troubleOf(login.sent)
  if (login === undefined || trouble === undefined) return undefined
  return `${CEASED_TO_WORK}: a plain login ends in ${trouble} too`
}

/** It is good when it yields a token, or an account; whatever else is judged of it. */
function explainRefused(session: Session, id: string, sent: SentRequest): string | undefined {
  const { response, candidate } = sent
  if (!(response instanceof HttpResponse)) return `the control ${id} could not be judged: ${response.reason}`
  if (candidate === undefined ? response.yieldsToken : isAccepted(sent, session)) return undefined
  return `the control ${id}, a valid request, was refused (${response.status}): a refusal proves nothing here`
}

/**
 * The account that a case uses: the main one, or one to throw away. That is a new one where accounts can be registered
 * and log in at once, so that nothing that happens to it matters; else the last declared.
 */
export async function caseAccount(run: CaseRun): Promise<Account> {
  const { accounts, registration: declared } = run.session.deployment
  if (run.testCase.account !== 'throwaway') return accounts[0]
  const last = accounts.at(-1) ?? accounts[0]
  if (!declared?.immediate) return last
  // 8-R1 is the rule for an accepted account that cannot log in; the other rules are judged all the same.
  const { account, sent } = await newAccount({ ...run, account: last })
  if (account === undefined) return last
  // That login is what most such cases have as their control.
  const { control, session } = run
  if (control !== undefined && isPlainLogin(control))
    session.controls.good(controlKey(control, account), { sent, problem: undefined, stopped: false })
  return account
}

/** Whether all such cases share an account to throw away: one request that fails no login leaves nothing on it. */
export function sharesAccount({ account, failedLogin, forall }: Case): boolean {
  return account === 'throwaway' && !failedLogin && forall === undefined
}

/** What controls have in common that are the same request. */
export function controlKey({ id, steps }: Case, { userName }: Account): string {
  return steps[0]?.register === undefined ? `${id} ${userName}` : id
}

function isPlainLogin({ steps: [step] }: Case): boolean {
  const form = step?.send?.form
  return JSON.stringify(step?.send) === JSON.stringify({ form }) && JSON.stringify(form) === PLAIN_FORM
}

const PLAIN_FORM = JSON.stringify({
  grant_type: 'password',
  username: '$account.userName',
  password: '$account.password',
})

/** Registers a new account; one that is lost, another. @param own texts of its own, by the names of the template */
export async function register(
  run: CaseRun,
  template: RegistrationTemplate,
  label: string,
  own: Bindings = {},
): Promise<SentRequest> {
  const once = (): Promise<SentRequest> => {
    const bound = { ...run, bindings: { ...baseBindings(run), ...own } }
    return send(bound, registration(bound, template, label))
  }
  const sent = await once()
  return sent.exchange.lost ? afterLost(await once()) : sent
}

/** Registers an account and logs in. @returns the account where both succeeded, and the last request */
export async function newAccount(
  run: CaseRun,
): Promise<{ readonly account?: Account; readonly sent: SentRequest }> {
  const sent = await register(run, {}, 'set-up')
  const { candidate } = sent
  if (candidate === undefined || !isAccepted(sent, run.session)) return { sent }
  const account: Account = { userName: candidate.loginName.wire, password: candidate.password.wire }
  const login = await send(run, { label: 'set-up', template: LOGIN, bindings: { ...candidate }, account })
  return login.response.yieldsToken ? { account, sent: login } : { sent: login }
}

/** A new account, where one can be registered that may log in at once. */
export async function registeredAccount(session: Session): Promise<Account | undefined> {
  const { cases } = session.run
  const [anyCase] = cases.values()
  if (anyCase === undefined || !session.deployment.registration?.immediate) return undefined
  const sent = await register(startCase(session, anyCase), {}, 'set-up')
  const { candidate } = sent
  if (candidate === undefined || !isAccepted(sent, session)) return undefined
  return { userName: candidate.userName.wire, password: candidate.password.wire }
}

const LOGIN: RequestTemplate = {
  form: { grant_type: 'password', username: '$loginName', password: '$password' },
}
