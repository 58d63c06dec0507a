/** Who can log in. */
export const accounts = [
  { userName: 'alice', password: 'Correct-7-horses', userId: 'id-of-alice' },
  { userName: 'bob@example.com', password: 'B & o = b + 100 %', userId: 'id-of-bob' },
] as const

/** A well-formed request, and the status of its answer. */
export interface Asked {
  readonly bytes: string
  readonly status: number
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

/** A request for a token with nothing wrong, and those that the service must refuse. */
const logins: readonly Asked[] = [
  ...accounts.map(({ userName, password }) => ({ bytes: logIn(userName, password), status: 200 })),
  ...accounts.map(({ userName }) => ({ bytes: logIn(userName, 'Wrong-1'), status: 400 })),
]
const refused: readonly Asked[] = [
  { bytes: logIn('absent', 'Wrong-1'), status: 400 },
  { bytes: post('/Token', form, 'username=alice&password=x'), status: 400 },
  { bytes: post('/Token', json, ''), status: 400 },
  { bytes: post('/Token', form, 'grant_type=password&username=%zz'), status: 400 },
  { bytes: post('/accounts', json, '{"userName":"alice","email":"a@x","password":"weak"}'), status: 400 },
  { bytes: post('/accounts', form, 'userName=x'), status: 415 },
  { bytes: post('/external-login', json, '{"provider":"acme","code":"x"}'), status: 400 },
  { bytes: 'GET /Token HTTP/1.1\r\nHost: x\r\n\r\n', status: 405 },
  { bytes: post('/elsewhere', form, ''), status: 404 },
]

/** The login that hostile clients begin with, or end before. */
export const aLogin: string = logIn(accounts[0].userName, accounts[0].password)

/** Any of them: 7 in 10 log in, 1 in 10 registers an account that has not been there before. */
export function soundRequest(random: () => number, serial: number): Asked {
  const kind = random()
  if (kind < 0.7) return oneOf(logins, random)
  if (kind < 0.9) return oneOf(refused, random)
  const account = { userName: `soak${serial}`, email: `soak${serial}@example.com`, password: 'Secret-1' }
  return { bytes: post('/accounts', json, JSON.stringify(account)), status: 201 }
}

export function oneOf<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('there is nothing to choose from')
  return value
}

export function logIn(userName: string, password: string): string {
  return post(
    '/Token',
    form,
    new URLSearchParams({ grant_type: 'password', username: userName, password }).toString(),
  )
}

/** Of ASCII. */
export function post(
  path: string,
  contentType: string,
  body: string,
  method = 'POST',
  more: readonly string[] = [],
): string {
  const headers = ['Host: x', `Content-Type: ${contentType}`, `Content-Length: ${body.length}`, ...more]
  return [`${method} ${path} HTTP/1.1`, ...headers, '', body].join('\r\n')
}
