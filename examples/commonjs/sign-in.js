/** What the token service said no with; `code` is the `error` of its answer. */
class SignInError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   */
  constructor(status, code) {
    super(`sign-in refused: ${status} ${code}`)
    this.name = 'SignInError'
    this.status = status
    this.code = code
  }
}

/**
 * Exchanges a user name and a password for a bearer token.
 * @param {string} baseUrl without a trailing slash
 * @param {string} userName
 * @param {string} password
 * @throws {SignInError} when the service refuses
 */
async function signIn(baseUrl, userName, password) {
  const response = await fetch(`${baseUrl}/Token`, {
    method: 'POST',
    // As URLSearchParams, and no other way, fetch sends the Content-Type that the service insists on.
    body: new URLSearchParams({ grant_type: 'password', username: userName, password }),
    signal: AbortSignal.timeout(5000),
  })
  const body = /** @type {Record<string, any>} */ (await response.json())
  if (!response.ok) throw new SignInError(response.status, String(body.error))
  return { accessToken: String(body.access_token), expiresIn: Number(body.expires_in) }
}

module.exports = { SignInError, signIn }
