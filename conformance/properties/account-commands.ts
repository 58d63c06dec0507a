import fc from 'fast-check'
import type { Expectation, Judgement } from '../../spec/types.js'
import { registrationOutcome } from '../checks/registration.js'
import type { Account } from '../deployment.js'
import { passwordsLackingOneThing } from '../generators/password-classes.js'
import { judge } from '../judge.js'
import { baseBindings } from '../session/bindings.js'
import type { FailedLogins } from '../session/failed-logins.js'
import type { Candidate } from '../session/fresh-account.js'
import { judgeContext } from '../session/judge-context.js'
import { register, signIn } from '../session/send-step.js'
import { type Sent, type Session, send } from '../session/session.js'
import { plain } from '../session/text.js'
import { Answer } from '../wire/answer.js'

/** What the service must know by now: who has registered, and who was refused. */
export interface Model {
  readonly accepted: Candidate[]
  readonly rejected: Candidate[]
}

/** The service, and a record of what it did. */
export interface Real {
  readonly session: Session
  readonly caseId: string
  readonly budget: FailedLogins | undefined
  readonly sent: Sent[]
  readonly judgements: Judgement[]
}

/** Thrown to tell fast-check that this sequence breaks a rule; caught where the search is called. */
export class BrokenRule extends Error {}

abstract class AccountCommand implements fc.AsyncCommand<Model, Real> {
  readonly #name: string
  constructor(name: string) {
    this.#name = name
  }
  check(_model: Readonly<Model>): boolean {
    return true
  }
  abstract run(model: Model, real: Real): Promise<void>
  toString(): string {
    return this.#name
  }
}

