import { count } from './phrase.js'

/** What the user should know before the first request: how much is sent, where, and what of it stays. */
export function loadSentence(
  {
    shownBaseUrl,
    registration,
  }: { readonly shownBaseUrl: string; readonly registration?: { readonly cleanUp?: unknown } | undefined },
  { requests, accounts }: { readonly requests: number; readonly accounts: number },
): string {
  const sends = `sends up to ${count(rounded(requests), 'request')} to ${shownBaseUrl}, more where a rule is broken`
  if (registration === undefined || accounts === 0) return sends
  return `${sends}; registers up to ${count(rounded(accounts), 'account')} there: ${cleanUpPhrase(registration)}`
}

/** What becomes of the accounts that are registered. */
export function cleanUpPhrase({ cleanUp }: { readonly cleanUp?: unknown }): string {
  return cleanUp === undefined
    ? 'no `cleanUp` is declared, so they stay'
    : '`cleanUp` removes them at the end'
}

/** An upper bound needs no more than two digits. */
function rounded(n: number): number {
  const unit = 10 ** Math.max(0, String(n).length - 2)
  return Math.ceil(n / unit) * unit
}
