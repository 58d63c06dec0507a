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