class Register extends AccountCommand {
  readonly #weak: boolean
  constructor(weak: boolean) {
    super(weak ? 'register with a weak password' : 'register')
    this.#weak = weak
  }
  override async run(model: Model, real: Real): Promise<void> {
    const sent = await newAccount(real, this.#weak ? { password: WEAK } : {})
    expectThat(real, sent, { rule: '8-R1', registered: !this.#weak })
    if (sent.candidate !== undefined) (this.#weak ? model.rejected : model.accepted).push(sent.candidate)
  }
}

/** A password of one lowercase letter: too short wherever the minimum is at least two. */
const WEAK = 'a'

/** Whether a password that lacks one thing is accepted is for that thing's rule to judge; here, what a rejection comes to. */
class RegisterLackingOneThing extends AccountCommand {
  constructor() {
    super('register with passwords that lack one thing each and log in where that is rejected')
  }
  override async run(model: Model, real: Real): Promise<void> {
    const { registration } = real.session.deployment
    if (registration === undefined) return
    for (const password of passwordsLackingOneThing(registration.policy)) {
      const { candidate, answer } = await newAccount(real, { password })
      const isRejected = answer instanceof Answer && registrationOutcome(answer, registration) === 'rejected'
      if (isRejected && candidate !== undefined) await expectNobody(model, real, candidate)
    }
  }
}

class RegisterEmailAgain extends AccountCommand {
  readonly #which: number
  constructor(which: number) {
    super(`register again with the e-mail address of account ${which}`)
    this.#which = which
  }
  override async run(model: Model, real: Real): Promise<void> {
    const { email } = await anAccepted(model, real, this.#which)
    const unique = real.session.deployment.registration?.policy.uniqueEmail ?? true
    const sent = await newAccount(real, { email: email.wire })
    expectThat(real, sent, { rule: '8-unique-email', registered: !unique })
    if (sent.candidate === undefined) return
    if (!unique) model.accepted.push(sent.candidate)
    else await expectNobody(model, real, sent.candidate)
  }
}

type Login = 'right' | 'wrong password' | 'rejected account' | 'unknown user'

/** Without a comma: commas part the commands of a sequence. */
const AS: Readonly<Record<Login, string>> = {
  right: 'as account',
  'wrong password': 'with a wrong password as account',
  'rejected account': 'as rejected account',
  'unknown user': 'as an unknown user',
}

class LogIn extends AccountCommand {
  readonly #how: Login
  readonly #which: number
  constructor(how: Login, which: number) {
    super(`log in ${AS[how]}${how === 'unknown user' ? '' : ` ${which}`}`)
    this.#how = how
    this.#which = which
  }
  override check(model: Readonly<Model>): boolean {
    return this.#how !== 'rejected account' || model.rejected.length > 0
  }
  override async run(model: Model, real: Real): Promise<void> {
    const right = this.#how === 'right'
    if (!right && (real.budget?.left ?? 0) <= 0) return
    const sent = await logIn(real, await this.#credentials(model, real))
    if (!right) real.budget?.failed(1)
    const rule = right || this.#how === 'rejected account' ? '8-R1' : '4.1-credentials'
    expectThat(real, sent, { rule, yieldsToken: right })
  }

  async #credentials(model: Model, real: Real): Promise<Account> {
    const { session, caseId } = real
    if (this.#how === 'unknown user') {
      const nobody = baseBindings(session, { id: caseId }, session.deployment.accounts[0]).fresh as
        | Candidate
        | undefined
      return { userName: nobody?.userName.wire ?? 'nobody', password: nobody?.password.wire ?? 'Nobody-1' }
    }
    const { userName, password } =
      this.#how === 'rejected account'
        ? nth(model.rejected, this.#which)
        : await anAccepted(model, real, this.#which)
    return {
      userName: userName.wire,
      password: this.#how === 'wrong password' ? `${password.wire}x` : password.wire,
    }
  }
}

class SignIn extends AccountCommand {
  constructor() {
    super('sign in through the provider')
  }
  override async run(_: Model, real: Real): Promise<void> {
    const { judged, shown } = await signIn(real.session, real.caseId, 'sign in', 'registered')
    real.sent.push(...shown)
    for (const sent of judged) expectThat(real, sent, { rule: '4.2-external-login', yieldsToken: true })
  }
}

/** Several at once: none may disturb another. */
class Together extends AccountCommand {
  readonly #commands: readonly AccountCommand[]
  constructor(commands: readonly AccountCommand[]) {
    super(`at once: ${commands.join('; ')}`)
    this.#commands = commands
  }
  override check(model: Readonly<Model>): boolean {
    return this.#commands.every((command) => command.check(model))
  }
  override async run(model: Model, real: Real): Promise<void> {
    // Each sees the model as it was before any of them.
    const own = this.#commands.map((command) => ({
      command,
      model: { accepted: [...model.accepted], rejected: [...model.rejected] },
    }))
    const ended = await Promise.allSettled(own.map(({ command, model: seen }) => command.run(seen, real)))
    const before = { accepted: model.accepted.length, rejected: model.rejected.length }
    for (const { model: seen } of own) {
      model.accepted.push(...seen.accepted.slice(before.accepted))
      model.rejected.push(...seen.rejected.slice(before.rejected))
    }
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }
}

/** What is tried first: every single reason for a rejection, each of which may be the one that is not heeded (8-R1). */
export function everyRejection({ deployment }: Session): readonly AccountCommand[] {
  return deployment.registration === undefined
    ? []
    : [new RegisterEmailAgain(0), new RegisterLackingOneThing()]
}

/** Every command; what the target does not declare is not among them. */
export function accountCommands(session: Session): readonly fc.Arbitrary<AccountCommand>[] {
  const { registration, externalLogin } = session.deployment
  const which = fc.nat(5)
  const weak = (registration?.policy.minimumLength ?? 1) > WEAK.length
  const simple: readonly fc.Arbitrary<AccountCommand>[] = [
    fc.constant(new Register(false)),
    ...(weak ? [fc.constant(new Register(true))] : []),
    fc.constant(new RegisterLackingOneThing()),
    which.map((n) => new RegisterEmailAgain(n)),
    which.map((n) => new LogIn('right', n)),
    which.map((n) => new LogIn('wrong password', n)),
    which.map((n) => new LogIn('rejected account', n)),
    fc.constant(new LogIn('unknown user', 0)),
    ...(externalLogin === undefined ? [] : [fc.constant(new SignIn())]),
  ]
  const together = fc
    .array(fc.oneof(...simple), { minLength: 2, maxLength: 4 })
    .map((commands) => new Together(commands))
  return [...simple, together]
}

async function newAccount(real: Real, own: { email?: string; password?: string }): Promise<Sent> {
  const { session, caseId } = real
  const bindings = baseBindings(session, { id: caseId }, session.deployment.accounts[0])
  const texts = Object.fromEntries(Object.entries(own).map(([name, text]) => [`own${name}`, plain(text)]))
  const template = Object.fromEntries(Object.keys(own).map((name) => [name, `$own${name}`]))
  const sent = await register(session, caseId, 'register', template, { ...bindings, ...texts })
  real.sent.push(sent)
  return sent
}

/** An account that was accepted before, or is now. */
async function anAccepted(model: Model, real: Real, which: number): Promise<Candidate> {
  if (model.accepted.length === 0) await new Register(false).run(model, real)
  return nth(model.accepted, which)
}

/** 8-R1: the name of a rejected account is still nobody's. */
async function expectNobody(model: Model, real: Real, candidate: Candidate): Promise<void> {
  model.rejected.push(candidate)
  if ((real.budget?.left ?? 0) <= 0) return
  const sent = await logIn(real, { userName: candidate.userName.wire, password: candidate.password.wire })
  real.budget?.failed(1)
  expectThat(real, sent, { rule: '8-R1', yieldsToken: false })
}

async function logIn(real: Real, { userName, password }: Account): Promise<Sent> {
  const { session, caseId } = real
  const account: Account = { userName, password }
  const shownName = userName.replace(session.runNonce, '‹run›')
  const sent = await send(
    session,
    caseId,
    'log in',
    { form: { grant_type: 'password', username: '$name', password: '$password' } },
    { bindings: { name: { wire: userName, shown: shownName }, password: plain(password) }, account },
  )
  real.sent.push(sent)
  return sent
}

/** Judges one answer; a broken rule ends the sequence. */
function expectThat({ session, judgements }: Real, sent: Sent, expectation: Expectation): void {
  const judgement = judge(
    expectation,
    sent.answer,
    judgeContext(session, sent, [sent], () => undefined),
  )
  judgements.push(judgement)
  if (judgement.outcome === 'failed') throw new BrokenRule(judgement.message)
  // An account that could not be told accepted or rejected makes every later expectation a guess.
  if (judgement.outcome === 'cantTell') throw new Undecided(judgement.reason)
}

/** Thrown to end a sequence that can no longer be judged. */
export class Undecided extends Error {}

function nth<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new TypeError('there is none to choose from')
  return item
}
