import type { Condition } from '../spec/types.js'
import type { Deployment } from './deployment.js'
import { hasSpecialCharacters } from './generators/accounts.js'

/** Why the deployment does not meet the condition, and how to declare it; undefined when it does. */
export function unmetCondition(
  condition: Condition,
  deployment: Deployment,
  strict: boolean,
): string | undefined {
  const { accounts, specialCharacters, includesUserId, defaultLifetime } = condition
  if (condition.strict && !strict) return 'judged only under `--strict`'
  if (accounts !== undefined && deployment.accounts.length < accounts)
    return `needs ${accounts} accounts: declare another under \`accounts\``
  if (specialCharacters && !deployment.accounts.some(hasSpecialCharacters))
    return 'needs an account whose password holds one of `+ % & =`, a space or a non-ASCII character: declare one under `accounts`'
  if (includesUserId !== undefined && deployment.includesUserId !== includesUserId)
    return includesUserId
      ? 'the service is not declared to add userId: declare a deployment with `includesUserId: true`'
      : 'the service is declared to add userId: declare a deployment with `includesUserId: false`'
  if (defaultLifetime && deployment.tokenLifetime !== DEFAULT_LIFETIME)
    return 'the service is declared to have another lifetime: declare a deployment without `tokenLifetime`'
  return undefined
}

/** Seconds: 14 days (2.1-R2). */
const DEFAULT_LIFETIME = 1_209_600
