import { type GrantKind, specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import type { ReceivedRequest } from '../../reference/http/received-request.js'
import { type PasswordRule, violatedRules } from '../../reference/policy.js'
import type { Refusal } from '../../reference/refusal.js'
import { type Grant, type Member, renderMembers, tokenMembers } from '../../reference/token-response.js'
import type { Json } from '../../spec/model/json.js'
import type { Override } from './rows.js'

/** Which texts: those that match, or that pass. */
export type TextTest = RegExp | ((text: string) => boolean)

export function passes(test: TextTest, text: string): boolean {
  return test instanceof RegExp ? test.test(text) : test(text)
}

/** What becomes of a text: its first match is replaced, or else. */
export type TextChange = readonly [from: string | RegExp, to: string] | ((text: string) => string)

export function changed(change: TextChange, text: string): string {
  return typeof change === 'function' ? change(text) : text.replace(...change)
}

/** The members of the token response, changed. */
export function members(
  change: (members: readonly Member[], grant: Grant, kind: GrantKind) => readonly Member[],
): Override {
  return { tokenMembers: (grant, kind) => change(tokenMembers(grant), grant, kind) }
}

/** One member's value, changed. */
export function value(name: string, change: (value: Json, grant: Grant) => Json): Override {
  return members((all, grant) =>
    all.map(([own, given]): Member => [own, own === name ? change(given, grant) : given]),
  )
}

export function text(name: string, change: TextChange): Override {
  return value(name, (given) => changed(change, String(given)))
}

export function renamed(name: string, to: string): Override {
  return members((all) => all.map(([own, given]): Member => [own === name ? to : own, given]))
}

export function without(name: string): Override {
  return members((all) => all.filter(([own]) => own !== name))
}

export function rendered(change: TextChange): Override {
  return { renderMembers: (all) => changed(change, renderMembers(all)) }
}

/** One member's value, replaced by a text that `JSON.stringify` would not write. */
export function raw(name: string, json: string): Override {
  const mark = '@raw@'
  return {
    renderMembers: (all) =>
      renderMembers(all.map(([own, given]): Member => [own, own === name ? mark : given])).replace(
        JSON.stringify(mark),
        json,
      ),
  }
}

export const FAILURE: Answer = { status: 500, headers: [], body: '' }

/** Every answer, changed on its way out. */
export function answers(change: (answer: Answer, request: ReceivedRequest) => Answer): Override {
  return { deliver: (answer, request) => ({ kind: 'answer', answer: change(answer, request) }) }
}

export function refusedBy(status: number, ...refusals: readonly Refusal[]): Override {
  return {
    errorStatus: (refusal) => (refusals.includes(refusal) ? status : specifiedBehaviour.errorStatus(refusal)),
  }
}

/** Whether it was sent to the token endpoint. */
export function asksForToken(request: ReceivedRequest): boolean {
  return request.path.endsWith('/Token')
}

export function carriesToken({ status, body }: Answer): boolean {
  return status >= 200 && status <= 299 && body.toString().includes('"access_token"')
}

/** True for one call in so many, the last of them. */
export function oneIn(times: number): () => boolean {
  let calls = 0
  return () => ++calls % times === 0
}

export function passwordRules(
  change: (violated: readonly PasswordRule[], password: string) => readonly PasswordRule[],
): Override {
  return { violatedRules: (password, policy) => change(violatedRules(password, policy), password) }
}

/** The override of one server, with when to be wrong: one time in so many. */
export function sometimes(override: (isDue: () => boolean) => Override, times = 50): () => Override {
  return () => override(oneIn(times))
}
