import type { Case } from '../../spec/types.js'
import { registrationOutcome } from '../checks/registration.js'
import type { Account } from '../deployment.js'
import { Answer } from '../wire/answer.js'
import { baseBindings } from './bindings.js'
import { sendStep } from './send-step.js'
import type { Control, Sent, Session } from './session.js'

/**
 * Sends the control. An account that was refused at the start is not tried again: that login is the answer.
 * @param control the case that is the control; it has one step
 */
export async function sendControl(
  session: Session,
  control: Case,
  forCase: string,
  account: Account,
  label: string,
): Promise<Control> {
  const [step] = control.steps
  if (step === undefined) throw new TypeError(`${control.id} has no step`)
  const refused = session.refusedAccounts.get(account.userName)
  if (refused !== undefined && step.send !== undefined) return refused
  const bindings = baseBindings(session, { id: forCase, steps: control.steps }, account)
  const { judged } = await sendStep(session, forCase, label, step, bindings, account)
  const [sent] = judged
  if (sent === undefined) throw new TypeError(`${control.id} sent nothing`)
  return {
    sent,
    broken: whyBroken(session, control.id, sent),
    stopped: sent.exchange.failure?.kind === 'stopped',
  }
}

/** It holds when it yields a token, or an account; whatever else is judged of it. */
function whyBroken({ deployment }: Session, id: string, { answer, candidate }: Sent): string | undefined {
  if (!(answer instanceof Answer)) return `the control ${id} could not be judged: ${answer.reason}`
  const holds =
    candidate === undefined
      ? answer.yieldsToken
      : deployment.registration !== undefined &&
        registrationOutcome(answer, deployment.registration) === 'accepted'
  if (holds) return undefined
  return `the control ${id}, a valid request, was refused (${answer.status}): a refusal proves nothing here`
}
