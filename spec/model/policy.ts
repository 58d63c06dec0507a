import type { AccountPolicy } from '../generated/types/account-policy.js'

export type { ListedRequirement } from '../generated/types/expectations.js'

/** The account policy of section 8, with every setting. */
export type Policy = Required<AccountPolicy>
