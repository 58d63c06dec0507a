import type { Condition } from '../../spec/model/expectation.js'
import { hasSpecialCharacters, longPasswordAccount } from './account-binding.js'
import { isEnabled, LISTED_REQUIREMENTS } from './accounts/policy.js'
import type { Account, Deployment, Policy } from './deployment.js'

/** What conditions look at. */
type DeclaredCapabilities = Pick<
  Deployment,
  'tokenLifetime' | 'includesUserId' | 'registration' | 'externalLogin'
> & { readonly accounts: readonly Account[] }

/** Why the deployment does not meet the condition, and how to declare it; undefined when it does. */
export function unmetCondition(
  condition: Condition,
  deployment: DeclaredCapabilities,
  strict: boolean,
  hasSibling = false,
): string | undefined {
  const { accounts, specialCharacters, longPassword, includesUserId, defaultLifetime } = condition
  if (condition.strict && !strict) return 'judged only under `--strict`'
  if (accounts !== undefined && deployment.accounts.length < accounts)
    return `needs ${accounts} accounts: declare another under \`accounts\``
  if (specialCharacters && !deployment.accounts.some(hasSpecialCharacters))
    return 'needs an account whose password holds one of `+ % & =`, a space or a non-ASCII character: declare one under `accounts`'
  if (longPassword && longPasswordAccount(deployment.accounts) === undefined)
    return 'needs an account whose password has more than 72 bytes: declare one under `accounts`'
  if (includesUserId !== undefined && deployment.includesUserId !== includesUserId)
    return includesUserId
      ? 'the service is not declared to add userId: declare a deployment with `includesUserId: true`'
      : 'the service is declared to add userId: declare a deployment with `includesUserId: false`'
  if (defaultLifetime && deployment.tokenLifetime !== DEFAULT_LIFETIME)
    return 'the service is declared to have another lifetime: declare a deployment without `tokenLifetime`'
  return unmetCapability(condition, deployment, hasSibling)
}

/** Seconds: 14 days (2.1-R2). */
const DEFAULT_LIFETIME = 1_209_600

function unmetCapability(
  { registration, immediate, loginName, listedMessages, policy, externalLogin, sibling }: Condition,
  deployment: DeclaredCapabilities,
  hasSibling: boolean,
): string | undefined {
  const declared = deployment.registration
  const asksOfRegistration =
    registration || (immediate ?? loginName ?? listedMessages ?? policy) !== undefined
  if (asksOfRegistration && declared === undefined)
    return 'how accounts are registered is not declared: declare `registration`'
  if (immediate !== undefined && declared?.immediate !== immediate)
    return `a new account is declared ${immediate ? 'not ' : ''}to log in at once (\`registration.immediate\`)`
  if (loginName !== undefined && declared?.loginName !== loginName)
    return `a new account is declared to log in by another part of it (\`registration.loginName\` is \`${declared?.loginName}\`)`
  if (
    listedMessages &&
    !LISTED_REQUIREMENTS.some((requirement) => declared && isEnabled(requirement, declared.policy))
  )
    return 'no requirement with a listed message is enabled: to judge this, declare a deployment with one'
  for (const [key, value] of Object.entries(policy ?? {})) {
    const own = declared?.policy[key as keyof Policy]
    if (own !== value)
      return `\`registration.policy.${key}\` is ${own}: to judge this, declare a deployment with \`${key}: ${value}\``
  }
  if (externalLogin !== undefined && deployment.externalLogin === undefined)
    return 'how users sign in through an outside provider is not declared: declare `externalLogin`'
  if (externalLogin === 'without-callback' && deployment.externalLogin?.withoutCallback === undefined)
    return 'no provider without a registered callback address is declared: declare `externalLogin.withoutCallback`'
  if (sibling && !hasSibling)
    return 'needs the same service with and without userId: also declare a deployment with `includesUserId: false`'
  return undefined
}
