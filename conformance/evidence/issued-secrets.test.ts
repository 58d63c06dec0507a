import t from 'tap'
import { HttpResponse } from '../exchange/http-response.js'
import { answer } from '../fixtures/answers.js'
import { issuedSecrets } from './issued-secrets.js'

const NAMES = ['bob.Brown-of-the-office']
const SENT = {
  request: {
    method: 'POST',
    path: '/Token',
    headers: [],
    body: Buffer.from('username=alice.anderson%2Dof%2dthe-office&password=x'),
  },
}

t.test('what an answer names a secret by a cookie, a header or a member is one', async (t) => {
  const body = {
    refresh_token: 's8nJ-refresh-token-1',
    pairs: [{ name: 'id_token', value: 'eyJh.id-token.1234' }],
    token_type: 'bearer-and-nothing-else',
    ModelState: { 'model.Password': ['The-Password-is-too-short', 'The Password must have a digit.'] },
    password: 'The Password must have a digit.',
    token: 'short',
    tokens: ['one-of-the-tokens-1', { value: 'and-one-more-token-2' }],
  }
  const headers = [
    ['Set-Cookie', 'JSESSIONID=4C46F0A1B2C3D4E5F6; Path=/; HttpOnly'],
    ['Set-Cookie', 'auth="q-9f8e7d6c5b4a3210"; Path=/'],
    ['Set-Cookie', 'state=s%3A1|2*3!4$5@6^7`8{9}'],
    ['Set-Cookie', 'session=2026-11-27T12:00:31Z.alice.0f3c'],
    ['Set-Cookie', 'remember=correct-horse-battery-staple'],
    ['Set-Cookie', 'theme=dark'],
    ['Set-Cookie', 'last_user=Alice.Anderson-of-the-Office'],
    ['Set-Cookie', 'first_user=bob.%42rown-of-the-office'],
    ['Set-Cookie', 'mail=carol.clark%40example.com'],
    ['Set-Cookie', 'returnUrl=http%3A%2F%2F127.0.0.1:5000/Token'],
    ['Set-Cookie', 'back="/accounts/of/carol/7"'],
    ['Set-Cookie', 'last_login=2026-11-27T12:00:31Z'],
    ['Set-Cookie', 'last_visit=Fri%2C%2027%20Nov%202026%2012%3A00%3A31%20GMT'],
    [
      'Location',
      '/cb?code=Location-code-0001&state=a-state-that-is-shown#access_token=Location%2Ftoken-0001',
    ],
    ['X-Error-Key', 'unsupported_grant_type.title'],
    ['X-Cache-Key', 'GET:127.0.0.1:/Token'],
    ['X-Refresh-Token', 'x-refresh-token-0001'],
    ['X-Api-Key', 'x-api-key-of-alice-1'],
    ['Authorization', 'Bearer bearer-of-answer-1'],
    ['Content-Type', 'application/json;charset=UTF-8'],
  ] as const
  const response = answer(JSON.stringify(body), { headers })
  t.ok(response instanceof HttpResponse)
  t.strictSame(response instanceof HttpResponse && issuedSecrets(response, SENT, NAMES), [
    '4C46F0A1B2C3D4E5F6',
    'q-9f8e7d6c5b4a3210',
    's%3A1|2*3!4$5@6^7`8{9}',
    '2026-11-27T12:00:31Z.alice.0f3c',
    'correct-horse-battery-staple',
    'Location-code-0001',
    'Location/token-0001',
    'x-refresh-token-0001',
    'x-api-key-of-alice-1',
    'bearer-of-answer-1',
    's8nJ-refresh-token-1',
    'eyJh.id-token.1234',
    'one-of-the-tokens-1',
    'and-one-more-token-2',
  ])
})

t.test('so is what half an object names so, which is repeated beside it', async (t) => {
  const token = 'The-live-token.0001'
  const response = answer(`{"access_token":"${token}","jwt":"${token}"`)
  t.strictSame(response instanceof HttpResponse && issuedSecrets(response, SENT, NAMES), [token])
})

t.test('a flood of them in one answer pushes no other secret out', async (t) => {
  const body = Array.from({ length: 500 }, (_, at) => ({ refresh_token: `refresh-token-of-turn-${at}` }))
  const response = answer(JSON.stringify(body))
  t.equal(response instanceof HttpResponse && issuedSecrets(response, SENT, NAMES).length, 16)
})
