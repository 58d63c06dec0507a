import t from 'tap'
import type { Behaviour } from '../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
const registration = { request: REGISTRATION_REQUEST }
const MAX_FAILURES = 5

/** After so many failed logins, of any account, no login succeeds any more. */
function locksAddress(): Partial<Behaviour> {
  let failures = 0
  return {
    signIn: ({ matches, account }) => {
      if (matches && failures < MAX_FAILURES) return account
      failures++
      return undefined
    },
  }
}

t.test('a service that locks out an address after failed logins breaks no rule', async (t) => {
  const { url } = await startReference(t, { accounts: [ANN], behaviour: locksAddress() })
  const report = await assess({ baseUrl: url, accounts: [ANN], registration }, { effort: 'quick' })
  t.equal(report.verdict, 'inconclusive')
  t.strictSame(
    report.rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
    [],
  )
  const sequences = report.results.find((one) => one.case === '8/sequences')
  t.match(JSON.stringify(sequences?.judgements), /4\.1\/password-grant, a valid request, was refused \(400\)/)
})

t.test('a service that refuses an account after a failed login breaks no rule', async (t) => {
  // For two attempts, as a growing delay does that is counted in them.
  const refused = new Map<string, number>()
  const behaviour: Partial<Behaviour> = {
    signIn: ({ matches, account }) => {
      if (account === undefined) return undefined
      const { userName } = account
      const left = refused.get(userName) ?? 0
      refused.set(userName, matches ? Math.max(left - 1, 0) : 2)
      return matches && left === 0 ? account : undefined
    },
  }
  const { url } = await startReference(t, { accounts: [ANN], behaviour })
  const only = ['8/sequences']
  const report = await assess({ baseUrl: url, accounts: [ANN], registration }, { effort: 'quick', only })
  t.strictSame(
    report.rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
    [],
  )
})
