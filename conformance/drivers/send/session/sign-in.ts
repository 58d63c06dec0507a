import { referencesIn, type Step } from '../../../../spec/model/case.js'
import { ASKED_TO_WAIT } from '../../../../spec/model/report.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { textAt } from '../../../exchange/json-values.js'
import { type RedactableText, secret } from '../../../exchange/redactable-text.js'
import { passwordLabel, shownName } from '../../../target/account-binding.js'
import type { TargetRequest } from '../../../target/deployment.js'
import type { CaseRun } from './case-run.js'
import { anew, channelFor, declared, isLater, send, templatesOf } from './send.js'
import type { SentRequest } from './session.js'

type SignIn = NonNullable<Step['signIn']>

/** What a step sent: the request that is judged, and all that the report shows. */
export interface StepSent {
  readonly judged: SentRequest
  readonly shown: readonly SentRequest[]
  /** Why another is to be made: the service was too busy for it, or refused it when its code had waited. */
  readonly again?: 'busy' | 'late'
}

/** More sign-ins that the service is too busy for are no limit that passes. */
const MAX_BUSY = 5
const MAX_WAIT_OF_A_CODE_MS = 1000

/**
 * Signs in through an outside provider, by the target's own requests. One that is lost with its connection, or that the
 * service asks to send later, or refuses after a wait, is replaced by another, which begins with a new code: it may have used
 * up the old one, or that has expired.
 */
export async function signIn(run: CaseRun, how: SignIn, label: string, busy = 0): Promise<StepSent> {
  const made = await signInOnce(run, how, label)
  const { again } = made
  if (again === 'busy' && busy === MAX_BUSY) return rateLimited(made)
  const isLost = made.shown.some(({ exchange }) => exchange.lost)
  // A service that is slow lets each of them wait.
  if (!isLost && (again === undefined || busy === MAX_BUSY)) return made
  // To this origin none is lost any more, but the provider's is another one.
  const { judged, shown } = await signIn(run, how, label, busy + (again === undefined ? 0 : 1))
  const [first = judged, ...others] = shown
  const why =
    again === undefined
      ? 'the re-used connection of a sign-in was closed'
      : `the answer to a sign-in was ${made.judged.exchange.response?.status}`
  const marked = anew(first, `${why}: another code`)
  return { judged: judged === first ? marked : judged, shown: [marked, ...others] }
}

function rateLimited({ judged, shown }: StepSent): StepSent {
  const reason = `${ASKED_TO_WAIT} again after ${MAX_BUSY} further sign-ins, each with a new code`
  return { judged: { ...judged, response: { reason } }, shown }
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
  const own = {
    bindings,
    account,
    byTarget: true,
    isReplaceable: needsPreparation,
    isOneTime: needsPreparation,
  }
  const sent = await send(run, { label, ...templatesOf(request), ...own })
  const again = isLater(sent, own) ? 'busy' : isRefusedLate(sent, shown.at(-1)) ? 'late' : undefined
  return { judged: sent, shown: [...shown, sent], ...(again === undefined ? {} : { again }) }
}

/** Whether it is refused after its code had to wait, as where the service asked another request to wait: codes expire. */
function isRefusedLate({ exchange }: SentRequest, prepared: SentRequest | undefined): boolean {
  const waitedMs = exchange.startedAt - (prepared?.exchange.receivedAt ?? exchange.startedAt)
  return waitedMs > MAX_WAIT_OF_A_CODE_MS && (exchange.response?.status ?? 0) >= 400
}

function hasReferences(request: TargetRequest, names: readonly string[]): boolean {
  return referencesIn(request, '').some(({ root }) => names.includes(root))
}
