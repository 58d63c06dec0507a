import type { AccountPolicy } from '../generated/types/account-policy.js'

export type { ListedRequirement } from '../generated/types/expectations.js'

/** The account policy of section 8, with every setting. */
export type Policy = Required<AccountPolicy>

/** The values that section 8 lists. */
export const LISTED_POLICY: Policy = {
  minimumLength: 6,
  requireNonLetterOrDigit: true,
  requireDigit: true,
  requireLowercase: true,
  requireUppercase: true,
  alphanumericUserNamesOnly: false,
  uniqueEmail: true,
}
