import type { Member } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { members, type Override, renamed, value } from './overrides.js'
import { mutants, type Row } from './row.js'

/** 2.1: `userId`, where it is configured and where it is not. */
export const userIdMutants: readonly Mutant[] = [
  ...mutants([
    {
      id: 'user-id-by-default',
      sentence: 'userId is added although that is not configured.',
      violates: ['2.1-userId-absent'],
      behaviour: () => ({ includesUserId: () => true }),
    },
    {
      id: 'user-id-null-by-default',
      sentence: 'Where userId is not configured it is there, and null.',
      violates: ['2.1-userId-absent'],
      behaviour: members((all) => [...all, ['userId', null]]),
    },
    {
      id: 'user-id-by-provider-by-default',
      sentence: 'userId is added on external sign-in although that is not configured.',
      violates: ['2.1-userId-absent'],
      behaviour: () => ({ includesUserId: (_, kind) => kind === 'external-login' }),
    },
  ]),
  ...mutants(
    withUserId([
      given(
        'numeric-user-id',
        'userId is a number.',
        value('userId', () => 1001),
      ),
      given(
        'empty-user-id',
        'userId is empty.',
        value('userId', () => ''),
      ),
      given(
        'user-id-null',
        'userId is null although it is configured.',
        value('userId', () => null),
      ),
      given(
        'user-id-in-object',
        'userId is an object that holds it.',
        value('userId', (id) => ({ id })),
      ),
      given(
        'one-user-id-for-all',
        'userId is the same for every account.',
        value('userId', () => 'user-1'),
      ),
      given(
        'user-id-in-capitals',
        'userId is put into capitals.',
        value('userId', (id) => String(id).toUpperCase()),
      ),
      given('user-id-of-the-token', 'userId is another with every grant.', counted()),
      {
        id: 'user-id-with-underscore',
        sentence: 'userId is named `user_id`.',
        violates: ['2.1-userId', '2.1-R3', '2.1-R4'],
        behaviour: renamed('userId', 'user_id'),
      },
      {
        id: 'user-id-never',
        sentence: 'userId is not added although it is configured.',
        violates: ['2.1-userId', '2.1-R4'],
        behaviour: () => ({ includesUserId: () => false }),
      },
      {
        id: 'user-id-before-expires',
        sentence: 'userId stands between `.issued` and `.expires`.',
        violates: ['2.1-R3'],
        behaviour: placed(5),
      },
      {
        id: 'user-id-before-issued',
        sentence: 'userId stands after userName, as Katana writes it.',
        violates: ['2.1-R3'],
        behaviour: placed(4),
      },
      {
        id: 'user-id-first',
        sentence: 'userId is the first member.',
        violates: ['2.1-R3'],
        behaviour: placed(0),
      },
      {
        id: 'user-id-with-companion',
        sentence: 'With userId comes a member that is not there without it.',
        violates: ['2.1-R3'],
        behaviour: members((all, { includesUserId, bearer }) =>
          includesUserId ? [...all, ['sub', bearer.userId]] : all,
        ),
      },
      {
        id: 'user-id-for-user-name',
        sentence: 'With userId configured, userName is left out.',
        violates: ['2.1-userName', '2.1-R3', '4.2-external-login'],
        behaviour: members((all, { includesUserId }) =>
          includesUserId ? all.filter(([name]) => name !== 'userName') : all,
        ),
      },
      {
        id: 'no-user-id-by-provider',
        sentence: 'userId is not added on external sign-in.',
        violates: ['2.1-R4'],
        collateral: ['2.1-userId'],
        behaviour: () => ({ includesUserId: (configured, kind) => configured && kind === 'password' }),
      },
      {
        id: 'empty-user-id-by-provider',
        sentence: 'On external sign-in userId is empty.',
        violates: ['2.1-R4'],
        collateral: ['2.1-userId'],
        behaviour: ofProvider(() => ''),
      },
      {
        id: 'subject-for-user-id',
        sentence: "On external sign-in userId is the provider's identifier of the user.",
        violates: ['2.1-R4'],
        collateral: ['2.1-userId'],
        behaviour: ofProvider(() => 'alice-at-acme'),
      },
    ]),
  ),
]

/** They show where userId is configured. */
function withUserId(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => ({ ...row, needs: 'with-user-id' }))
}

/** A value that is wrong wherever it is given. */
function given(id: string, sentence: string, behaviour: Override): Row {
  return { id, sentence, violates: ['2.1-userId'], collateral: ['2.1-R4'], behaviour }
}

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
