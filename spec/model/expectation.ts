import type { Expectation } from '../generated/types/expectations.js'

export type {
  AcrossAccounts,
  Condition,
  Expectation,
  HeaderCheck,
  MemberCheck,
} from '../generated/types/expectations.js'

/** The checks of an expectation; every one that is present must hold for it to pass. */
export type Checks = Omit<
  Expectation,
  | 'rule'
  | 'of'
  | 'given'
  | 'when'
  | 'needs'
  | 'ifAccepted'
  | 'ifRejected'
  | 'orAccepted'
  | 'orCloses'
  | 'hint'
  | 'hintIfOtherCase'
  | 'hintUnlessError'
>
