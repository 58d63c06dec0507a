import { createHash } from 'node:crypto'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { members, renamed, value, without } from './overrides.js'
import type { Override } from './rows.js'
import { ofRegistered } from './user-id.js'

const everyMemberByProvider = ['4.2-external-login']

/** 2.1: access_token, token_type, the names with a dot; 4.1: the status of a success. */
export const tokenResponseMutants: readonly Mutant[] = [
  ...breaking(['2.1-access_token'], asIs, {
    'numeric-access-token: access_token is a number.': value('access_token', () => 12_345_678_901),
    'object-access-token: access_token is an object that holds the token.': value(
      'access_token',
      (token) => ({ value: token }),
    ),
  }),
  ...breaking(
    {
      violates: ['1-exchange', '2.1-access_token', '4.1-R3', '5-R1'],
      collateral: ['4.1-form-encoding', '4.1-success', '4.2-external-login', '5-R3', '8-R1'],
    },
    asIs,
    {
      'empty-access-token: access_token is empty.': value('access_token', () => ''),
      'no-access-token: access_token is left out.': without('access_token'),
    },
  ),
  ...breaking(['2.1-access_token'], asIs, {
    'one-token-for-all: Every account is given the same token.': {
      newAccessToken: () => 'the-one-and-only-token',
    },
    'token-of-the-second: The token is the second in which it was issued.': {
      newAccessToken: () => `token-${Math.floor(Date.now() / 1000)}`,
    },
    'pool-of-97-tokens: Tokens come from a pool of 97 and are given out in turn.': () => {
      let count = 0
      return { newAccessToken: () => `pooled-token-${count++ % 97}` }
    },
    'token-of-a-beginning: A token is made from the first 12 characters of the user name.': {
      newAccessToken: ({ userName }) => hashOf(userName.slice(0, 12)),
    },
    'token-of-an-end: A token is made from the last 12 characters of the user name.': {
      newAccessToken: ({ userName }) => hashOf(userName.slice(-12)),
    },
    'token-of-the-address: A token is made from the e-mail address of the account, which two may share.': {
      behaviour: {
        ...ofRegistered(({ account }) => account?.email ?? ''),
        newAccessToken: ({ userId }) => hashOf(userId),
      },
      options: { policy: { ...LISTED_POLICY, uniqueEmail: false } },
      declares: { registration: { policy: { uniqueEmail: false } } },
    },
  }),
  ...breaking(['2.1-token_type'], typed, { 'capital-bearer: token_type is `Bearer`.': 'Bearer' }),
  ...breaking(['2.1-token_type', '5-R2'], typed, {
    'mac-token: token_type is `mac`.': 'mac',
    'bearer-with-space: token_type is `bearer` and a space.': 'bearer ',
  }),
  ...breaking(['2.1-token_type', '5-R2', ...everyMemberByProvider], asIs, {
    'no-token-type: token_type is left out.': without('token_type'),
  }),
  ...breaking({ violates: ['2.1-R1'], collateral: everyMemberByProvider }, asIs, {
    'issued-without-dot: `.issued` is named `issued`.': renamed('.issued', 'issued'),
    'expires-without-dot: `.expires` is named `expires`.': renamed('.expires', 'expires'),
    'underscore-for-dot: `.issued` and `.expires` begin with an underscore.': members((all) =>
      all.map(([name, given]) => [name.replace(/^\./, '_'), given]),
    ),
    'capital-issued: `.issued` is named `.Issued`.': renamed('.issued', '.Issued'),
    'full-width-dot: `.expires` begins with a full-width dot.': renamed('.expires', '．expires'),
  }),
  ...breaking(['4.1-success'], (status: number) => ({ successStatus: () => status }), {
    'success-by-400: A token response has status 400.': 400,
    'success-by-500: A token response has status 500.': 500,
  }),
]

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function typed(tokenType: string): Override {
  return { tokenType: () => tokenType }
}
