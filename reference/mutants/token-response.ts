import type { Mutant } from './mutant.js'
import { members, type Override, renamed, value, without } from './overrides.js'
import { mutants } from './row.js'

const everyMemberByProvider = ['4.2-external-login']

/** 2.1: access_token, token_type, the names with a dot; 4.1: the status of a success. */
export const tokenResponseMutants: readonly Mutant[] = mutants([
  {
    id: 'numeric-access-token',
    sentence: 'access_token is a number.',
    violates: ['2.1-access_token'],
    behaviour: value('access_token', () => 12_345_678_901),
  },
  {
    id: 'object-access-token',
    sentence: 'access_token is an object that holds the token.',
    violates: ['2.1-access_token'],
    behaviour: value('access_token', (token) => ({ value: token })),
  },
  {
    id: 'empty-access-token',
    sentence: 'access_token is empty.',
    violates: ['1-exchange', '2.1-access_token', '4.1-R3', '5-R1'],
    collateral: ['4.1-form-encoding', '4.1-success', '4.2-external-login', '5-R3', '8-R1'],
    behaviour: value('access_token', () => ''),
  },
  {
    id: 'no-access-token',
    sentence: 'access_token is left out.',
    violates: ['1-exchange', '2.1-access_token', '4.1-R3', '5-R1'],
    collateral: ['4.1-form-encoding', '4.1-success', '4.2-external-login', '5-R3', '8-R1'],
    behaviour: without('access_token'),
  },
  {
    id: 'one-token-for-all',
    sentence: 'Every account is given the same token.',
    violates: ['2.1-access_token'],
    behaviour: () => ({ newAccessToken: () => 'the-one-and-only-token' }),
  },
  {
    id: 'token-of-the-second',
    sentence: 'The token is the second in which it was issued.',
    violates: ['2.1-access_token'],
    behaviour: () => ({ newAccessToken: () => `token-${Math.floor(Date.now() / 1000)}` }),
  },
  {
    id: 'pool-of-97-tokens',
    sentence: 'Tokens come from a pool of 97 and are given out in turn.',
    violates: ['2.1-access_token'],
    behaviour: countedTokens((count) => `pooled-token-${count % 97}`),
  },
  {
    id: 'capital-bearer',
    sentence: 'token_type is `Bearer`.',
    violates: ['2.1-token_type'],
    behaviour: () => ({ tokenType: () => 'Bearer' }),
  },
  {
    id: 'mac-token',
    sentence: 'token_type is `mac`.',
    violates: ['2.1-token_type', '5-R2'],
    behaviour: () => ({ tokenType: () => 'mac' }),
  },
  {
    id: 'bearer-with-space',
    sentence: 'token_type is `bearer` and a space.',
    violates: ['2.1-token_type', '5-R2'],
    behaviour: () => ({ tokenType: () => 'bearer ' }),
  },
  {
    id: 'no-token-type',
    sentence: 'token_type is left out.',
    violates: ['2.1-token_type', '5-R2', ...everyMemberByProvider],
    behaviour: without('token_type'),
  },
  {
    id: 'issued-without-dot',
    sentence: '`.issued` is named `issued`.',
    violates: ['2.1-R1'],
    collateral: everyMemberByProvider,
    behaviour: renamed('.issued', 'issued'),
  },
  {
    id: 'expires-without-dot',
    sentence: '`.expires` is named `expires`.',
    violates: ['2.1-R1'],
    collateral: everyMemberByProvider,
    behaviour: renamed('.expires', 'expires'),
  },
  {
    id: 'underscore-for-dot',
    sentence: '`.issued` and `.expires` begin with an underscore.',
    violates: ['2.1-R1'],
    collateral: everyMemberByProvider,
    behaviour: members((all) => all.map(([name, given]) => [name.replace(/^\./, '_'), given])),
  },
  {
    id: 'capital-issued',
    sentence: '`.issued` is named `.Issued`.',
    violates: ['2.1-R1'],
    collateral: everyMemberByProvider,
    behaviour: renamed('.issued', '.Issued'),
  },
  {
    id: 'full-width-dot',
    sentence: '`.expires` begins with a full-width dot.',
    violates: ['2.1-R1'],
    collateral: everyMemberByProvider,
    behaviour: renamed('.expires', '．expires'),
  },
  {
    id: 'success-by-400',
    sentence: 'A token is answered by status 400.',
    violates: ['4.1-success'],
    behaviour: () => ({ successStatus: () => 400 }),
  },
  {
    id: 'success-by-500',
    sentence: 'A token is answered by status 500.',
    violates: ['4.1-success'],
    behaviour: () => ({ successStatus: () => 500 }),
  },
])

function countedTokens(tokenOf: (count: number) => string): Override {
  return () => {
    let count = 0
    return { newAccessToken: () => tokenOf(count++) }
  }
}
