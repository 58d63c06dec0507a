import t from 'tap'
import type { Exchange } from '../exchange/exchange.js'
import { Redactor } from './redact.js'
import { renderExchange } from './render-exchange.js'

const TOO_LONG: Exchange = {
  request: { method: 'POST', path: '/Token', headers: [], truncated: true },
  failure: { kind: 'reset', message: 'closed' },
  startedAt: 0,
  receivedAt: 0,
  durationMs: 0,
}

t.test('a body that was not kept is not shown as an empty one, whatever its author', async (t) => {
  const origin = 'http://127.0.0.1'
  for (const source of [
    { author: 'tested client', origin },
    { author: 'anyone', origin, isHarmless: () => false },
  ] as const) {
    const { request } = renderExchange('token', TOO_LONG, source, new Redactor([]))
    t.strictSame(request.body, { text: '‹not kept›', truncated: true }, source.author)
  }
})
