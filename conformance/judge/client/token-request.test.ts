import t from 'tap'
import { judgeTokenRequests } from './token-request.js'

t.test('a session in a wrong path is not shown', async (t) => {
  const request = { method: 'POST', path: '/Token;jsessionid=Session-1', headers: [], body: Buffer.from('') }
  const exchange = { request, startedAt: 0, receivedAt: 0, durationMs: 0 }
  const judged = judgeTokenRequests([exchange], {
    tokenPath: '/Token',
    userName: 'ann',
    password: 'Secret-1',
  })
  const path = judged.find(({ rule }) => rule === 'client:request-path')
  t.match(path, { outcome: 'failed', actual: '/Token;jsessionid=‹redacted›' })
})

t.test('a form in another charset is said to be that', async (t) => {
  const messageFor = (type: string): string | undefined => {
    const headers = [['Content-Type', type]] as const
    const request = { method: 'POST', path: '/Token', headers, body: Buffer.from('') }
    const exchange = { request, startedAt: 0, receivedAt: 0, durationMs: 0 }
    const expected = { tokenPath: '/Token', userName: 'ann', password: 'Secret-1' }
    const judged = judgeTokenRequests([exchange], expected)
    return judged.find(({ rule }) => rule === 'client:request-media-type')?.message
  }
  t.match(messageFor('application/x-www-form-urlencoded; charset=ISO-8859-1'), /another charset than UTF-8/)
  t.match(messageFor('text/plain; charset=UTF-8'), /is not that of a form/)
  t.equal(messageFor('application/x-www-form-urlencoded; charset=UTF-8'), undefined)
})
