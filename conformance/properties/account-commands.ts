import fc from 'fast-check'
import type { Expectation } from '../../spec/model/expectation.js'
import type { Judgement } from '../../spec/model/report.js'
import { isSpent } from '../drivers/send/session/budgets.js'
import type { CaseRun } from '../drivers/send/session/case-run.js'
import { baseBindings } from '../drivers/send/session/case-run.js'
import { register as sendRegistration } from '../drivers/send/session/control.js'
import { judgeSent } from '../drivers/send/session/judge-sent.js'
import { send } from '../drivers/send/session/send.js'
import type { SentRequest, Session } from '../drivers/send/session/session.js'
import { signIn } from '../drivers/send/session/sign-in.js'
import { HttpResponse } from '../exchange/http-response.js'
import { plain } from '../exchange/redactable-text.js'
import { passwordsLackingOneThing } from '../generators/password-classes.js'
import { type Candidate, FRESH_PASSWORD } from '../target/accounts/fresh-account.js'
import { classifyRegistration } from '../target/accounts/policy.js'
import type { Account } from '../target/deployment.js'

/** What the service must know by now: who has registered, and who was refused. */
export interface Model {
  readonly accepted: Candidate[]
  readonly rejected: Candidate[]
}

/** The service, and a record of what it did. */
export interface Real {
  readonly run: CaseRun
  readonly sent: SentRequest[]
  readonly judgements: Judgement[]
  /** A login was left out, because no further one may fail: a sequence without it shows less. */
  isShortened?: boolean
}

/** Thrown to tell fast-check that this sequence breaks a rule; caught where the search is called. */
export class ModelViolation extends Error {}

/** What is done next. Its name has no comma: commas part the commands of a sequence. */
export type AccountCommand = fc.AsyncCommand<Model, Real>

export function accountCommand(
  name: string,
  run: AccountCommand['run'],
  check: (model: Readonly<Model>) => boolean = () => true,
): AccountCommand {
  return { check, run, toString: () => name }
}

const REGISTER = accountCommand('register', (model, real) => register(model, real, false))
const REGISTER_WEAK = accountCommand('register with a weak password', (model, real) =>
  register(model, real, true),
)

async function register(model: Model, real: Real, isWeak: boolean): Promise<void> {
  const sent = await newAccount(real, isWeak ? { password: WEAK } : {})
  expectThat(real, sent, { rule: '8-R1', registered: !isWeak })
  if (sent.candidate !== undefined) (isWeak ? model.rejected : model.accepted).push(sent.candidate)
}

/** A password of one lowercase letter: too short wherever the minimum is at least two. */
export const WEAK = 'a'

/** Whether a password that lacks one thing is accepted is for that thing's rule to judge; here, what a rejection comes to. */
export function registerLackingOneThing(corrects = false): AccountCommand {
  const name = 'register with passwords that lack one thing each and log in where that is rejected'
  return accountCommand(name + (corrects ? AND_CORRECT : ''), async (model, real) => {
    const { registration: declared } = real.run.session.deployment
    if (declared === undefined) return
    await sideBySide(model, real, passwordsLackingOneThing(declared.policy), async (password, own) => {
      const sent = await newAccount(own.real, { password })
      const { candidate } = sent
      if (!isRejected(own.real, sent) || candidate === undefined) return
      await expectNoLogin(own.model, own.real, candidate)
      const { userName, email } = candidate
      if (corrects) await correct(own.real, { userName: userName.wire, email: email.wire })
    })
  })
}

export function registerEmailAgain(which: number, corrects = false): AccountCommand {
  const name = `register again with the e-mail address of account ${which}`
  return accountCommand(name + (corrects ? AND_CORRECT : ''), async (model, real) => {
    const first = await anAccepted(model, real, which)
    const { loginName, policy } = real.run.session.deployment.registration ?? {}
    const unique = policy?.uniqueEmail ?? true
    // Where the address is what one logs in with, a second account of it is one of a taken name: silent.
    if (!unique && loginName === '$email') return
    const sent = await newAccount(real, { email: first.email.wire, password: otherPasswordOf(first) })
    expectThat(real, sent, { rule: '8-unique-email', registered: !unique })
    if (sent.candidate === undefined) return
    if (!unique) {
      model.accepted.push(sent.candidate)
      return
    }
    await expectNoLogin(model, real, sent.candidate)
    if (!corrects) return
    await expectLogin(real, first)
    await correct(real, { userName: sent.candidate.userName.wire })
  })
}

