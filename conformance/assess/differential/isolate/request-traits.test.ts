import t from 'tap'
import type { RequestTemplate } from '../../../../spec/model/case.js'
import { PLAIN_FORM, probeOf } from '../../../drivers/pair/probe.js'
import { hasTraits, traitsOf } from './request-traits.js'

const sent = (template: RequestTemplate) => traitsOf(probeOf('', [{ send: template }]), 0)

t.test('a service that refuses every query refuses a parameter of the form there too', (t) => {
  const [any, empty, parameter] = [{ x: '1' }, [], { grant_type: 'password' }].map((query) =>
    sent({ form: PLAIN_FORM, query }),
  )
  t.ok(hasTraits(empty ?? [], any ?? []))
  t.ok(hasTraits(parameter ?? [], any ?? []))
  t.notOk(hasTraits(any ?? [], parameter ?? []), 'which may be read, where other queries are not')
  t.strictSame(
    parameter?.flatMap(({ phrase }) => (phrase === '' ? [] : phrase)),
    ['query with `grant_type`'],
  )
  t.notOk(hasTraits(sent({ form: PLAIN_FORM }), any ?? []))
  t.end()
})
