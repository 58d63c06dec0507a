import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { probeOf } from '../../../drivers/pair/probe.js'
import { SPENT } from '../../../drivers/pair/service-pair.js'
import { alice } from '../../../fixtures/service.js'
import { resolveTarget } from '../../../target/target.js'
import { openSides } from '../ask/service-side.js'
import type { AnswerViews } from './answer-view.js'
import { Comparer } from './comparer.js'

/** How the answer of a service to one request is seen. */
async function viewed(t: Test, answer: RequestListener): Promise<AnswerViews> {
  const target = resolveTarget({
    baseUrl: `http://${await serve(t, createServer(answer))}`,
    accounts: [alice],
  })
  const service = { target, deployment: target.deployments[0] }
  const sides = openSides({ old: service, again: service, new: service }, { seed: 1, concurrency: 1 })
  t.teardown(() => Promise.all(Object.values(sides).map((side) => side.close())))
  const answers = await sides.new.ask(probeOf('', [{ send: { form: { grant_type: 'x' } } }]))
  if (answers === SPENT) throw new TypeError('no login was to fail')
  return new Comparer(sides).viewsOf(answers)
}

t.test('neither a text nor a header that is compared holds a token', async (t) => {
  const token = 'Zq9secretValue7'
  const views = await viewed(t, (_, response) =>
    response
      .setHeader('X-Refresh-Token', token)
      .end(`<r><access_token>${token}</access_token><userName>alice</userName></r>`),
  )
  const shown = JSON.stringify(views, (_, value: unknown) => (value instanceof Map ? [...value] : value))
  t.match(shown, '"alice"')
  t.notMatch(shown, token)
})

t.test('what is too deep or too much to compare is not called alike', async (t) => {
  const bodies = {
    deep: ['['.repeat(52) + ']'.repeat(52), 'the JSON of the body is more than 50 levels deep'],
    wide: [`[${'1,'.repeat(1000)}1]`, 'the body holds more than 1000 JSON values, too many to compare'],
  } as const
  for (const [body, trouble] of Object.values(bodies))
    t.strictSame(await viewed(t, (_, response) => response.end(body)), { trouble })
  for (const body of ['['.repeat(51) + ']'.repeat(51), `[${'1,'.repeat(998)}1]`])
    t.ok(Array.isArray(await viewed(t, (_, response) => response.end(body))))
})
