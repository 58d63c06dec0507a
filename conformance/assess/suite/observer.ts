import type { Case } from '../../../spec/model/case.js'
import { inParallel } from '../../../spec/model/items.js'
import type { Observation } from '../../../spec/model/report.js'
import type { Probe } from '../../../spec/model/specification.js'
import type { LoginBudgets } from '../../drivers/send/session/budgets.js'
import { baseBindings, type CaseRun, newAccountOf, startCase } from '../../drivers/send/session/case-run.js'
import { caseAccount } from '../../drivers/send/session/control.js'
import { caseRequestOf, send } from '../../drivers/send/session/send.js'
import type { SentRequest, Session } from '../../drivers/send/session/session.js'
import { plain, type RedactableText } from '../../exchange/redactable-text.js'
import { type Bindings, isText, membersOf } from '../../exchange/template.js'
import { unmetCondition } from '../../target/unmet-condition.js'
import { learnSecrets } from './learn-secrets.js'
import { showObserved } from './observed.js'
import { bearsAnyNumber, partition } from './run-phase.js'

/** What a run has seen of a deployment anyway. */
export interface SeenAnyway {
  /** The first response to each case's own last request. */
  readonly firstResponses: ReadonlyMap<string, SentRequest>
  /** Why requests were sent again. */
  readonly resent: readonly string[]
}

/**
 * Describes what a service does where the specification is silent. Never fails a run. What may be a failed login is sent
 * only while the declared budget lasts.
 */
export class Observer {
  readonly #session: Session
  readonly #logins: LoginBudgets
  readonly #probes: readonly Probe[]
  /** What its own requests showed. */
  readonly #observed = new Map<Probe, string>()

  constructor(session: Session, logins: LoginBudgets) {
    const { deployment, run } = session
    this.#session = session
    this.#logins = logins
    this.#probes = run.specification.observations.filter(
      ({ when }) => when === undefined || unmetCondition(when, deployment, run.strict) === undefined,
    )
  }

  async send(): Promise<void> {
    const session = this.#session
    const { signal, limit } = session.run
    const one = async (probe: Probe): Promise<void> => {
      if (signal.aborted) session.leftOut.stopped(nameOf(probe))
      else this.#observed.set(probe, await observedBy(session, probe, this.#logins))
    }
    const own = this.#probes.filter(({ steps }) => steps.length > 0)
    const [failing, good] = partition(own, ({ failedLogin = false }) => failedLogin)
    if (bearsAnyNumber(session)) return void (await inParallel([...failing, ...good], limit.width, one))
    await inParallel(good, limit.width, one)
    await inParallel(failing, 1, one)
  }

  /** To be called after the last response. */
  show(seen: SeenAnyway): readonly Observation[] {
    const { deployment, run } = this.#session
    return this.#probes.flatMap((probe) => {
      const { id, section, statement, steps } = probe
      const text = steps.length > 0 ? this.#observed.get(probe) : seenBy(this.#session, probe, seen)
      if (text === undefined || run.signal.aborted) return []
      return [{ id, section, deployment: deployment.name, statement, observed: withoutChanging(text) }]
    })
  }
}

function nameOf({ id }: Probe): string {
  return `the observation ${id}`
}

/** Two equal runs observe the same: dates and the ids that a server makes differ each time, and say nothing. */
function withoutChanging(text: string): string {
  return text
    .replace(
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d\d?[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d(?: GMT)?/g,
      '‹date›',
    )
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '‹date›')
    .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '‹id›')
    .replace(/\b(?=\w*\d)[\da-f]{24,}\b/gi, '‹id›')
}

function seenBy(
  session: Session,
  { of, shows }: Probe,
  { resent, firstResponses }: SeenAnyway,
): string | undefined {
  if (shows !== 'rate-limit') {
    const sent = firstResponses.get(of ?? '')
    return sent && shown(session, shows, [sent])
  }
  const reasons = [...new Set(resent)]
  if (reasons.length === 0) return 'none'
  return session.run.redactor.text(`${resent.length}: ${reasons.slice(0, 5).join('; ')}`)
}

async function observedBy(session: Session, probe: Probe, logins: LoginBudgets): Promise<string> {
  const { id, section, statement, steps } = probe
  const probing: Case = {
    ...{ id, section, title: statement, steps },
    account: probe.failedLogin ? 'throwaway' : 'main',
  }
  const start = startCase(session, probing)
  const account = await caseAccount(start)
  if (session.refusedAccounts.has(account.userName))
    return session.run.redactor.text(`not probed: the login of ${account.userName} was refused`)
  const newAccount = newAccountOf({ session, account })
  const budget = newAccount === undefined ? logins.declared : logins.all
  if (probe.failedLogin && budget.left < steps.length) {
    budget.leaveOut(nameOf(probe), steps.length)
    return 'not probed: it may be a failed login, and `maxFailedLogins` is used up'
  }
  const run: CaseRun = { ...start, account, bindings: probeBindings({ ...start, account }) }
  const responses: SentRequest[] = []
  for (const step of steps) {
    const sent = await send(run, caseRequestOf(run, step, step.name ?? ''))
    responses.push(sent)
    if (probe.failedLogin && !sent.response.yieldsToken) budget.failed(1, newAccount)
  }
  return shown(session, probe.shows, responses)
}

/** The case may show other attempts than this one, with other near misses. */
function shown(session: Session, shows: Probe['shows'], sent: readonly SentRequest[]): string {
  learnSecrets(session, sent)
  return showObserved(shows, sent, session.run.redactor)
}

/** What observations may refer to, in addition to what cases may. */
export function probeBindings(run: CaseRun): Bindings {
  const base = baseBindings(run)
  const { session } = run
  const { registration } = session.deployment
  const upperOf = (part: 'userName' | 'email'): RedactableText => {
    const text = membersOf(base.fresh)[part]
    const { wire, shown } = isText(text) ? text : plain('')
    const upper = shown.split('‹run›').map((own) => own.toUpperCase())
    return { wire: wire.toUpperCase(), shown: upper.join('‹run in upper case›') }
  }
  return {
    ...base,
    ...(registration === undefined
      ? {}
      : {
          upperFresh: {
            userName: upperOf('userName'),
            email: upperOf('email'),
            domain: domainOf(upperOf('email')),
          },
          utf16: { password: plain(utf16Password(registration.policy.minimumLength)) },
        }),
  }
}

function domainOf({ wire, shown }: RedactableText): RedactableText {
  const afterAt = (text: string): string => text.slice(text.lastIndexOf('@') + 1)
  return { wire: afterAt(wire), shown: afterAt(shown) }
}

/** Of every class, with one character outside the Basic Multilingual Plane, of that length in UTF-16 units. */
function utf16Password(length: number): string {
  const rest = 'Aa0-'.repeat(Math.ceil(length / 4)).slice(0, Math.max(length - 2, 0))
  return `${rest}\u{1f511}`
}
