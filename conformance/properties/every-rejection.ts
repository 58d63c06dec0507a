import { freshBinding } from '../drivers/send/session/case-run.js'
import { isAccepted } from '../drivers/send/session/send.js'
import type { Session } from '../drivers/send/session/session.js'
import type { Candidate } from '../target/accounts/fresh-account.js'
import {
  type AccountCommand,
  accountCommand,
  correct,
  expectLogin,
  expectNoLogin,
  isRejected,
  newAccount,
  otherPasswordOf,
  registerEmailAgain,
  registerLackingOneThing,
  WEAK,
} from './account-commands.js'

/**
 * What is tried first, each as a sequence of its own: every single reason for a rejection, which may be the one that is not
 * heeded, or that leaves something behind (8-R1).
 */
export function everyRejection({ deployment }: Session): readonly (readonly AccountCommand[])[] {
  const { registration } = deployment
  if (registration === undefined) return []
  const namesMayBeRefused = registration.policy.alphanumericUserNamesOnly
  return [
    [registerLackingOneThing(true)],
    [registerEmailAgain(0, true)],
    ...(namesMayBeRefused ? [[REGISTER_REFUSED_NAME]] : []),
    [REGISTER_NAME_AGAIN],
  ]
}

/** Whether the name is refused is for the rule on names to judge; here, what a rejection comes to. */
const REGISTER_REFUSED_NAME = accountCommand(
  'register with a user name that is refused and log in and register once more with another name',
  async (model, real) => {
    for (const mark of ['-', '.']) {
      const { userName } = freshBinding(real.run)
      const sent = await newAccount(real, { userName: `${userName.wire}${mark}x` })
      if (sent.candidate === undefined || !isRejected(real, sent)) continue
      await expectNoLogin(model, real, sent.candidate)
      await correct(real, { email: sent.candidate.email.wire })
    }
  },
)

/** Whether a user name may be taken twice is not shown. Where it is refused, the first account is as it was. */
const REGISTER_NAME_AGAIN = accountCommand(
  'register a user name twice and log in with both passwords',
  async (model, real) => {
    const { candidate: first, ...sent } = await newAccount(real, {})
    if (first === undefined || !isAccepted({ ...sent, candidate: first }, real.run.session)) return
    const refused: Candidate[] = []
    // The second is refused for its password too, which may be stored before the name is looked up.
    for (const password of [otherPasswordOf(first), WEAK]) {
      const again = await newAccount(real, { userName: first.userName.wire, password })
      if (again.candidate === undefined || !isRejected(real, again)) break
      await expectLogin(real, first)
      refused.push(again.candidate)
    }
    // At the end: a service may refuse an account for a while after a failed login. For an account that there is, the
    // password of the second is a wrong one.
    for (const candidate of refused) await expectNoLogin(model, real, candidate, '4.1-credentials')
    const [again, weak] = refused
    if (again !== undefined && weak !== undefined) await correct(real, { email: again.email.wire })
  },
)
