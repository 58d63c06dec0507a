import { withheld } from './parameters.js'

/** The texts that quote what was sent; all others speak of the policy alone. */
const quoting = [
  /^(User name ).*( is invalid, .*)$/s,
  /^(Name ).*( is already taken\.)$/s,
  /^(Email ').*(' is [a-z ]+\.)$/s,
]

/** Why an account was not registered: what its client is told, without what the client sent. */
export function whyNotAccount(errors: readonly string[]): string | undefined {
  if (errors.length === 0) return undefined
  const told = errors.map((error) =>
    quoting.reduce((text, pattern) => text.replace(pattern, `$1${withheld}$2`), error),
  )
  return `the new account is not allowed: ${told.join(' ')}`
}
