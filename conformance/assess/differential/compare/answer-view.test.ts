import { createServer } from 'node:http'
import t from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { probeOf } from '../../../drivers/pair/probe.js'
import { SPENT } from '../../../drivers/pair/service-pair.js'
import { alice } from '../../../fixtures/service.js'
import { resolveTarget } from '../../../target/target.js'
import { openSides } from '../ask/service-side.js'
import { Comparer } from './comparer.js'

t.test('neither a text nor a header that is compared holds a token', async (t) => {
  const token = 'Zq9secretValue7'
  const server = createServer((_, response) =>
    response
      .setHeader('X-Refresh-Token', token)
      .end(`<r><access_token>${token}</access_token><userName>alice</userName></r>`),
  )
  const target = resolveTarget({ baseUrl: `http://${await serve(t, server)}`, accounts: [alice] })
  const service = { target, deployment: target.deployments[0] }
  const sides = openSides({ old: service, again: service, new: service }, { seed: 1, concurrency: 1 })
  t.teardown(() => Promise.all(Object.values(sides).map((side) => side.close())))
  const comparer = new Comparer(sides)
  const answers = await sides.new.ask(probeOf('', [{ send: { form: { grant_type: 'x' } } }]))
  if (answers === SPENT) throw new TypeError('no login was to fail')
  const shown = JSON.stringify(comparer.viewsOf(answers), (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  )
  t.match(shown, '"alice"')
  t.notMatch(shown, token)
})
