import t from 'tap'
import type { Outcome } from '../../../../spec/model/report.js'
import { assess } from '../../../assess/assess.js'
import { alice, startService } from '../../../fixtures/service.js'

const long = { userName: 'carol', password: `Carol-has-7-cats-${'and-8-dogs-'.repeat(6)}` }

async function outcomeOf(
  server: { readonly url: string },
  accounts: readonly { readonly userName: string; readonly password: string }[],
  id: string,
): Promise<Outcome | undefined> {
  const { results } = await assess({ baseUrl: server.url, accounts }, { seed: 1, runs: 5, only: [id] })
  return results.find((result) => result.case === id)?.outcome
}

t.test('a declared password of more than 72 bytes counts to its end', async (t) => {
  const id = '4.1/password-of-more-than-72-bytes'
  const accounts = [long, alice]
  const right = await startService(t, { accounts })
  t.equal(await outcomeOf(right, accounts, id), 'passed')
  t.equal(await outcomeOf(right, [alice], id), 'inapplicable')
  const bcrypt = await startService(t, {
    accounts,
    behaviour: { passwordAsHashed: (text) => text.slice(0, 72) },
  })
  t.equal(await outcomeOf(bcrypt, accounts, id), 'failed')
})

t.test('an account has its own spelling, whatever spelling was sent', async (t) => {
  const id = '2.1/user-name-in-other-case'
  const accounts = [alice]
  const exact = await startService(t, { accounts })
  t.equal(await outcomeOf(exact, accounts, id), 'inapplicable', 'refused: nothing to judge')
  const userNameKey = (name: string): string => name.toLowerCase()
  const folding = await startService(t, { accounts, behaviour: { userNameKey } })
  t.equal(await outcomeOf(folding, accounts, id), 'passed')
  const echoing = await startService(t, {
    accounts,
    behaviour: {
      userNameKey,
      signIn: ({ matches, account, userName }) =>
        matches && account !== undefined ? { ...account, userName: userName ?? '' } : undefined,
    },
  })
  t.equal(await outcomeOf(echoing, accounts, id), 'failed')
})
