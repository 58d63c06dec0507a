import t from 'tap'
import { startAccountService } from '../../../../tests/fixtures/account-service.js'
import { plain } from '../../../exchange/redactable-text.js'
import { resolveTarget } from '../../../target/target.js'
import { removeAccounts } from './clean-up.js'

t.test('no request is sent that may mean every account', async (t) => {
  const { target, removed } = await startAccountService(t, {})
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const { registration } = target
  const { deployments } = resolveTarget({ ...target, registration: { ...registration, cleanUp } } as never)
  const accounts = ['', ' ', '.', '..', 'carol'].map((name) => ({
    userName: plain(name),
    email: plain('x@example.com'),
    password: plain('x'),
  }))
  const { left, firstFailure } = await removeAccounts(
    deployments[0],
    accounts,
    new AbortController().signal,
    [],
  )
  t.strictSame(removed, ['carol'])
  t.strictSame(left, accounts.slice(0, -1))
  t.match(firstFailure, /^not sent: /)
})
