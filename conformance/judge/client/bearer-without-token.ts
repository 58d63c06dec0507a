import { type Decision, failed, inapplicable, PASSED } from './decision.js'
import { bearerIn, isResourceUse, type ObservedSignIn } from './observed-sign-in.js'

/** Of what a client sends in the place of a token: no secret is as short. */
const MAX_SHOWN = 16

/** After an answer that gives no token, the client asks for the resource as if it had one. */
export function judgeBearerWithoutToken(observed: ObservedSignIn): Decision {
  const { exchanges, scenario, end } = observed
  const isRefusal = scenario.expects === 'refused'
  const answered = exchanges.findIndex((exchange) => !isResourceUse(exchange))
  // What it sends before may be a token of an earlier call.
  const uses = exchanges.slice(answered + 1).filter(isResourceUse)
  const [shown] = uses.flatMap((use) => bearerIn(use) ?? []).filter((token) => !observed.owners.has(token))
  if (shown !== undefined)
    return failed(
      `the client takes ${isRefusal ? 'a refusal' : 'an answer without a token'} for a sign-in, and asks for the resource`,
      'no request with Authorization: Bearer',
      shown.length > MAX_SHOWN
        ? `a token of ${shown.length} characters`
        : `Authorization: Bearer ${shown}`.trim(),
    )
  return end.signedIn && !exchanges.some(isResourceUse)
    ? inapplicable('the client does not ask for TOKEN_ASSAY_RESOURCE_URL')
    : PASSED
}
