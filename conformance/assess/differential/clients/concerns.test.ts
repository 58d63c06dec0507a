import t from 'tap'
import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import type { ReceivedRequest } from '../../../drivers/host/host-client.js'
import { PLAIN, PLAIN_FORM, probeOf } from '../../../drivers/pair/probe.js'
import { NAMED_PROBES } from '../ask/named-probes.js'
import { FORM, traitsOf } from '../isolate/request-traits.js'
import { concernOf, isConcerned } from './concerns.js'

const GIVEN = { userName: 'ann', password: 'Secret 1' }

function received(body: string, more: Partial<ReceivedRequest> = {}): ReceivedRequest {
  const request = { method: 'POST', path: '/Token', query: '', contentType: FORM, headers: {}, ...more }
  return { ...request, headerNames: [], connection: 0, body: Buffer.from(body), bodyTooLong: false }
}

const LOGIN = 'grant_type=password&username=ann&password=Secret%201'
const REQUESTS: Readonly<Record<string, ReceivedRequest>> = {
  plain: received(LOGIN),
  plus: received(LOGIN.replace('%20', '+')),
  client: received(`${LOGIN}&client_id=web`),
  capital: received(LOGIN.replace('username', 'UserName')),
  charset: received(LOGIN, { contentType: `${FORM}; charset=UTF-8` }),
  json: received('{}', { contentType: 'application/json' }),
  basic: received(LOGIN, { headers: { authorization: 'Basic YTpi' } }),
  accept: received(LOGIN, { headers: { accept: 'application/json' } }),
  small: received(LOGIN, { path: '/token' }),
  get: received('', { method: 'GET', contentType: undefined }),
  trimmed: received(LOGIN.replace('ann', 'an')),
  query: received(LOGIN, { query: 'api=2' }),
}

function concerned(...steps: readonly Step[]): string {
  const at = steps.length - 1
  const concern = concernOf(traitsOf(probeOf('', steps), at), steps[at]?.send ?? {})
  if ('unseen' in concern) return `not ${concern.unseen.place}`
  return Object.keys(REQUESTS)
    .filter((name) => isConcerned(concern, REQUESTS[name] as ReceivedRequest, GIVEN))
    .join(' ')
}

t.test('a finding is about the requests that have what its own has', async (t) => {
  const all = Object.keys(REQUESTS).join(' ')
  const withPair = (name: string) => ({ form: [...PLAIN_FORM, [name, 'x']] }) as const
  for (const [send, expected] of [
    [PLAIN, all],
    [withPair('client_id'), 'client'],
    [withPair('scope'), ''],
    [
      { form: PLAIN_FORM.map(([name, value]) => [name === 'username' ? 'USERNAME' : name, value]) },
      'capital',
    ],
    [{ ...PLAIN, contentType: `${FORM};charset=utf-8` }, 'charset'],
    [{ ...PLAIN, contentType: 'x/x' }, 'json'],
    [{ ...PLAIN, headers: { Authorization: 'Basic eDp5' } }, 'basic'],
    [{ ...PLAIN, headers: { Accept: 'text/html' } }, ''],
    [{ ...PLAIN, headers: { Accept: 'application/json' } }, 'accept'],
    [{ ...PLAIN, path: '/TOKEN' }, 'small'],
    [{ ...PLAIN, path: '/Token/' }, ''],
    [{ ...PLAIN, method: 'GET' }, 'get'],
    [{ ...PLAIN, query: { x: '1' } }, 'query'],
  ] as const)
    t.equal(concerned({ send: send as RequestTemplate }), expected, JSON.stringify(send))
  const named = (place: string) => NAMED_PROBES.find((one) => one.place === place)?.probe.testCase.steps ?? []
  t.equal(concerned(...named('body')), 'not body')
})

t.test('a space sent as `+` is about the clients that send it so', async (t) => {
  const probe = NAMED_PROBES.find(({ place }) => place === 'space as +')?.probe ?? probeOf('', [])
  const concern = concernOf(traitsOf(probe, 1), probe.testCase.steps[1]?.send ?? {})
  t.notOk('unseen' in concern)
  for (const name of ['plain', 'plus'])
    t.equal(
      !('unseen' in concern) && isConcerned(concern, REQUESTS[name] as ReceivedRequest, GIVEN),
      name === 'plus',
    )
})

t.test('a finding on credentials is about a client that sends what it was given', async (t) => {
  const form = PLAIN_FORM.map(([name, value]) => [name, name === 'username' ? 'x' : value] as const)
  t.equal(concerned({ send: { form } }), 'plain plus client capital charset basic accept small query')
})
