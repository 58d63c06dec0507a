import type { Observation, Probe } from '../../spec/types.js'
import { unmetCondition } from '../condition.js'
import type { Account } from '../deployment.js'
import { baseBindings } from '../session/bindings.js'
import type { FailedLogins } from '../session/failed-logins.js'
import { sendStep } from '../session/send-step.js'
import type { Sent, Session } from '../session/session.js'
import type { Bindings } from '../session/template.js'
import { plain } from '../session/text.js'
import { caseAccount } from '../session/throwaway.js'
import { Answer } from '../wire/answer.js'
import { showObserved } from './observed.js'

/** What a run has seen of a deployment anyway. */
export interface Seen {
  /** The first answer to each case's own last request. */
  readonly firstAnswers: ReadonlyMap<string, Sent>
  /** What was sent again, and why. */
  readonly resent: readonly string[]
}

/**
 * Tells what a service does where the specification is silent. Never fails a run. What may be a failed login is sent only
 * while the declared budget lasts.
 */
export async function observe(
  session: Session,
  probes: readonly Probe[],
  seen: Seen,
  logins: FailedLogins,
  signal: AbortSignal,
): Promise<readonly Observation[]> {
  const { deployment, redactor } = session
  const observations: Observation[] = []
  for (const probe of probes) {
    if (signal.aborted) break
    const unmet = probe.when && unmetCondition(probe.when, deployment, session.strict)
    if (unmet !== undefined) continue
    const observed = await observedBy(session, probe, seen, logins)
    if (observed === undefined) continue
    const { id, section, statement } = probe
    observations.push({
      id,
      section,
      deployment: deployment.name,
      statement,
      observed: redactor.text(observed),
    })
  }
  return observations
}

async function observedBy(
  session: Session,
  probe: Probe,
  seen: Seen,
  logins: FailedLogins,
): Promise<string | undefined> {
  if (probe.shows === 'rate-limit') {
    const reasons = [...new Set(seen.resent)]
    return reasons.length === 0 ? 'none' : `${seen.resent.length}: ${reasons.slice(0, 5).join('; ')}`
  }
  if (probe.of !== undefined) {
    const sent = seen.firstAnswers.get(probe.of)
    return sent && showObserved(probe.shows, [sent])
  }
  const account = probe.failedLogin
    ? await caseAccount(session, { id: probe.id, account: 'throwaway' })
    : session.deployment.accounts[0]
  if (session.refusedAccounts.has(account.userName)) return undefined
  if (probe.failedLogin && logins.left < probe.steps.length)
    return 'not probed: it may be a failed login, and `maxFailedLogins` is used up'
  const sent: Sent[] = []
  const bindings = probeBindings(session, probe.id, account)
  for (const step of probe.steps) {
    const { judged } = await sendStep(session, probe.id, step.name ?? '', step, bindings, account)
    sent.push(...judged)
    if (probe.failedLogin) logins.failed(judged.filter(({ answer }) => !yieldsToken(answer)).length)
  }
  return showObserved(probe.shows, sent)
}

/** What observations may refer to beside what cases may. */
function probeBindings(session: Session, id: string, account: Account): Bindings {
  const base = baseBindings(session, { id }, account)
  const size = (bytes: number): { wire: string; shown: string } => ({
    wire: 'x'.repeat(bytes),
    shown: `‹${bytes} × x›`,
  })
  const { registration } = session.deployment
  const fresh = base.fresh
  const upperOf = (part: 'userName' | 'email'): { wire: string; shown: string } => {
    const text =
      fresh !== undefined && part in fresh ? (fresh as { [name: string]: { wire: string } })[part] : undefined
    return { wire: text?.wire.toUpperCase() ?? '', shown: '‹the same in upper case›' }
  }
  return {
    ...base,
    upper: { userName: plain(account.userName.toUpperCase()) },
    padding: { k16: size(16_384), k64: size(65_536), k256: size(262_144), m1: size(1_048_576) },
    ...(registration === undefined
      ? {}
      : {
          upperFresh: { userName: upperOf('userName'), email: upperOf('email') },
          utf16: { password: plain(utf16Password(registration.policy.minimumLength)) },
        }),
  }
}

/** Of every class, with one character outside the Basic Multilingual Plane, of that length in UTF-16 units. */
function utf16Password(length: number): string {
  const rest = 'Aa0-'.repeat(Math.ceil(length / 4)).slice(0, Math.max(length - 2, 0))
  return `${rest}\u{1f511}`
}

function yieldsToken(answer: Sent['answer']): boolean {
  return answer instanceof Answer && answer.yieldsToken
}
