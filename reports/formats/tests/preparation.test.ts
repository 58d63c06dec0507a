import t from 'tap'
import type { Json } from '../../../spec/model/json.js'
import type { Report, ReportExchange } from '../../../spec/model/report.js'
import { isOfNewAccount, preparationOf, type ShownRequest } from './preparation.js'

function login(label: string, userName: string, password: string, answer = '{"error":"invalid_grant"}') {
  const text = `grant_type=password&username=${userName}&password=${password}`
  const request = {
    method: 'POST',
    url: 'http://127.0.0.1/Token',
    headers: [],
    body: { text, truncated: false },
  }
  const response = { status: 200, headers: [], body: { text: answer, truncated: false } }
  return { label, request, response } as unknown as ReportExchange
}

const GRANT = '{"access_token":"‹access_token›"}'
const briefly = (requests: readonly ShownRequest[] | undefined) =>
  requests?.map(({ label, request: { method, url, headers, body } }) => [
    label,
    `${method} ${url}`,
    headers.map(([, value]) => value).join(),
    body !== undefined && 'text' in body ? body.text : '',
  ])

function deployment(registration?: Json): Report['target']['deployments'][number] {
  const headers = { 'X-Gate': '‹value of X-Gate›', 'x-key': 'not this' }
  const declared = registration === undefined ? {} : { headers, registration }
  return { name: 'default', baseUrl: 'http://127.0.0.1/', declared } as never
}

const JSON_REQUEST = {
  path: '/accounts',
  headers: { 'X-Key': '‹value of X-Key›' },
  json: { user: { name: '$userName', costs: '$$5' }, email: '$email', passwords: ['$password'] },
}

t.test('the account that the run made up is registered, and the valid request is the control', async (t) => {
  const evidence = [login('control', 'ab‹run›', 'P-1', GRANT), login('request', 'ab‹run›', 'p-1', GRANT)]
  t.strictSame(briefly(preparationOf(evidence, undefined, deployment({ request: JSON_REQUEST }))), [
    [
      'registration of the account',
      'POST http://127.0.0.1/accounts',
      '‹value of X-Gate›,‹value of X-Key›,application/json',
      '{"user":{"name":"ab‹run›","costs":"$5"},"email":"ab‹run›@example.com","passwords":["P-1"]}',
    ],
    ['control', 'POST http://127.0.0.1/Token', '', 'grant_type=password&username=ab‹run›&password=P-1'],
  ])
  t.equal(preparationOf(evidence, undefined, deployment()), undefined, 'where none is declared')
})

t.test('as a form, for who logs in by an address', async (t) => {
  const request = { method: 'PUT', path: '/a/$userName', form: { 'e mail': '$email', p: '$password' } }
  const registration = { request, loginName: '$email', emailDomain: 'contoso.example' }
  const evidence = [login('control', 'ab‹run›%40contoso.example', 'P%261', GRANT), login('request', 'x', 'y')]
  t.strictSame(briefly(preparationOf(evidence, undefined, deployment(registration)))?.[0], [
    'registration of the account',
    'PUT http://127.0.0.1/a/ab‹run›',
    '‹value of X-Gate›,not this,application/x-www-form-urlencoded',
    'e%20mail=ab‹run›%40contoso.example&p=P%261',
  ])
})

t.test('without a body, where the path says it all', async (t) => {
  const request = { method: 'PUT', path: '/a/$userName/$password' }
  const evidence = [login('control', 'ab‹run›', 'P-1', GRANT)]
  t.strictSame(briefly(preparationOf(evidence, undefined, deployment({ request })))?.[0], [
    'registration of the account',
    'PUT http://127.0.0.1/a/ab‹run›/P-1',
    '‹value of X-Gate›,not this',
    '',
  ])
})

t.test('of several new accounts, the one that the failure is about', async (t) => {
  const evidence = [login('control', 'ab‹run›', 'P-1', GRANT), login('request', 'cd‹run›', 'P-1x', GRANT)]
  const reproduce = `RUN=1; curl -d '{"userName":"cd'"$RUN"'"}' http://x/accounts; curl -d username=cd"$RUN" http://x/Token`
  const bodies = (text: string) =>
    briefly(preparationOf(evidence, text, deployment({ request: JSON_REQUEST })))?.map(([, , , body]) => body)
  t.match(bodies(reproduce), [/"cd‹run›"/, /username=cd‹run›&password=P-1$/])
  const unknown = `RUN=1; curl -d username=cd"$RUN" http://x/Token`
  t.match(bodies(unknown), [/"ab‹run›"/, /username=ab‹run›&password=P-1$/], 'no account has the other name')
})

