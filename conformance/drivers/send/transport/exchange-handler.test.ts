import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { ExchangeHandler } from './exchange-handler.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

t.test('a body that comes byte by byte takes little more memory than its bytes', async (t) => {
  const size = 300_000
  const held = (): number => {
    // The first only begins to free what buffers held.
    collectGarbage()
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const body = await new Promise<Uint8Array | undefined>((resolve) => {
    const handler = new ExchangeHandler(
      { origin: 'http://127.0.0.1', timeoutMs: 60_000, maxBodyBytes: size },
      {
        started() {},
        settled: (result) => resolve('response' in result ? result.response.body : undefined),
      },
    )
    handler.onConnect()
    handler.onHeaders(200, [])
    const before = held()
    for (let at = 0; at < size; at++) handler.onData(Buffer.from([at & 0xff]))
    const grown = held() - before
    t.ok(grown < 32 * size, `${grown} bytes`)
    handler.onComplete()
  })
  t.equal(body?.length, size)
  t.ok(body?.every((byte, at) => byte === (at & 0xff)))
})
