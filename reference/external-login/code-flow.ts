import { parseJsonObject } from '../http/json-body.js'

/** How a service shows a provider who it is. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The `Authorization` of RFC 6749 2.3.1: both halves are form-encoded first. */
export function basicCredentials({ clientId, clientSecret }: ClientCredentials): string {
  const encoded = [clientId, clientSecret].map((half) =>
    new URLSearchParams([['', half]]).toString().slice(1),
  )
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

/** An outside identity provider, as the service is configured for it. */
export interface Provider extends ClientCredentials {
  /** What a client calls it. */
  readonly name: string
  /** Absolute http(s) URL: where an authorization code is exchanged (RFC 6749 4.1.3). */
  readonly tokenEndpoint: string
  /** Where the user is asked for; without it the ID token tells. */
  readonly userInfoEndpoint?: string
  /** The callback address that is registered with the provider; without it sign-ins get the documented 401. */
  readonly redirectUri?: string
}

/** What a provider says of an authorization code. */
export type ProviderAnswer =
  | { readonly subject: string }
  | { readonly refusal: 'provider-unauthorized' | 'provider-refused' | 'provider-failed' }

/** A response of a provider; `json` is empty where its body is no JSON object. */
export interface ProviderResponse {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

/** Sends one request of the flow. */
export type Send = (
  url: string,
  request: {
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  },
) => Promise<ProviderResponse>

/** The OpenID Connect code flow from the code on: the token, then who it is. */
export async function askProvider(provider: Provider, code: string, send: Send): Promise<ProviderAnswer> {
  const { tokenEndpoint, userInfoEndpoint, redirectUri } = provider
  // 5-R3: no sign-in works without a registered callback address, though a lenient provider would grant it.
  if (redirectUri === undefined) return { refusal: 'provider-unauthorized' }
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
  const granted = await send(tokenEndpoint, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: basicCredentials(provider),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  })
  // 5-R3: so a provider answers too at which no callback address is registered.
  if (granted.status === 401) return { refusal: 'provider-unauthorized' }
  if (granted.status === 400) return { refusal: 'provider-refused' }
  if (granted.status !== 200) return { refusal: 'provider-failed' }
  if (userInfoEndpoint === undefined) return subjectOf(idTokenClaims(granted.json.id_token, provider))

  const { access_token: accessToken } = granted.json
  // RFC 6750 2.1; undici would refuse other characters, and a control character could start a header of its own.
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    return { refusal: 'provider-failed' }
  const user = await send(userInfoEndpoint, {
    method: 'GET',
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
  })
  return user.status === 200 ? subjectOf(user.json) : { refusal: 'provider-failed' }
}

function subjectOf(claims: Readonly<Record<string, unknown>> | undefined): ProviderAnswer {
  const subject = claims?.sub
  return typeof subject === 'string' && subject !== '' ? { subject } : { refusal: 'provider-failed' }
}

/**
 * The claims of an ID token for this client. It came straight from the configured token endpoint, which spares the
 * check of its signature (OpenID Connect Core 3.1.3.7, 6).
 */
function idTokenClaims(
  token: unknown,
  { clientId }: Provider,
): Readonly<Record<string, unknown>> | undefined {
  const payload = typeof token === 'string' ? token.split('.')[1] : undefined
  const claims = payload === undefined ? undefined : parseJsonObject(Buffer.from(payload, 'base64url'))
  const audience = claims?.aud
  const meantForUs = Array.isArray(audience) ? audience.includes(clientId) : audience === clientId
  return meantForUs ? claims : undefined
}
