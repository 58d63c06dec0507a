import { setTimeout as wait } from 'node:timers/promises'

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

/** How often an overloaded service is asked. */
const attempts = 3

/**
 * Exchanges a user name and a password for a bearer token. A service that is overloaded, and says for how long, is asked again.
 * @param {string} baseUrl without a trailing slash
 * @param {string} userName
 * @param {string} password
 * @param {{ timeoutMs?: number }} [options] the time for one answer
 * @throws {SignInError} when the service refuses; what `fetch` throws when there is no whole answer in time
 */
export async function signIn(baseUrl, userName, password, { timeoutMs = 5000 } = {}) {
  const ask = () =>
    fetch(`${baseUrl}/Token`, {
      method: 'POST',
      // As URLSearchParams, and no other way, fetch sends the Content-Type that the service insists on.
      body: new URLSearchParams({ grant_type: 'password', username: userName, password }),
      // The password goes nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  let response = await ask()
  for (let asked = 1; asked < attempts && isOverloaded(response); asked += 1) {
    await wait(Number(response.headers.get('retry-after')) * 1000)
    response = await ask()
  }
  if (!response.ok) throw new SignInError(response.status, await errorOf(response))
  const token =
    /** @type {{ access_token: string, token_type: string, userName: string, expires_in: number } | null} */ (
      await response.json()
    )
  // A login page of a proxy, or an error, may come with 200 as well.
  if (typeof token?.access_token !== 'string' || token.access_token === '' || token.token_type !== 'bearer')
    throw new SignInError(response.status, 'no bearer token')
  return { accessToken: token.access_token, userName: token.userName, expiresIn: token.expires_in }
}

/** @param {Response} response */
function isOverloaded({ status, headers }) {
  return status === 503 && /^\d$/.test(headers.get('retry-after') ?? '')
}

/**
 * @param {Response} response whose body may be anything: a gateway before the service answers with a page
 * @returns {Promise<string | undefined>}
 */
async function errorOf(response) {
  const body = /** @type {{ error?: unknown } | null} */ (await response.json().catch(() => null))
  return typeof body?.error === 'string' ? body.error : undefined
}
