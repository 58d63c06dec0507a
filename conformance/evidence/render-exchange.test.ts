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

const GET: Exchange['request'] = { method: 'GET', path: '/', headers: [] }

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

t.test('where labels make a long body short, no half of a secret is left at its end', async (t) => {
  const password = 'Correct-horse-1'
  const redactor = new Redactor([{ value: password, label: 'password' }])
  const spelled = [...password].map((char) => `&#x0000${char.charCodeAt(0).toString(16)};`).join('')
  const answer = (text: string): Exchange => ({
    ...TOO_LONG,
    response: { status: 200, headers: [], body: Buffer.from(text), truncated: false },
  })
  const shownOf = (text: string): string => {
    const source = { author: 'anyone', origin: 'http://127.0.0.1', isHarmless: () => true } as const
    const { response } = renderExchange('token', { ...answer(text), request: GET }, source, redactor)
    return response !== null && 'text' in response.body ? response.body.text : ''
  }
  const end = 64 * 1024
  for (const before of [10, 60, 120]) {
    const many = spelled.repeat(Math.floor((end - before) / spelled.length))
    const text = `${many}${' '.repeat(end - before - many.length)}${spelled}${spelled}`
    t.notMatch(shownOf(text), /&#x/, `${before} characters before the end`)
  }
  t.equal(shownOf('x'.repeat(end + 1)).length, 16 * 1024)
})
