import type { Member } from '../../reference/token-response.js'
import { breaking, type Mutant } from './mutant.js'
import { members, type Override, renamed, value } from './overrides.js'

const needs = 'with-user-id'

/** 2.1: `userId`, where it is configured and where it is not. */
export const userIdMutants: readonly Mutant[] = [
  ...breaking(['2.1-userId-absent'])({
    'user-id-by-default: userId is added although that is not configured.': () => ({
      includesUserId: () => true,
    }),
    'user-id-null-by-default: userId is null instead of absent when it is not configured.': members((all) => [
      ...all,
      ['userId', null],
    ]),
    'user-id-by-provider-by-default: userId is added on external sign-in although that is not configured.':
      () => ({ includesUserId: (_, kind) => kind === 'external-login' }),
  }),
  ...breaking({ violates: ['2.1-userId'], collateral: ['2.1-R4'], needs })({
    'numeric-user-id: userId is a number.': value('userId', () => 1001),
    'empty-user-id: userId is empty.': value('userId', () => ''),
    'user-id-null: userId is null although it is configured.': value('userId', () => null),
    'user-id-in-object: userId is an object that holds it.': value('userId', (id) => ({ id })),
    'one-user-id-for-all: userId is the same for every account.': value('userId', () => 'user-1'),
    'user-id-in-capitals: userId is converted to capitals.': value('userId', (id) =>
      String(id).toUpperCase(),
    ),
    'user-id-of-the-token: userId changes with every grant.': counted(),
  }),
  ...breaking({ violates: ['2.1-userId', '2.1-R3', '2.1-R4'], needs })({
    'user-id-with-underscore: userId is named `user_id`.': renamed('userId', 'user_id'),
  }),
  ...breaking({ violates: ['2.1-userId', '2.1-R4'], needs })({
    'user-id-never: userId is not added although it is configured.': () => ({
      includesUserId: () => false,
    }),
  }),
  ...breaking({ violates: ['2.1-R3'], needs })({
    'user-id-before-expires: userId comes between `.issued` and `.expires`.': placed(5),
    'user-id-before-issued: userId comes after userName, as Katana writes it.': placed(4),
    'user-id-first: userId is the first member.': placed(0),
    'user-id-with-companion: Configuring userId adds another member as well.': members(
      (all, { includesUserId, bearer }) => (includesUserId ? [...all, ['sub', bearer.userId]] : all),
    ),
  }),
  ...breaking({ violates: ['2.1-userName', '2.1-R3', '4.2-external-login'], needs })({
    'user-id-for-user-name: userName is left out when userId is configured.': members(
      (all, { includesUserId }) => (includesUserId ? all.filter(([name]) => name !== 'userName') : all),
    ),
  }),
  ...breaking({ violates: ['2.1-R4'], collateral: ['2.1-userId'], needs })({
    'no-user-id-by-provider: userId is not added on external sign-in.': () => ({
      includesUserId: (configured, kind) => configured && kind === 'password',
    }),
    'empty-user-id-by-provider: On external sign-in userId is empty.': ofProvider(() => ''),
    "subject-for-user-id: On external sign-in userId is the provider's identifier of the user.": ofProvider(
      () => 'alice-at-acme',
    ),
  }),
]

function counted(): Override {
  return () => {
    let grants = 0
    return value('userId', () => `user-${grants++}`)()
  }
}

/** `userId` at another place among the members. */
function placed(at: number): Override {
  return members((all) => {
    const others = all.filter(([name]) => name !== 'userId')
    return [...others.slice(0, at), ...all.filter(([name]) => name === 'userId'), ...others.slice(at)]
  })
}

function ofProvider(userIdOf: (userId: Member[1]) => string): Override {
  return members((all, _, kind) =>
    kind === 'password'
      ? all
      : all.map(([name, given]): Member => [name, name === 'userId' ? userIdOf(given) : given]),
  )
}
