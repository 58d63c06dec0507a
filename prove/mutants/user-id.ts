import type { LoginAttempt } from '../../reference/behaviour.js'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { byProvider } from './external-login.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { members, renamed, value } from './overrides.js'
import type { Override } from './rows.js'

const needs = 'with-user-id'
const ofId = (change: Parameters<typeof value>[1]): Override => value('userId', change)

/** 2.1: `userId`, where it is configured and where it is not. */
export const userIdMutants: readonly Mutant[] = [
  ...breaking(['2.1-userId-absent'], asIs, {
    'user-id-by-default: userId is added although that is not configured.': { includesUserId: () => true },
    'user-id-null-by-default: userId is null instead of absent when it is not configured.': members((all) => [
      ...all,
      ['userId', null],
    ]),
    'user-id-by-provider-by-default: userId is added on external sign-in although that is not configured.': {
      includesUserId: (_, kind) => kind === 'external-login',
    },
  }),
  ...breaking({ violates: ['2.1-userId'], collateral: ['2.1-R4'], needs }, ofId, {
    'numeric-user-id: userId is a number.': () => 1001,
    'empty-user-id: userId is empty.': () => '',
    'user-id-null: userId is null although it is configured.': () => null,
    'user-id-in-object: userId is an object that holds it.': (id) => ({ id }),
    'one-user-id-for-all: userId is the same for every account.': () => 'user-1',
    'user-id-in-capitals: userId is converted to capitals.': (id) => String(id).toUpperCase(),
  }),
  ...breaking({ violates: ['2.1-userId'], collateral: ['2.1-R4'], needs }, asIs, {
    'user-id-of-the-token: userId changes with every grant.': () => {
      let grants = 0
      return ofId(() => `user-${grants++}`)
    },
  }),
  ...breaking({ violates: ['2.1-userId'], needs }, ofRegistered, {
    'user-id-of-the-password: userId of a registered account is made from its password.': ({
      password = '',
    }) => `of-${password}`,
    'user-id-of-the-address: userId of a registered account is its e-mail address, which two may share.': {
      behaviour: ({ account }) => account?.email ?? '',
      options: { policy: { ...LISTED_POLICY, uniqueEmail: false } },
      declares: { registration: { policy: { uniqueEmail: false } } },
    },
  }),
  ...breaking({ violates: ['2.1-userId', '2.1-R3', '2.1-R4'], needs }, asIs, {
    'user-id-with-underscore: userId is named `user_id`.': renamed('userId', 'user_id'),
  }),
  ...breaking({ violates: ['2.1-userId', '2.1-R4'], needs }, asIs, {
    'user-id-never: userId is not added although it is configured.': { includesUserId: () => false },
  }),
  ...breaking({ violates: ['2.1-R3'], needs }, placed, {
    'user-id-before-expires: userId comes between `.issued` and `.expires`.': 5,
    'user-id-before-issued: userId comes after userName, as Katana writes it.': 4,
    'user-id-first: userId is the first member.': 0,
  }),
  ...breaking({ violates: ['2.1-R3'], needs }, asIs, {
    'user-id-with-companion: Configuring userId adds another member as well.': members(
      (all, { includesUserId, bearer }) => (includesUserId ? [...all, ['sub', bearer.userId]] : all),
    ),
  }),
  ...breaking({ violates: ['2.1-userName', '2.1-R3', '4.2-external-login'], needs }, asIs, {
    'user-id-for-user-name: userName is left out when userId is configured.': members(
      (all, { includesUserId }) => (includesUserId ? all.filter(([name]) => name !== 'userName') : all),
    ),
  }),
  ...breaking({ violates: ['2.1-R4'], collateral: ['2.1-userId'], needs }, asIs, {
    'no-user-id-by-provider: userId is not added on external sign-in.': {
      includesUserId: (configured, kind) => configured && kind === 'password',
    },
    'empty-user-id-by-provider: On external sign-in userId is empty.': byProvider('userId', () => ''),
    "subject-for-user-id: On external sign-in userId is the provider's identifier of the user.": byProvider(
      'userId',
      () => 'alice-at-acme',
    ),
  }),
]

/** The account that signs in has another `userId`. Those of the start have no address, and keep their own. */
export function ofRegistered(userIdOf: (attempt: LoginAttempt) => string): Override {
  return {
    signIn: (attempt) => {
      const { account, matches } = attempt
      if (!matches || account?.email === undefined) return matches ? account : undefined
      return { ...account, userId: userIdOf(attempt) }
    },
  }
}

/** `userId` at another place among the members. */
function placed(at: number): Override {
  return members((all) => {
    const others = all.filter(([name]) => name !== 'userId')
    return [...others.slice(0, at), ...all.filter(([name]) => name === 'userId'), ...others.slice(at)]
  })
}
