import t from 'tap'
import type { RequestTemplate } from '../../../../spec/model/case.js'
import { PLAIN_FORM, probeKey, probeOf } from '../../../drivers/pair/probe.js'
import { smallerThan } from './smaller-probes.js'

const sent = (send: RequestTemplate) => probeOf('', [{ send }])
const smallerKeys = (send: RequestTemplate) => smallerThan(sent(send), 0).map(({ probe }) => probeKey(probe))

t.test('a JSON text that is drawn with the type of JSON is made the JSON body of a case', (t) => {
  const json = Object.fromEntries(PLAIN_FORM)
  const body = JSON.stringify(json)
  const contentType = 'application/json'
  const key = probeKey(sent({ json }))
  t.ok(smallerKeys({ contentType, json }).includes(key))
  t.ok(smallerKeys({ contentType, body }).includes(key))
  t.notOk(
    smallerKeys({ contentType: 'text/plain', body }).includes(key),
    'of another type, it is read as such',
  )
  t.notOk(
    smallerKeys({ contentType, body: '{' }).some((one) => one.includes('"json"')),
    'it is no JSON',
  )
  t.end()
})
