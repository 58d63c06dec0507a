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