/** Of every class, and no near miss of the other. */
const OTHER_PASSWORD = 'Loud_9_Hills+Stand_35_Nights!'

export function otherPasswordOf({ password }: Candidate): string {
  return password.wire.replace(FRESH_PASSWORD, OTHER_PASSWORD)
}

const LOGINS = {
  right: 'as account',
  'wrong password': 'with a wrong password as account',
  'rejected account': 'as rejected account',
  'unknown user': 'as an unknown user',
} as const
type Login = keyof typeof LOGINS

function logInAs(how: Login, which: number): AccountCommand {
  const right = how === 'right'
  return accountCommand(
    `log in ${LOGINS[how]}${how === 'unknown user' ? '' : ` ${which}`}`,
    async (model, real) => {
      const credentials = await credentialsOf(how, which, model, real)
      if (!right && !mayFail(real, credentials)) return
      const sent = await logIn(real, credentials)
      const rule = right || how === 'rejected account' ? '8-R1' : '4.1-credentials'
      expectThat(real, sent, { rule, yieldsToken: right })
    },
    ({ rejected }) => how !== 'rejected account' || rejected.length > 0,
  )
}

async function credentialsOf(how: Login, which: number, model: Model, real: Real): Promise<Account> {
  if (how === 'unknown user') {
    const unregistered = baseBindings(real.run).fresh as Candidate | undefined
    return {
      userName: unregistered?.loginName.wire ?? 'absent',
      password: unregistered?.password.wire ?? 'Absent-1',
    }
  }
  const { loginName, password } =
    how === 'rejected account' ? nth(model.rejected, which) : await anAccepted(model, real, which)
  return {
    userName: loginName.wire,
    password: how === 'wrong password' ? `${password.wire}x` : password.wire,
  }
}

const SIGN_IN = accountCommand('sign in through the provider', async (_, real) => {
  const { judged, shown } = await signIn(real.run, 'registered', 'sign in')
  real.sent.push(...shown)
  expectThat(real, judged, { rule: '4.2-external-login', yieldsToken: true })
})

/** Several at once: none may disturb another. */
function together(commands: readonly AccountCommand[]): AccountCommand {
  return accountCommand(
    `at once: ${commands.join('; ')}`,
    (model, real) => sideBySide(model, real, commands, (command, own) => command.run(own.model, own.real)),
    (model) => commands.every((command) => command.check(model)),
  )
}

/**
 * Does the work for all items at once. Each sees the model as it was before any of them.
 * @throws what the first of the items throws that fail: what it sent comes last then, as where one follows another
 */
async function sideBySide<Item>(
  model: Model,
  real: Real,
  items: readonly Item[],
  work: (item: Item, own: { readonly model: Model; readonly real: Real }) => Promise<void>,
): Promise<void> {
  const before = { accepted: model.accepted.length, rejected: model.rejected.length }
  const all = items.map((item) => {
    const own = {
      model: { accepted: [...model.accepted], rejected: [...model.rejected] },
      real: { run: real.run, sent: [], judgements: [] } as Real,
    }
    return { ...own, ended: work(item, own) }
  })
  const ends = await Promise.allSettled(all.map(({ ended }) => ended))
  const firstFailed = ends.findIndex(({ status }) => status === 'rejected')
  const last = all[firstFailed]
  for (const own of [...all.filter((one) => one !== last), ...(last === undefined ? [] : [last])]) {
    model.accepted.push(...own.model.accepted.slice(before.accepted))
    model.rejected.push(...own.model.rejected.slice(before.rejected))
    real.sent.push(...own.real.sent)
    real.judgements.push(...own.real.judgements)
    if (own.real.isShortened) real.isShortened = true
  }
  const end = ends[firstFailed]
  if (end?.status === 'rejected') throw end.reason
}

/** Every command; what the target does not declare is not among them. */
export function accountCommands(session: Session): readonly fc.Arbitrary<AccountCommand>[] {
  const { registration, externalLogin } = session.deployment
  const which = fc.nat(5)
  const weak = (registration?.policy.minimumLength ?? 1) > WEAK.length
  const simple: readonly fc.Arbitrary<AccountCommand>[] = [
    fc.constant(REGISTER),
    ...(weak ? [fc.constant(REGISTER_WEAK)] : []),
    fc.constant(registerLackingOneThing()),
    which.map((n) => registerEmailAgain(n)),
    ...(['right', 'wrong password', 'rejected account'] as const).map((how) =>
      which.map((n) => logInAs(how, n)),
    ),
    fc.constant(logInAs('unknown user', 0)),
    ...(externalLogin === undefined ? [] : [fc.constant(SIGN_IN)]),
  ]
  return [...simple, fc.array(fc.oneof(...simple), { minLength: 2, maxLength: 4 }).map(together)]
}

