import t from 'tap'
import { assessTarget } from '../../conformance/assess/assess-target.js'
import { createDemonstration } from './demonstration.js'

t.test('the demonstration leaves out no login', async (t) => {
  const demonstration = createDemonstration()
  t.teardown(() => demonstration.close())
  const only = ['4.1/unknown-user', '4.1/wrong-password']
  const { limits, verdict } = await assessTarget(await demonstration.target(), { seed: 1, only })
  t.strictSame(
    limits.filter(({ setting }) => setting === 'maxFailedLogins'),
    [],
  )
  t.equal(verdict, 'conformant', 'its fault is elsewhere')
})
