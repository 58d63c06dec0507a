import t from 'tap'
import { specifiedBehaviour } from '../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { assess } from '../assess.js'

const CASE = '2.1/token-of-similar-names'
const ACCOUNTS = [{ userName: 'ann', password: 'Correct-7-horses' }]

/** What the case says of a service that makes its tokens from this part of what an account logs in with. */
async function outcomeOf(
  t: Pick<Parameters<typeof startReference>[0], 'teardown'>,
  loginName: '$email' | '$userName',
  part: (login: string) => string,
) {
  const { url } = await startReference(t, {
    accounts: ACCOUNTS,
    behaviour: {
      ...(loginName === '$email' && {
        newAccount: ({ email, password }) => ({ userName: email, email, password }),
        policyInForce: (configured) => ({ ...configured, alphanumericUserNamesOnly: false }),
      }),
      newAccessToken: (grant) => {
        const token = part(grant.userName)
        return token === '' ? specifiedBehaviour.newAccessToken(grant) : token
      },
    },
  })
  const registration = {
    request: REGISTRATION_REQUEST,
    loginName,
    policy: { alphanumericUserNamesOnly: loginName === '$userName' },
  }
  const { results } = await assess(
    { baseUrl: url, accounts: ACCOUNTS, registration },
    { seed: 1, only: [CASE] },
  )
  return results.find((one) => one.case === CASE)?.outcome
}

for (const loginName of ['$userName', '$email'] as const)
  t.test(`accounts whose ${loginName} begins or ends alike have tokens of their own`, async (t) => {
    const isFresh = (login: string): boolean => login !== 'ann'
    const local = (login: string): string => login.split('@')[0] ?? ''
    t.equal(await outcomeOf(t, loginName, () => ''), 'passed')
    for (const part of [
      (login: string) => local(login).slice(0, 8),
      (login: string) => local(login).slice(-8),
      (login: string) => local(login).slice(0, -1),
      (login: string) => local(login).slice(1),
      (login: string) => local(login).replace(/\d/g, ''),
    ])
      t.equal(await outcomeOf(t, loginName, (login) => (isFresh(login) ? part(login) : '')), 'failed')
  })
