/** Who can log in. */
export const accounts = [
  { userName: 'alice', password: 'Correct-7-horses', userId: 'id-of-alice' },
  { userName: 'bob@example.com', password: 'B & o = b + 100 %', userId: 'id-of-bob' },
] as const

/** A well-formed request, and the status of its answer. */
export interface SoakRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly type?: string
  readonly body?: string
  readonly status: number
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const logins = [
  ...accounts.map(({ userName, password }) => logIn(userName, password, 200)),
  ...accounts.map(({ userName }) => logIn(userName, 'Wrong-1', 400)),
]
const refused = [
  logIn('absent', 'Wrong-1', 400),
  post('/Token', form, 'username=alice&password=x', 400),
  post('/Token', json, '', 400),
  post('/Token', form, 'grant_type=password&username=%zz', 400),
  post('/accounts', json, '{"userName":"alice","email":"a@x","password":"weak"}', 400),
  post('/accounts', form, 'userName=x', 415),
  post('/external-login', json, '{"provider":"acme","code":"x"}', 400),
  { method: 'GET', path: '/Token', status: 405 },
  post('/elsewhere', form, '', 404),
] as const

/** Any of them: 7 in 10 log in, 1 in 10 registers an account that has not been there before. */
export function soundRequest(random: () => number, serial: number): SoakRequest {
  const kind = random()
  if (kind < 0.7) return oneOf(logins, random)
  if (kind < 0.9) return oneOf(refused, random)
  const account = { userName: `soak${serial}`, email: `soak${serial}@example.com`, password: 'Secret-1' }
  return post('/accounts', json, JSON.stringify(account), 201)
}

function oneOf<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('there is nothing to choose from')
  return value
}

function logIn(userName: string, password: string, status: number): SoakRequest {
  const body = new URLSearchParams({ grant_type: 'password', username: userName, password })
  return post('/Token', form, body.toString(), status)
}

function post(path: string, type: string, body: string, status: number): SoakRequest {
  return { method: 'POST', path, type, body, status }
}
