import type { Case } from '../spec/types.js'
import type { Account } from './deployment.js'
import { accountBindings, type Control, type Sent, type Session, send } from './session.js'
import { Answer } from './wire/answer.js'

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
  const refused = session.refusedAccounts.get(account.userName)
  if (refused !== undefined) return refused
  const template = control.steps[0]?.send ?? {}
  const bindings = accountBindings(session, account)
  const sent = await send(session, forCase, label, template, bindings, account)
  return {
    sent,
    broken: whyBroken(control.id, sent),
    stopped: sent.exchange.failure?.kind === 'stopped',
  }
}

function whyBroken(id: string, { answer }: Sent): string | undefined {
  if (!(answer instanceof Answer)) return `the control ${id} could not be judged: ${answer.reason}`
  if (answer.yieldsToken) return undefined
  return `the control ${id}, a valid request, was refused (${answer.status}): a refusal proves nothing here`
}
