import t, { type Test } from 'tap'
import type { Behaviour } from '../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import type { Report } from '../../../spec/model/report.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import type { TargetSettings } from '../../target/target-input.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
const DECLARED = { rejectedWhen: { '/result/succeeded': false } }
type Declared = Partial<NonNullable<TargetSettings['registration']>>

const EVERY = ['7/*', '8/*']
const FEW = ['8/registration', '8/rejected-account', '8/too-short']

/** A service that answers each registration with 200 and the result of ASP.NET Identity. */
async function assessed(
  t: Test,
  declared: Declared,
  altered: Partial<Behaviour> = {},
  only = FEW,
): Promise<Report> {
  const behaviour: Partial<Behaviour> = {
    registeredStatus: () => 200,
    registeredBody: () => ({ result: { succeeded: true, errors: [] } }),
    rejectedStatus: () => 200,
    rejectedBody: (errors) => ({ result: { succeeded: false, errors } }),
    ...altered,
  }
  const { url } = await startReference(t, { accounts: [ANN], behaviour })
  const registration = { request: REGISTRATION_REQUEST, ...declared }
  return assess({ baseUrl: url, accounts: [ANN], registration }, { effort: 'quick', only })
}

function failedIn({ rules }: Report): readonly string[] {
  return rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
}

t.test('a service that rejects with a 2xx is conformant where that is declared', async (t) => {
  let registered = 0
  const registeredBody = () => ({ result: { succeeded: true, number: ++registered } })
  const report = await assessed(t, DECLARED, { registeredBody }, EVERY)
  t.strictSame(failedIn(report), [])
  t.equal(report.verdict, 'conformant')
  for (const rule of ['7-digit-message', '8-minimum-length', '8-unique-email', '8-R1'])
    t.equal(report.rules.find(({ id }) => id === rule)?.outcome, 'passed', rule)
  t.equal(report.accounts?.[0]?.made, registered, 'no rejected account is to be cleaned up')
})

t.test('the declaration excuses no service that does otherwise', async (t) => {
  const stores = await assessed(t, DECLARED, { storesAccount: () => true })
  t.ok(failedIn(stores).includes('8-R1'), 'a rejected account logs in')
  const claims = await assessed(t, DECLARED, {
    rejectedBody: (errors) => ({ result: { succeeded: true, errors } }),
  })
  t.ok(failedIn(claims).includes('8-minimum-length'), 'a weak password is not rejected')
  const refuses = await assessed(t, DECLARED, { reportsSuccess: () => false })
  t.ok(failedIn(refuses).includes('8-R1'), 'a valid registration is rejected')
})

t.test('without the declaration the key is named', async (t) => {
  const report = await assessed(t, {})
  t.ok(failedIn(report).includes('8-R1'))
  const found = report.results.find((one) => one.case === '8/rejected-account')
  t.match(JSON.stringify(found?.judgements), /check `registration\.rejected`, `rejectedWhen` and `policy`/)
})
