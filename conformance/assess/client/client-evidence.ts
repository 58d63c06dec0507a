import type { ReportExchange } from '../../../spec/model/report.js'
import { Redactor } from '../../evidence/redact.js'
import { renderExchange } from '../../evidence/render-exchange.js'
import { isResourceUse, type ObservedSignIn } from '../../judge/client/observed-sign-in.js'

/** Exchanges of one scenario that are shown. */
const MAX_SHOWN = 20

/** What went over the wire, as the report may show it: without tokens, and without a client's own secrets. */
export function renderObserved({
  exchanges,
  tokens,
  environment,
}: ObservedSignIn): readonly ReportExchange[] {
  const redactor = new Redactor([])
  for (const token of tokens) redactor.learnToken(token)
  const source = { author: 'tested client', origin: environment.url } as const
  return exchanges
    .slice(0, MAX_SHOWN)
    .map((exchange) =>
      renderExchange(isResourceUse(exchange) ? 'resource' : 'token', exchange, source, redactor),
    )
}
