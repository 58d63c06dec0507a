import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { alice, startService } from '../../conformance/fixtures/service.js'

/** A proxy that lets so many requests through at once, and so many more each second; the others get 503 and a page, as by nginx. */
async function startLimit(t: Test, url: string, { burst, perSecond }: Record<'burst' | 'perSecond', number>) {
  let open = burst
  let at = performance.now()
  let refused = 0
  const proxy = createServer((received, response) => {
    const now = performance.now()
    open = Math.min(burst, open + ((now - at) * perSecond) / 1000)
    at = now
    if (open < 1) {
      refused++
      received.resume()
      response
        .writeHead(503, { 'Content-Type': 'text/html' })
        .end('<h1>503 Service Temporarily Unavailable</h1>')
      return
    }
    open--
    const { method, headers, url: path } = received
    const passed = request(url + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
      answer.pipe(response)
    })
    received.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, refused: () => refused }
}

t.test('a right service behind a limit that asks no one to wait is not failed', async (t) => {
  const service = await startService(t, { accounts: [alice] })
  const limit = await startLimit(t, service.url, { burst: 20, perSecond: 200 })
  const registered = { userName: '$userName', email: '$email', password: '$password' }
  const registration = { request: { method: 'POST', path: '/accounts', json: registered } }
  const report = await assess({ baseUrl: limit.url, accounts: [alice], registration }, { seed: 1, runs: 8 })
  t.ok(limit.refused() > 0, 'it limits')
  t.equal(report.verdict, 'inconclusive')
  t.strictSame(
    report.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    [],
  )
  const { passed, cantTell } = report.counts
  t.ok(passed > cantTell, 'and most of it is judged', report.counts)
})
