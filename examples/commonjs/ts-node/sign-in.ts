/** Exchanges a user name and a password for a bearer token. */
export async function signIn(baseUrl: string, userName: string, password: string): Promise<string> {
  const response = await fetch(`${baseUrl}/Token`, {
    method: 'POST',
    // As URLSearchParams, and no other way, fetch sends the Content-Type that the service insists on.
    body: new URLSearchParams({ grant_type: 'password', username: userName, password }),
    signal: AbortSignal.timeout(5000),
  })
  if (!response.ok) throw new Error(`sign-in refused: ${response.status}`)
  const { access_token: accessToken } = (await response.json()) as { access_token: string }
  return accessToken
}
