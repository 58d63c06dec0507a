import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { alice, startService } from '../../conformance/fixtures/service.js'

type Refuses = () => number | undefined

/** A proxy that refuses some requests by a status and a page, as nginx does. */
async function startProxy(t: Test, url: string, refuses: Refuses) {
  let refused = 0
  const proxy = createServer((received, response) => {
    const status = refuses()
    if (status !== undefined) {
      refused++
      received.resume()
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(`<h1>${status}</h1>`)
      return
    }
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

/**
 * The first requests pass and show how fast they come on this machine.
 * From then on half of that pace is the limit, with this burst.
 */
function limit(first: number, burst: number): Refuses {
  let count = 0
  let perMillisecond = 0
  let open = 0
  let began = 0
  let at = 0
  return () => {
    count++
    const now = performance.now()
    if (count === 1) began = now
    if (count <= first) {
      perMillisecond = count / (now - began) / 2
      at = now
      return undefined
    }
    open = Math.min(burst, open + (now - at) * perMillisecond)
    at = now
    if (open < 1) return 503
    open--
    return undefined
  }
}

/** The service is away for some requests. */
function outage(from: number, length: number): Refuses {
  let count = 0
  return () => {
    count++
    return count >= from && count < from + length ? 502 : undefined
  }
}

for (const [what, refuses] of Object.entries({
  'a limit that asks no one to wait': limit(40, 20),
  'a proxy that finds no service for a while': outage(40, 100),
}))
  t.test(`a right service behind ${what} is not failed`, async (t) => {
    const service = await startService(t, { accounts: [alice] })
    const proxy = await startProxy(t, service.url, refuses)
    const registered = { userName: '$userName', email: '$email', password: '$password' }
    const registration = { request: { method: 'POST', path: '/accounts', json: registered } }
    const report = await assess({ baseUrl: proxy.url, accounts: [alice], registration }, { seed: 1, runs: 8 })
    t.ok(proxy.refused() > 0, 'it refuses')
    t.equal(report.verdict, 'inconclusive')
    t.strictSame(
      report.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
      [],
    )
    const { passed, cantTell } = report.counts
    t.ok(passed > cantTell, 'and most of it is judged', report.counts)
  })
