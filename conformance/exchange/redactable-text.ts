/**
 * A string in its two forms: as it goes over the wire, and as it may be shown. They differ for credentials and for
 * whatever is derived from them, so that no secret needs to be found again afterwards.
 */
export interface RedactableText {
  readonly wire: string
  readonly shown: string
  /** The environment variable that a copied command takes the value from; only for declared passwords. */
  readonly variable?: string
}

export function plain(text: string): RedactableText {
  return { wire: text, shown: text }
}

export function secret(wire: string, label: string, variable?: string): RedactableText {
  return { wire, shown: `‹${label}›`, ...(variable === undefined ? {} : { variable }) }
}

export function isSecret(text: RedactableText): boolean {
  return text.wire !== text.shown
}
