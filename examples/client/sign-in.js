/** What the token service said no with; `code` is the `error` of its answer, where it has one. */
export class SignInError extends Error {
  /**
   * @param {number} status
   * @param {string} [code]
   */
  constructor(status, code) {
    super(`sign-in refused: ${status}${code === undefined ? '' : ` ${code}`}`)
    this.name = 'SignInError'
    this.status = status
    this.code = code
  }
}

/**
 * Exchanges a user name and a password for a bearer token. Nothing is refreshed: who holds an expired token signs in again.
 * @param {string} baseUrl without a trailing slash
 * @param {string} userName
 * @param {string} password
 * @throws {SignInError} when the service refuses
 */
export async function signIn(baseUrl, userName, password) {
  const response = await fetch(`${baseUrl}/Token`, {
    method: 'POST',
    // As URLSearchParams, and no other way, fetch sends the Content-Type that the service insists on.
    body: new URLSearchParams({ grant_type: 'password', username: userName, password }),
  })
  if (!response.ok) throw new SignInError(response.status, await errorOf(response))
  const token = /** @type {{ access_token: string, userName: string, expires_in: number }} */ (
    await response.json()
  )
  return { accessToken: token.access_token, userName: token.userName, expiresIn: token.expires_in }
}

/**
 * @param {Response} response whose body may be anything: a gateway before the service answers with a page
 * @returns {Promise<string | undefined>}
 */
async function errorOf(response) {
  const body = /** @type {{ error?: unknown } | null} */ (await response.json().catch(() => null))
  return typeof body?.error === 'string' ? body.error : undefined
}
