import type { Judgement, ReportExchange } from '../../../spec/model/report.js'
import { Redactor } from '../../evidence/redact.js'
import { renderExchange } from '../../evidence/render-exchange.js'
import type { Exchange } from '../../exchange/exchange.js'
import { judgeSignIn } from '../../judge/client/judge-sign-in.js'
import { isResourceUse, type ObservedSignIn, tokenRequestsIn } from '../../judge/client/observed-sign-in.js'
import { ownSecretsOf } from '../../judge/client/own-secrets.js'

/** Exchanges of one scenario that are shown. */
const MAX_SHOWN = 20

/** What went over the wire, as the report may show it: without tokens, and without a client's own secrets. */
export function renderObserved(observed: ObservedSignIn): readonly ReportExchange[] {
  const { exchanges, elsewhere, environment, scenario } = observed
  const redactor = redactorOf(observed)
  const source = { author: 'tested client', origin: new URL(environment.url).origin } as const
  const tokenRequests = tokenRequestsIn(exchanges, scenario)
  const labelOf = (exchange: Exchange): string => {
    if (isResourceUse(exchange)) return 'resource'
    return tokenRequests.includes(exchange) ? 'token' : 'another request'
  }
  const own = exchanges
    .slice(0, MAX_SHOWN)
    .map((exchange) => renderExchange(labelOf(exchange), exchange, source, redactor))
  if (elsewhere === undefined) return own
  const other = { ...source, origin: elsewhere.origin }
  const withoutPassword = redactorOf(observed, [{ value: environment.password, label: 'password' }])
  return [
    ...own,
    ...elsewhere.exchanges
      .slice(0, MAX_SHOWN)
      .map((exchange) => renderExchange('other host', exchange, other, withoutPassword)),
  ]
}

/** One judgement for each rule of the scenario. A client may have sent a token as anything. */
export function judgementsOf(observed: ObservedSignIn): readonly Judgement[] {
  const redactor = redactorOf(observed)
  return judgeSignIn(observed).map(({ rule, outcome, ...words }) => ({
    rule,
    outcome,
    ...redactor.value(words),
    // The redirect, and where it led to.
    ...(outcome === 'failed' && rule === 'client:request-redirect'
      ? { exchanges: [0, Math.min(observed.exchanges.length, MAX_SHOWN)] }
      : {}),
  }))
}

function redactorOf(
  { owners, exchanges, elsewhere, environment, scenario }: ObservedSignIn,
  hidden: ConstructorParameters<typeof Redactor>[0] = [],
): Redactor {
  const given = [environment.password, ...(scenario.before === undefined ? [] : [scenario.before.password])]
  const all = [...exchanges, ...(elsewhere?.exchanges ?? [])]
  const redactor = new Redactor([...hidden, ...ownSecretsOf(all, given, owners)])
  for (const token of owners.keys()) redactor.learnToken(token)
  return redactor
}
