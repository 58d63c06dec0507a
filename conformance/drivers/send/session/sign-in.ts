import { referencesIn, type Step } from '../../../../spec/model/case.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { textAt } from '../../../exchange/json-values.js'
import { type RedactableText, secret } from '../../../exchange/redactable-text.js'
import { passwordLabel, shownName } from '../../../target/account-binding.js'
import type { TargetRequest } from '../../../target/deployment.js'
import type { CaseRun } from './case-run.js'
import { afterLost, channelFor, declared, send, templatesOf } from './send.js'
import type { SentRequest } from './session.js'

type SignIn = NonNullable<Step['signIn']>

/** What a step sent: the request that is judged, and all that the report shows. */
export interface StepSent {
  readonly judged: SentRequest
  readonly shown: readonly SentRequest[]
}

/**
 * Signs in through an outside provider, by the target's own requests. One that is lost with its connection is replaced by
 * another, which begins with a new code.
 */
export async function signIn(run: CaseRun, how: SignIn, label: string): Promise<StepSent> {
  const made = await signInOnce(run, how, label)
  const lost = made.shown.find(({ exchange }) => exchange.lost)
  if (lost === undefined) return made
  // To this origin none is lost any more, but the provider's is another one.
  const { judged, shown } = await signIn(run, how, label)
  const [first = judged, ...others] = shown
  const marked = afterLost(first, 'sign-in', 'another code')
  return { judged: judged === first ? marked : judged, shown: [marked, ...others] }
}

async function signInOnce(run: CaseRun, how: SignIn, label: string): Promise<StepSent> {
  const { session } = run
  const login = declared(session.deployment, 'externalLogin')
  const { accounts } = session.deployment
  const account = accounts.find(({ userName }) => userName === login.account) ?? accounts[0]
  const bindings: Record<string, RedactableText> = {
    userName: shownName(account),
    password: secret(account.password, passwordLabel(account)),
  }
  const shown: SentRequest[] = []
  const request = how === 'registered' ? login.request : (login.withoutCallback ?? login.request)
  const needsPreparation =
    login.prepare !== undefined &&
    (how === 'registered' || hasReferences(request, Object.keys(login.prepare.capture)))
  if (needsPreparation) {
    const { request: preparation, capture } = login.prepare
    const prepared = await send(run, {
      label: 'prepare',
      ...templatesOf(preparation),
      bindings,
      account,
      byTarget: true,
      isReplaceable: true,
      through: channelFor(session, preparation),
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
      session.run.redactor.learnToken(value, `‹${name}›`)
    }
  }
  const own = { bindings, account, byTarget: true, isReplaceable: needsPreparation }
  const sent = await send(run, { label, ...templatesOf(request), ...own })
  return { judged: sent, shown: [...shown, sent] }
}

function hasReferences(request: TargetRequest, names: readonly string[]): boolean {
  return referencesIn(request, '').some(({ root }) => names.includes(root))
}
