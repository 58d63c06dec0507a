import type { RegistrationTemplate, RequestTemplate, Step } from '../../spec/types.js'
import { registrationOutcome } from '../checks/registration.js'
import type { Account, Deployment, TargetRequest } from '../deployment.js'
import { Answer } from '../wire/answer.js'
import { textAt } from '../wire/json-pointer.js'
import { freshBinding } from './bindings.js'
import type { Candidate } from './fresh-account.js'
import { type Sent, type Session, send } from './session.js'
import { type Bindings, fill } from './template.js'
import { plain, secret } from './text.js'

/** What a step sent: the requests that are judged (several only with `atOnce`), and all that the report shows. */
export interface StepSent {
  readonly judged: readonly Sent[]
  readonly shown: readonly Sent[]
}

/** Sends one step of a case. Never throws for what the target does. */
export async function sendStep(
  session: Session,
  caseId: string,
  label: string,
  step: Step,
  bindings: Bindings,
  account: Account,
): Promise<StepSent> {
  const once = async (): Promise<StepSent> => {
    if (step.register !== undefined)
      return alone(await register(session, caseId, label, step.register, bindings))
    if (step.signIn !== undefined) return signIn(session, caseId, label, step.signIn)
    return alone(await sendTemplate(session, caseId, label, step, bindings, account))
  }
  if (step.atOnce === undefined) return once()
  const all = await Promise.all(Array.from({ length: step.atOnce }, once))
  return { judged: all.flatMap(({ judged }) => judged), shown: all.flatMap(({ shown }) => shown) }
}

async function sendTemplate(
  session: Session,
  caseId: string,
  label: string,
  { send: template = {}, at }: Step,
  bindings: Bindings,
  account: Account,
): Promise<Sent> {
  if (at !== 'sibling') return send(session, caseId, label, template, { bindings, account })
  const sibling = session.sibling?.()
  if (sibling === undefined) throw new TypeError(`${caseId} needs a deployment without userId`)
  return send(session, caseId, label, template, { bindings, account, through: sibling })
}

/** Registers an account by the target's own request, always on a connection of its own. */
export async function register(
  session: Session,
  caseId: string,
  label: string,
  template: RegistrationTemplate,
  bindings: Bindings,
): Promise<Sent> {
  const registration = declared(session.deployment, 'registration')
  const candidate = candidateOf(template, { ...bindings, each: freshBinding(session, caseId) })
  const sent = await send(session, caseId, label, asTemplate(registration.request), {
    bindings: { ...candidate },
    account: { userName: candidate.userName.wire, password: candidate.password.wire },
    candidate,
  })
  if (sent.answer instanceof Answer && registrationOutcome(sent.answer, registration) === 'accepted')
    session.onRegistered(candidate)
  return sent
}

/** What is to be registered: what the template leaves out is fresh. */
export function candidateOf(template: RegistrationTemplate, bindings: Bindings): Candidate {
  return {
    userName: fill(template.userName ?? '$fresh.userName', bindings),
    email: fill(template.email ?? '$fresh.email', bindings),
    password: fill(template.password ?? '$fresh.password', bindings),
  }
}

/** Signs in through an outside provider, by the target's own requests. */
export async function signIn(
  session: Session,
  caseId: string,
  label: string,
  how: NonNullable<Step['signIn']>,
): Promise<StepSent> {
  const login = declared(session.deployment, 'externalLogin')
  const { accounts } = session.deployment
  const account = accounts.find(({ userName }) => userName === login.account) ?? accounts[0]
  const bindings: Record<string, ReturnType<typeof plain>> = {
    userName: plain(account.userName),
    password: secret(account.password, `password of ${account.userName}`),
  }
  const shown: Sent[] = []
  if (how === 'registered' && login.prepare !== undefined) {
    const { request, capture } = login.prepare
    const through = request.url === undefined ? undefined : session.elsewhere(request.url)
    const prepared = await send(session, caseId, 'prepare', asTemplate(request), {
      bindings,
      account,
      byTarget: true,
      ...(through === undefined ? {} : { through }),
    })
    shown.push(prepared)
    for (const [name, pointer] of Object.entries(capture)) {
      const value = prepared.answer instanceof Answer ? textAt(prepared.answer.json.root, pointer) : undefined
      if (value === undefined) {
        const why =
          prepared.answer instanceof Answer ? `its answer has no text at ${pointer}` : prepared.answer.reason
        const failed: Sent = {
          ...prepared,
          label,
          answer: { reason: `the sign-in could not be prepared: ${why}` },
        }
        return { judged: [failed], shown }
      }
      bindings[name] = secret(value, name)
    }
  }
  const request = how === 'registered' ? login.request : (login.withoutCallback ?? login.request)
  const sent = await send(session, caseId, label, asTemplate(request), { bindings, account, byTarget: true })
  return { judged: [sent], shown: [...shown, sent] }
}

function declared<K extends 'registration' | 'externalLogin'>(
  deployment: Deployment,
  capability: K,
): NonNullable<Deployment[K]> {
  const found = deployment[capability]
  if (found === undefined)
    throw new TypeError(`a case needs \`${capability}\`, and its \`when\` does not say so`)
  return found
}

/** The target's request in the form of ours. */
function asTemplate(request: TargetRequest): RequestTemplate {
  const { method, path, url, headers, json, form } = request
  return {
    method,
    path: path ?? pathOf(url ?? ''),
    ...(headers === undefined ? {} : { headers }),
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { form }),
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function alone(sent: Sent): StepSent {
  return { judged: [sent], shown: [sent] }
}
