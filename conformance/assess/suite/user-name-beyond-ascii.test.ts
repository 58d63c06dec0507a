import t from 'tap'
import type { Behaviour } from '../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { allowsUserName } from '../../../reference/policy.js'
import { tokenMembers } from '../../../reference/token-response.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** `userName` in every answer, changed. */
const answered = (change: (name: string) => string): Partial<Behaviour> => ({
  tokenMembers: (grant) =>
    tokenMembers(grant).map(([name, value]) => [name, name === 'userName' ? change(String(value)) : value]),
})

const servers: Readonly<
  Record<string, readonly [Partial<Behaviour>, outcome: string, rules: string, isAlphanumeric?: true]>
> = {
  'as specified': [{}, 'passed', ''],
  'they are refused at registration': [
    { allowsUserName: (name, policy) => isAscii(name) && allowsUserName(name, policy) },
    'inapplicable',
    '',
  ],
  'letters and digits alone are allowed, those of ASCII': [{}, 'inapplicable', '', true],
  'letters and digits alone are allowed, those of every alphabet': [
    { allowsUserName: (name) => /^[\p{L}\p{N}]+$/u.test(name) },
    'passed',
    '',
    true,
  ],
  'names are one by NFKC and in lower case': [
    { userNameKey: (name) => name.normalize('NFKC').toLowerCase() },
    'passed',
    '',
  ],
  'their UTF-8 is answered as ISO 8859-1': [
    answered((name) => Buffer.from(name).toString('latin1')),
    'failed',
    '2.1-userName',
  ],
  'what ISO 8859-1 has not is answered as a question mark': [
    answered((name) => name.replaceAll(/[^\u0000-\u00ff]/g, '?')),
    'failed',
    '2.1-userName',
  ],
  'they never log in': [
    { signIn: ({ matches, account }) => (matches && isAscii(account?.userName ?? '') ? account : undefined) },
    'failed',
    '8-R1',
  ],
}

for (const [what, [behaviour, outcome, rules, isAlphanumeric = false]] of Object.entries(servers))
  t.test(`user names beyond ASCII, of which no account has one: ${what}`, async (t) => {
    const policy = { alphanumericUserNamesOnly: isAlphanumeric }
    const { url } = await startReference(t, { accounts: [ANN], behaviour, policy })
    const { results } = await assess(
      {
        baseUrl: url,
        accounts: [ANN],
        registration: {
          request: REGISTRATION_REQUEST,
          policy,
        },
      },
      { seed: 1, runs: 1, only: ['8/user-name-beyond-ascii'] },
    )
    const failed = results.flatMap(({ judgements }) =>
      judgements.filter((judgement) => judgement.outcome === 'failed'),
    )
    t.strictSame(
      [
        results.find(({ case: id }) => id === '8/user-name-beyond-ascii')?.outcome,
        failed.map(({ rule }) => rule).join(),
      ],
      [outcome, rules],
    )
  })
