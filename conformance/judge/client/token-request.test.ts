import t from 'tap'
import type { Exchange } from '../../exchange/exchange.js'
import { judgeTokenRequests } from './token-request.js'

const EXPECTED = { tokenPath: '/Token', userName: 'alice', password: 'a+b' }

/** The message about one parameter of a request with this body. */
function messageOf(body: string, rule: string, type = 'application/x-www-form-urlencoded'): string {
  const request = {
    ...{ method: 'POST', path: '/Token', headers: [['Content-Type', type]], body: Buffer.from(body) },
  }
  // Nothing else of an exchange is read.
  const { message, expected, actual } =
    judgeTokenRequests([{ request } as unknown as Exchange], EXPECTED).find((one) => one.rule === rule) ?? {}
  return `${message}: ${expected}, ${actual}`
}

t.test('what is wrong with a parameter is said in plain words', async (t) => {
  const [name, password] = ['client:request-username', 'client:request-password']
  t.equal(
    messageOf('{"username":"alice"}', name, 'application/json'),
    'the form has no `username`: "alice", a body without `username=…`',
  )
  t.equal(messageOf('username=Alice', name), '`username` has another value: "alice", "Alice"')
  t.equal(messageOf('password=a+b', password), '`password` has another value: "a+b", "a b"')
  t.equal(
    messageOf('username=alice&username=alice', name),
    '`username` is sent 2 times: "alice", "alice" and "alice"',
  )
})
