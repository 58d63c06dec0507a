import type { K6 } from '../../drivers/k6/k6.js'
import { send } from '../../drivers/k6/send.js'
import type { Exchange, WireResponse } from '../../exchange/exchange.js'
import { plain } from '../../exchange/redactable-text.js'
import { type Bindings, prepareRequest } from '../../exchange/template.js'
import { withTokenRequest } from '../../target/token-request.js'
import type { Script, ScriptAccount, ScriptCase, ScriptStep } from './script.js'

export interface Iteration {
  readonly k6: K6
  readonly script: Script
  /** Which input of each case is sent. */
  readonly turn: number
}

export interface AnsweredStep {
  readonly step: ScriptStep
  readonly exchange: Exchange
  readonly response: WireResponse
  /** Whose credentials were sent. */
  readonly account: ScriptAccount
}

/** Sends the steps of a case, up to the first without an answer to judge, which the check `answered` shows. */
export function* sendCase({ k6, script, turn }: Iteration, testCase: ScriptCase): Generator<AnsweredStep> {
  const { accounts, baseUrl, target } = script
  const account = itemAt(accounts, testCase.account === 'throwaway' ? accounts.length - 1 : turn)
  const bindings = bindingsOf(script, testCase, account, turn)
  for (const step of testCase.steps) {
    if (step.waitMs !== undefined) k6.sleep(step.waitMs / 1000)
    const template =
      target.tokenRequest === undefined ? step.send : withTokenRequest(step.send, target.tokenRequest)
    const { wire, userName } = prepareRequest(template, bindings, baseUrl)
    const request = { ...wire, headers: [...Object.entries(script.headers), ...wire.headers] }
    const name = `${wire.method} ${template.path ?? '/Token'}`
    const exchange = send(k6.http, request, {
      timeoutMs: target.timeoutMs,
      tags: { name, case: testCase.id },
    })
    const { response, failure } = exchange
    if (failure !== undefined) k6.warn(`${testCase.id}: ${failure.message}`)
    k6.check(null, { answered: response !== undefined }, { case: testCase.id })
    if (response === undefined) return
    const named = accounts.find((known) => known.userName === userName)
    yield { step, exchange, response, account: named ?? account }
  }
}

function bindingsOf(
  { accounts, inputs }: Script,
  { forall = {} }: ScriptCase,
  account: ScriptAccount,
  turn: number,
): Bindings {
  const other = accounts.find(({ userName }) => userName !== account.userName) ?? account
  const bound = Object.entries(forall).map(([variable, generator]) => [
    variable,
    plain(itemAt(inputs[generator] ?? [], turn)),
  ])
  return { ...Object.fromEntries(bound), account: credentialsOf(account), other: credentialsOf(other) }
}

/** Nothing of a script is shown by us: no text needs a label. */
function credentialsOf({ userName, password }: ScriptAccount): Bindings[string] {
  return { userName: plain(userName), password: plain(password) }
}

/** One after the other, then from the beginning. */
function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined)
    throw new TypeError('a script has at least one account, and one input for each variable')
  return item
}
