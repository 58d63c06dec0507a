import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { resolveTarget } from '../../../conformance/target/target.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { createRunner, type RunListener, type RunStatus } from './runner.js'

const ANN = { userName: 'ann', password: 'Secret-1' }
const silent: RunListener = {
  onBegin: () => undefined,
  onStart: () => undefined,
  onResult: () => undefined,
  onProgress: () => undefined,
  onEnd: () => undefined,
}

t.test('stopping ends the run, and its report is no whole one', async (t) => {
  const server = await startReference(t)
  const ends: unknown[] = []
  const runner = createRunner({
    ...silent,
    onProgress: () => runner.status().sent > 0 && runner.stop(),
    onEnd: (report, isStopped) => ends.push([report?.verdict, isStopped]),
  })
  const target = resolveTarget({ baseUrl: server.url, accounts: [ANN] })
  await runner.start(target)
  await t.rejects(runner.start(target), /A run is in progress/)
  await runner.idle()
  t.strictSame(ends, [['inconclusive', true]])
  t.equal(runner.status().phase, 'done')
  t.equal(runner.report()?.verdict, 'inconclusive')
  runner.stop()
  t.equal(runner.status().phase, 'done')
})

t.test('a run that cannot begin says why, and another one may follow', async (t) => {
  const server = await startReference(t)
  const runner = createRunner(silent)
  await runner.start(resolveTarget({ baseUrl: server.url, accounts: [ANN] }), ['no-such-case'])
  await runner.idle()
  t.match(runner.status().problem, /no case, rule or result matches `no-such-case`/)
  await runner.start(resolveTarget({ baseUrl: server.url, accounts: [ANN] }), ['4.1/password-grant'])
  t.equal(runner.status().problem, undefined)
  await runner.idle()
  t.match(runner.status(), { phase: 'done', isPart: true, failures: 0 })
})

t.test('a wait that the service asks for is shown', async (t) => {
  let answered = 0
  const busy = createServer((_, response) => {
    answered += 1
    response.writeHead(answered <= 3 ? 429 : 400, { 'Retry-After': '1' }).end('{}')
  })
  await new Promise<void>((resolve) => void busy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => busy.close())
  // A listening server has an address with a port.
  const { port } = busy.address() as AddressInfo
  const waits: RunStatus['wait'][] = []
  const runner = createRunner({ ...silent, onProgress: () => waits.push(runner.status().wait) }, () => 0)
  const baseUrl = `http://127.0.0.1:${port}`
  await runner.start(resolveTarget({ baseUrl, accounts: [ANN] }), ['4.1/password-grant'])
  await runner.idle()
  t.ok(waits.some((wait) => wait?.status === 429 && wait.msLeft > 0))
})
