import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { freePorts } from './listen.js'

t.test('a port is given to one caller only', async (t) => {
  const ports = (await Promise.all([freePorts(100), freePorts(100)])).flat()
  t.equal(new Set(ports).size, 200)
})

t.test('nor to one of another process, which cannot listen at the port above', async (t) => {
  const [port = 0] = await freePorts(1)
  const above = createServer().listen(port + 1, '127.0.0.1')
  t.teardown(() => above.close())
  await t.rejects(once(above, 'listening'), { code: 'EADDRINUSE' })
  const own = createServer().listen(port, '127.0.0.1')
  t.teardown(() => own.close())
  await t.resolves(once(own, 'listening'), 'the port itself is free')
})