export function isRejected({ run }: Real, { response }: SentRequest): boolean {
  const { registration } = run.session.deployment
  return (
    registration !== undefined &&
    response instanceof HttpResponse &&
    classifyRegistration(response, registration) === 'rejected'
  )
}

/** What is registered in place of what is fresh. */
type Own = Partial<Readonly<Record<'userName' | 'email' | 'password', string>>>

const AND_CORRECT = ' and register once more without what was wrong'

/** 8-R1: a rejected registration leaves nothing behind: what was right of it is accepted now, and logs in. */
export async function correct(real: Real, own: Own): Promise<void> {
  const hint = 'what was right of a registration that was rejected before is still free'
  const sent = await newAccount(real, own)
  expectThat(real, sent, { rule: '8-R1', registered: true, hint })
  if (sent.candidate !== undefined) await expectLogin(real, sent.candidate)
}

/** 8-R1: what was accepted logs in, where that can be done at once. */
export async function expectLogin(real: Real, { loginName, password }: Candidate): Promise<void> {
  if (real.run.session.deployment.registration?.immediate === false) return
  const sent = await logIn(real, { userName: loginName.wire, password: password.wire })
  expectThat(real, sent, { rule: '8-R1', yieldsToken: true })
}

export async function newAccount(real: Real, own: Own): Promise<SentRequest> {
  const texts = Object.fromEntries(Object.entries(own).map(([name, text]) => [`own${name}`, plain(text)]))
  const template = Object.fromEntries(Object.keys(own).map((name) => [name, `$own${name}`]))
  const sent = await sendRegistration(real.run, template, 'register', texts)
  real.sent.push(sent)
  return sent
}

/** An account that was accepted before, or is now. */
async function anAccepted(model: Model, real: Real, which: number): Promise<Candidate> {
  if (model.accepted.length === 0) await register(model, real, false)
  return nth(model.accepted, which)
}

/** 8-R1: the name of a rejected account is still free. */
export async function expectNoLogin(
  model: Model,
  real: Real,
  candidate: Candidate,
  rule = '8-R1',
): Promise<void> {
  // Where the address is the login name, a second registration of it has the first one's credentials.
  if (model.accepted.some(({ loginName }) => loginName.wire === candidate.loginName.wire)) return
  model.rejected.push(candidate)
  const credentials = { userName: candidate.loginName.wire, password: candidate.password.wire }
  if (!mayFail(real, credentials)) return
  const sent = await logIn(real, credentials)
  expectThat(real, sent, { rule, yieldsToken: false })
}

/** Counts one more failed login, where there may be one: within the budget, and two for each name. */
function mayFail(real: Real, { userName }: Account): boolean {
  const { logins, testCase } = real.run
  if (logins === undefined || !logins.budget.mayFail(userName)) return false
  if (isSpent(logins)) {
    logins.budget.leaveOut(testCase.id, 1)
    real.isShortened = true
    return false
  }
  logins.budget.failed(1, userName)
  return true
}

async function logIn({ run, sent: all }: Real, { userName, password }: Account): Promise<SentRequest> {
  const shownName = userName.replace(run.session.run.nonce, '‹run›')
  const sent = await send(run, {
    label: 'log in',
    template: { form: { grant_type: 'password', username: '$name', password: '$password' } },
    bindings: { name: { wire: userName, shown: shownName }, password: plain(password) },
    account: { userName, password },
  })
  all.push(sent)
  return sent
}

/** Judges one response; a broken rule ends the sequence. */
function expectThat({ run, judgements }: Real, sent: SentRequest, expectation: Expectation): void {
  const judgement = judgeSent(run.session, expectation, sent)
  judgements.push(judgement)
  if (judgement.outcome === 'failed') throw new ModelViolation(judgement.message)
  // An account that is neither accepted nor rejected makes every later expectation a guess.
  if (judgement.outcome === 'cantTell') throw new Inconclusive(judgement.reason)
}

/** Thrown to end a sequence that can no longer be judged. */
export class Inconclusive extends Error {}

function nth<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new TypeError('there is none to choose from')
  return item
}
