import type { Step } from '../../spec/model/case.js'
import { passwordLabel, shownName } from '../target/account-binding.js'
import { HttpResponse } from '../wire/http-response.js'
import { textAt } from '../wire/json-values.js'
import { type RedactableText, secret } from '../wire/redactable-text.js'
import type { CaseRun } from './case-run.js'
import { channelFor, declared, send, templatesOf } from './send.js'
import type { SentRequest } from './session.js'

/** What a step sent: the request that is judged, and all that the report shows. */
export interface StepSent {
  readonly judged: SentRequest
  readonly shown: readonly SentRequest[]
}

/** Signs in through an outside provider, by the target's own requests. */
export async function signIn(
  run: CaseRun,
  how: NonNullable<Step['signIn']>,
  label: string,
): Promise<StepSent> {
  const { session } = run
  const login = declared(session.deployment, 'externalLogin')
  const { accounts } = session.deployment
  const account = accounts.find(({ userName }) => userName === login.account) ?? accounts[0]
  const bindings: Record<string, RedactableText> = {
    userName: shownName(account),
    password: secret(account.password, passwordLabel(account)),
  }
  const shown: SentRequest[] = []
  if (how === 'registered' && login.prepare !== undefined) {
    const { request, capture } = login.prepare
    const prepared = await send(run, {
      label: 'prepare',
      ...templatesOf(request),
      bindings,
      account,
      byTarget: true,
      through: channelFor(session, request),
    })
    shown.push(prepared)
    const { response } = prepared
    for (const [name, pointer] of Object.entries(capture)) {
      const value = response instanceof HttpResponse ? textAt(response.json.root, pointer) : undefined
      if (value === undefined) {
        const why =
          response instanceof HttpResponse ? `its answer has no text at ${pointer}` : response.reason
        const reason = `the sign-in could not be prepared: ${why}`
        return { judged: { ...prepared, label, response: { reason } }, shown }
      }
      bindings[name] = secret(value, name)
    }
  }
  const request = how === 'registered' ? login.request : (login.withoutCallback ?? login.request)
  const sent = await send(run, { label, ...templatesOf(request), bindings, account, byTarget: true })
  return { judged: sent, shown: [...shown, sent] }
}