t.test('a request that lacks the password registers nothing', async (t) => {
  const control = login('control', 'ab‹run›', 'P-1', GRANT)
  const body = { text: 'grant_type=password&username=ab‹run›&password%5B%5D=x', truncated: false }
  const request = { ...control.request, url: `${control.request.url}?password=P-1`, body }
  const evidence = [control, { ...control, label: 'request', request }]
  const prepared = preparationOf(evidence, undefined, deployment({ request: JSON_REQUEST }))
  t.strictSame(
    prepared?.map(({ label }) => label),
    ['registration of the account', 'control'],
  )
})

t.test('of a near miss of a new account, the account itself', async (t) => {
  const control = login('control', 'ab‹run›', 'P-1', GRANT)
  const reproduce = `RUN=1; curl -d userName=cd"$RUN" -d email=cd"$RUN"%40example.com http://x/accounts; curl -d x http://x/Token`
  const prepared = (name: string, registration: Json = { request: JSON_REQUEST }) =>
    briefly(
      preparationOf([control, login('request', name, 'x', GRANT)], reproduce, deployment(registration)),
    )?.map(([, , , body]) => body)
  for (const name of ["cd‹run›'--", '‹run›cd‹run›', 'cd‹run›‹run›', 'cd‹run›%40example.com', 'c%25'])
    t.match(
      prepared(name),
      [/"cd‹run›".*"cd‹run›@example\.com"/, /^grant_type=password&username=cd‹run›&password=P-1$/],
      name,
    )
  const byEmail = { request: JSON_REQUEST, loginName: '$email', emailDomain: 'contoso.example' }
  t.match(
    prepared('cd‹run›%40contoso.example)', byEmail),
    [/"cd‹run›".*"cd‹run›@contoso\.example"/, /username=cd‹run›%40contoso\.example&/],
    'who logs in by an address',
  )
  t.equal(prepared('cd‹run cut to 5 of 6 letters›*'), undefined, 'a new one has other letters there')
})

t.test('whose answer it is that fails', async (t) => {
  const alice = login('control', 'alice', 'x', GRANT)
  t.notOk(isOfNewAccount([login('control', 'ab‹run›', 'x', GRANT), login('request', 'alice', 'x')]))
  t.ok(isOfNewAccount([alice, login('request', 'ab‹run›', 'x')]))
})

t.test('a declared account needs no registration, and what is no token request is no control', async (t) => {
  const password = '‹password of alice›'
  const control = login('control', 'alice', password, GRANT)
  t.strictSame(preparationOf([control, login('request', 'zz‹run›', 'x')], undefined, deployment()), [control])
  t.strictSame(preparationOf([login('control', 'alice', password)], undefined, deployment()), [], 'refused')
  t.strictSame(preparationOf([login('request', 'alice', '%')], undefined, undefined), [])
  t.equal(preparationOf([login('request', 'ab‹run›', 'x')], undefined, deployment()), undefined)
})

t.test('without a control the main account signs in as the failure does, where that is usual', async (t) => {
  const form = [['Content-Type', 'application/x-www-form-urlencoded']] as const
  const asForm = (one: ReportExchange, method = 'POST'): ReportExchange => ({
    ...one,
    request: { ...one.request, method, headers: form },
  })
  const accounts = [{ userName: 'alice & co', password: '‹password of alice & co›' }]
  const declared = { name: 'default', baseUrl: 'http://127.0.0.1/', declared: { accounts } }
  const rejected = asForm(login('login', 'ab‹run›', 'P-1', GRANT))
  const registration = { ...login('registration', '', ''), request: { ...rejected.request } }
  registration.request.body = { text: '{"userName":"ab‹run›"}', truncated: false }
  t.strictSame(briefly(preparationOf([registration, rejected], undefined, declared)), [
    [
      'control',
      'POST http://127.0.0.1/Token',
      'application/x-www-form-urlencoded',
      'grant_type=password&username=alice%20%26%20co&password=‹password of alice & co›',
    ],
  ])
  t.strictSame(preparationOf([asForm(login('login', 'alice', 'x'), 'PUT')], undefined, declared), [])
  t.strictSame(preparationOf([rejected, registration], undefined, deployment()), [], 'none is declared')
})
