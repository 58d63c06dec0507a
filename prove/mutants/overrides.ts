import type { Behaviour, GrantKind } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import type { ReceivedRequest } from '../../reference/http/received-request.js'
import { type PasswordRule, violatedRules } from '../../reference/policy.js'
import { type Grant, type Member, renderMembers, tokenMembers } from '../../reference/token-response.js'
import type { Json } from '../../spec/model/json.js'

/** What a mutant overrides. */
export type Override = () => Partial<Behaviour>

/** The members of the token response, changed. */
export function members(
  change: (members: readonly Member[], grant: Grant, kind: GrantKind) => readonly Member[],
): Override {
  return () => ({ tokenMembers: (grant, kind) => change(tokenMembers(grant), grant, kind) })
}

/** One member's value, changed. */
export function value(name: string, change: (value: Json, grant: Grant) => Json): Override {
  return members((all, grant) =>
    all.map(([own, given]): Member => [own, own === name ? change(given, grant) : given]),
  )
}

/** One member's text, changed. */
export function text(name: string, change: (text: string) => string): Override {
  return value(name, (given) => change(String(given)))
}

export function renamed(name: string, to: string): Override {
  return members((all) => all.map(([own, given]): Member => [own === name ? to : own, given]))
}

export function without(name: string): Override {
  return members((all) => all.filter(([own]) => own !== name))
}

/** The text of the token response, changed. */
export function rendered(change: (json: string) => string): Override {
  return () => ({ renderMembers: (all) => change(renderMembers(all)) })
}

/** One member's value, replaced by a text that `JSON.stringify` would not write. */
export function raw(name: string, json: string): Override {
  const mark = '@raw@'
  return () => ({
    renderMembers: (all) =>
      renderMembers(all.map(([own, given]): Member => [own, own === name ? mark : given])).replace(
        JSON.stringify(mark),
        json,
      ),
  })
}

/** Every answer, changed on its way out. */
export function answers(change: (answer: Answer, request: ReceivedRequest) => Answer): Override {
  return () => ({ deliver: (answer, request) => ({ kind: 'answer', answer: change(answer, request) }) })
}

/** Whether it was sent to the token endpoint. */
export function asksForToken(request: ReceivedRequest): boolean {
  return request.path.endsWith('/Token')
}

/** Whether it carries a token. */
export function carriesToken({ status, body }: Answer): boolean {
  return status >= 200 && status <= 299 && body.toString().includes('"access_token"')
}

/** True for one call in so many, the last of them. */
export function oneIn(times: number): () => boolean {
  let calls = 0
  return () => ++calls % times === 0
}

/** The rules that a new password violates, changed. */
export function passwordRules(
  change: (violated: readonly PasswordRule[], password: string) => readonly PasswordRule[],
): Override {
  return () => ({ violatedRules: (password, policy) => change(violatedRules(password, policy), password) })
}

/** The override of one server, with when to be wrong: one time in so many. */
export function sometimes(override: (isDue: () => boolean) => Override, times = 50): Override {
  return () => override(oneIn(times))()
}
