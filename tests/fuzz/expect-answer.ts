import { expectRegistration } from './expect-registration.js'
import { expectSignIn } from './expect-sign-in.js'
import { expectToken } from './expect-token.js'
import { answer, type Expected } from './expected.js'
import { isMediaType } from './is-media-type.js'
import type { OracleState } from './oracle-state.js'
import type { WireRequest } from './read-requests.js'

const notJson = answer(415, { error: 'invalid_request', error_description: 'The body must be JSON.' })
const wrongMethod = answer(
  405,
  { error: 'invalid_request', error_description: 'Only POST is allowed here.' },
  { allow: 'POST' },
)
const tooLong = answer(413, {
  error: 'invalid_request',
  error_description: 'The body is too long.',
})

/**
 * What the reference server must answer to a request: by the specification where it speaks, by the documents of the
 * server where it is silent. Read from the bytes alone, and none of the server's own code.
 */
export function expectAnswer(request: WireRequest, state: OracleState): readonly Expected[] {
  const { path, method, contentTypes, body, bodyTooLong } = request
  const route = { '/Token': 'token', '/accounts': 'accounts', '/external-login': 'sign-in' }[path]
  if (route === undefined) return [answer(404, { error: 'not_found' })]
  if (method !== 'POST') return [wrongMethod]
  if (route === 'token') {
    // 4.1-content-type, 7: the same answer whatever the form holds.
    if (!isMediaType(contentTypes, 'application/x-www-form-urlencoded'))
      return [answer(400, { error: 'unsupported_grant_type' })]
    return bodyTooLong ? [tooLong] : expectToken(body, state)
  }
  if (!isMediaType(contentTypes, 'application/json')) return [notJson]
  if (bodyTooLong) return [tooLong]
  return [route === 'accounts' ? expectRegistration(body, state) : expectSignIn(body)]
}
