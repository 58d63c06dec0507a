import type { Socket } from 'node:net'
import t from 'tap'
import { serve } from '../../tests/fixtures/serve.js'
import { assess } from '../assess.js'
import { alice } from '../fixtures/service.js'

t.test('a sign-in has a connection of its own: a code that is good for once is not sent twice', async (t) => {
  const carried = new Map<Socket, string[]>()
  const address = await serve(t, (request, response) => {
    carried.set(request.socket, [...(carried.get(request.socket) ?? []), request.url ?? ''])
    request.resume().on('end', () => response.end('{"code":"one"}'))
  })
  await assess(
    {
      baseUrl: `http://${address}`,
      accounts: [alice],
      externalLogin: {
        prepare: { request: { path: '/code' }, capture: { code: '/code' } },
        request: { path: '/sign-in', json: { code: '$code' } },
        account: alice.userName,
      },
    },
    { only: ['4.2/*'] },
  )
  const paths = [...carried.values()].flat()
  t.ok(paths.includes('/sign-in') && paths.includes('/Token'), 'there were others')
  for (const on of carried.values()) if (on.includes('/sign-in')) t.strictSame(on, ['/sign-in'])
})
