import t from 'tap'
import { specifiedBehaviour } from '../behaviour.js'
import { createClock } from '../clock.js'
import type { LogLine } from '../log.js'
import { listenerDefaults } from '../options/settings.js'
import { createDispatch } from './dispatch.js'
import { createHttpServer } from './http-server.js'

t.test('what goes wrong while an exchange is reported costs its client nothing', async (t) => {
  const lines: LogLine[] = []
  const log = (line: LogLine): void => void lines.push(line)
  const dispatch = createDispatch([], {
    behaviour: specifiedBehaviour,
    clock: createClock(),
    log,
    isClosing: () => false,
    observe() {
      throw new RangeError('Secret-1')
    },
  })
  const http = createHttpServer(dispatch, { ...listenerDefaults, log })
  t.teardown(() => http.close())
  const port = await http.listen(0, '127.0.0.1')
  for (const _ of [1, 2]) {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    t.equal(response.status, 404)
    t.equal(await response.text(), '{"error":"not_found"}')
  }
  t.match(lines, [
    { level: 'error', event: 'failure', name: 'RangeError' },
    { level: 'error', event: 'failure', name: 'RangeError' },
  ])
  t.equal(lines.length, 2)
  t.notMatch(JSON.stringify(lines), /Secret-1/)
})
