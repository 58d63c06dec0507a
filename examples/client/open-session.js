import { signIn } from './sign-in.js'

/**
 * Signs in at once, in the background, so that no request has to wait later; and again where the token has expired.
 * @param {string} baseUrl
 * @param {string} userName
 * @param {string} password
 * @param {() => number} [now] milliseconds since the epoch
 */
export function openSession(baseUrl, userName, password, now = Date.now) {
  /** @type {Promise<{ accessToken: string, expiresAtMs: number }> | undefined} */
  let current
  const renew = () => {
    const askedAtMs = now()
    const renewed = signIn(baseUrl, userName, password).then(({ accessToken, expiresIn }) => ({
      accessToken,
      expiresAtMs: askedAtMs + expiresIn * 1000,
    }))
    // Those who wait for it get the error, and those who come later sign in anew.
    renewed.catch(() => {
      if (current === renewed) current = undefined
    })
    current = renewed
    return renewed
  }
  renew()
  return {
    /** @returns {Promise<string>} one that is still good; all who ask at a time share one sign-in */
    async accessToken() {
      const asked = current ?? renew()
      const { accessToken, expiresAtMs } = await asked
      if (now() < expiresAtMs) return accessToken
      // Somebody else may have renewed it in the meantime.
      const renewed = current === undefined || current === asked ? renew() : current
      return (await renewed).accessToken
    },
  }
}
