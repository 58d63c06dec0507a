import t from 'tap'
import { loadSpecification } from '../../../spec/load/specification.js'
import type { Case } from '../../../spec/model/case.js'
import { alice, startService } from '../../fixtures/service.js'
import { resolveTarget } from '../../target/target.js'
import { assessTarget } from '../assess-target.js'

const whole = loadSpecification()

t.test('a case that cannot be run as it is written is inconclusive, and the run goes on', async (t) => {
  const { url } = await startService(t)
  const target = resolveTarget({ baseUrl: url, accounts: [alice] })
  const [written] = whole.cases.filter(({ id }) => id === '4.1/password-grant')
  if (written === undefined) throw new TypeError('no case')
  const [step] = written.steps
  const faults: Readonly<Record<string, readonly [Partial<Case['steps'][number]>, RegExp]>> = {
    reference: [{ send: { form: { username: '$account.email' } } }, /nothing is bound to \$account\.email/],
    register: [{ send: undefined, register: {} } as never, /needs `registration`/],
    'sign-in': [{ send: undefined, signIn: 'registered' } as never, /needs `externalLogin`/],
    sequences: [{ send: undefined, property: 'account-sequences' } as never, /needs `registration`/],
  }
  const cases = Object.entries(faults).map(
    ([id, [changed]]) => ({ ...written, id: `my:${id}`, steps: [{ ...step, ...changed }] }) as Case,
  )
  const { results } = await assessTarget(target, { specification: { ...whole, cases: [...cases, written] } })
  for (const [id, [, reason]] of Object.entries(faults)) {
    const result = results.find((one) => one.case === `my:${id}`)
    t.equal(result?.outcome, 'cantTell', id)
    t.match(JSON.stringify(result?.judgements), reason)
  }
  t.equal(results.find((one) => one.case === written.id)?.outcome, 'passed')
})
