import { answer, type Expected, invalidRequest, isText, membersOf } from './expected.js'

/** Configured so that any code is refused by the one, and any at all by the other (5-R3). */
export const refusingProvider = 'acme'
export const providerWithoutCallback = 'no-callback'

/** 4.2: a sign-in through an outside provider; no code here is one that a provider gave. */
export function expectSignIn(body: string): Expected {
  const { provider, code = '' } = membersOf(body)
  if (!isText(provider) || !isText(code))
    return invalidRequest('The body must be a JSON object with the strings provider and code.')
  if (provider === providerWithoutCallback)
    return answer(
      401,
      { error: 'invalid_client', error_description: 'The provider does not accept this service.' },
      { 'www-authenticate': 'Bearer' },
    )
  if (provider !== refusingProvider) return invalidRequest('The provider is not known.')
  return answer(400, {
    error: 'invalid_grant',
    error_description: 'The provider does not accept the code.',
  })
}
