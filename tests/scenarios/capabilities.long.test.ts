import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import type { TargetInput, TargetSettings } from '../../conformance/target/target-input.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startReferenceServer } from '../../reference/server.js'
import type { Report, Result } from '../../spec/model/report.js'
import { serve } from '../fixtures/serve.js'

const PASSWORDS = [
  [/[^A-Za-z0-9]/, 'Passwords must have at least one non letter or digit character.'],
  [/[0-9]/, "Passwords must have at least one digit ('0'-'9')."],
  [/[A-Z]/, "Passwords must have at least one uppercase ('A'-'Z')."],
  [/[a-z]/, 'A small letter is missing.'],
  [/^.{6,}$/, 'Too short.'],
] as const

interface Service {
  readonly baseUrl: string
  /** Method and path of every request but those to `/Token`. */
  readonly requests: string[]
  /** User names by the failed logins that they saw. */
  readonly failedLogins: Map<string, number>
}

/** Registers by a form under another path, answers 422 with all messages in one nested text, and deletes accounts. */
async function ownService(t: Test): Promise<Service> {
  const passwords = new Map([
    ['alice', 'Alice-and-1-horse'],
    ['bob', 'Bob-and-2-horses'],
  ])
  const emails = new Set<string>()
  const requests: string[] = []
  const failedLogins = new Map<string, number>()
  const answer = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'Content-Type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body))
  }
  const grant = (request: IncomingMessage, form: URLSearchParams, response: ServerResponse): void => {
    const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')
    if (!isForm || form.get('grant_type') !== 'password' || request.method !== 'POST') {
      answer(response, 400, { error: 'unsupported_grant_type' })
      return
    }
    const name = form.get('username') ?? ''
    if (!passwords.has(name) || passwords.get(name) !== form.get('password')) {
      failedLogins.set(name, (failedLogins.get(name) ?? 0) + 1)
      answer(response, 400, { error: 'invalid_grant' })
      return
    }
    const now = Math.floor(Date.now() / 1000) * 1000
    answer(response, 200, {
      access_token: `${name}-${requests.length}-${Math.random()}`,
      token_type: 'bearer',
      expires_in: 1_209_599,
      userName: name,
      '.issued': new Date(now).toUTCString(),
      '.expires': new Date(now + 1_209_600_000).toUTCString(),
    })
  }
  const register = (form: URLSearchParams, response: ServerResponse): void => {
    const password = form.get('secret') ?? ''
    const problems: string[] = PASSWORDS.flatMap(([pattern, message]) =>
      pattern.test(password) ? [] : [message],
    )
    if (emails.has(form.get('mail') ?? '')) problems.push('That address is known.')
    if (problems.length > 0) {
      answer(response, 422, { model: { errors: [{ text: problems.join(' ') }] } })
      return
    }
    emails.add(form.get('mail') ?? '')
    passwords.set(form.get('login') ?? '', password)
    answer(response, 201, {})
  }
  const address = await serve(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      if (request.url?.split('?')[0] === '/Token') {
        grant(request, form, response)
        return
      }
      requests.push(`${request.method} ${request.url}`)
      if (request.url === '/api/people' && request.method === 'POST') {
        register(form, response)
        return
      }
      const [, name] = /^\/api\/people\/([^/]+)$/.exec(request.url ?? '') ?? []
      const known = request.method === 'DELETE' && name !== undefined
      answer(response, known && passwords.delete(decodeURIComponent(name)) ? 204 : 404, {})
    })
  })
  return { baseUrl: `http://${address}`, requests, failedLogins }
}

const accounts = [
  { userName: 'alice', password: 'Alice-and-1-horse' },
  { userName: 'bob', password: 'Bob-and-2-horses' },
]
const registration = {
  request: { path: '/api/people', form: { login: '$userName', mail: '$email', secret: '$password' } },
  accepted: [201],
  rejected: [422],
} satisfies TargetSettings['registration']

function resultOf(report: Report, id: string): Result | undefined {
  return report.results.find((result) => result.case === id)
}

function notGreen(report: Report): readonly string[] {
  return report.results.flatMap(({ case: id, outcome, reason }) =>
    outcome === 'failed' || outcome === 'cantTell' ? [`${id}: ${outcome} ${reason ?? ''}`] : [],
  )
}

t.test('any registration is described by the target; every account that is made is cleaned up', async (t) => {
  const { baseUrl, requests, failedLogins } = await ownService(t)
  const cleanUp = { method: 'DELETE', path: '/api/people/$userName' }
  const target: TargetInput = { baseUrl, accounts, registration: { ...registration, cleanUp } }
  const report = await assess(target, { seed: 1, runs: 10, skip: ['2.1/issue-time-advances'] })
  t.same(notGreen(report), [])
  t.equal(report.verdict, 'conformant')
  t.equal(resultOf(report, '7/digit-message')?.outcome, 'passed')

  const deleted = requests.filter((request) => request.startsWith('DELETE'))
  const made = requests.filter((request) => request.startsWith('POST'))
  t.ok(deleted.length > 20, 'accounts were made')
  t.ok(made.length > deleted.length, 'and some refused')
  t.equal(new Set(deleted).size, deleted.length, 'each once')
  t.ok(
    deleted.some((request) => /%(20|22|23|2F|3F|25)/.test(request)),
    'names with reserved characters are escaped in the path',
  )
  t.equal(failedLogins.get('alice') ?? 0, 0, 'the main account sees no failed login')
  t.equal(
    failedLogins.get('bob') ?? 0,
    0,
    'neither does the last one, where accounts can be made to be thrown away',
  )
})

t.test('where a new account cannot log in at once, nothing is judged of its login', async (t) => {
  const { baseUrl } = await ownService(t)
  const report = await assess(
    { baseUrl, accounts, registration: { ...registration, immediate: false } },
    { seed: 1, runs: 5, only: ['8/*'] },
  )
  t.same(notGreen(report), [])
  t.match(resultOf(report, '8/accepted-account'), {
    outcome: 'inapplicable',
    reason: /registration\.immediate/,
  })
})

t.test('a policy that differs from the declared one: the failure says which key to declare', async (t) => {
  const { baseUrl } = await ownService(t)
  const policy = { requireDigit: false }
  const report = await assess(
    { baseUrl, accounts, registration: { ...registration, policy } },
    { seed: 1, runs: 10, only: ['8/*', '7/*'] },
  )
  const failed = report.rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  // The message that should not be said, and the setting that should not be enforced: valid passwords have a digit anyway.
  t.same(failed, ['7-one-per-violation', '8-R2'])
  const messages = report.results.flatMap(({ judgements }) => judgements.map(({ message = '' }) => message))
  t.ok(
    messages.some((message) =>
      message.includes('declare in `registration.policy` what the service requires'),
    ),
    'the failure says what to declare',
  )
  t.equal(report.verdict, 'nonconformant')
})

t.test('an answer that is declared neither accepted nor rejected decides nothing', async (t) => {
  const { baseUrl } = await ownService(t)
  const report = await assess(
    { baseUrl, accounts, registration: { ...registration, rejected: [409] } },
    { seed: 1, runs: 3, only: ['8/too-short'] },
  )
  t.match(resultOf(report, '8/too-short'), { outcome: 'cantTell', reason: /422/ })
  t.equal(report.verdict, 'inconclusive')
})

t.test('a sign-in that cannot be prepared cannot be judged, and says why', async (t) => {
  const { baseUrl } = await ownService(t)
  const login = (capture: string, path: string): TargetInput => ({
    baseUrl,
    accounts,
    externalLogin: {
      prepare: { request: { path, form: { login: 'x' } }, capture: { code: capture } },
      request: { path: '/sign-in', json: { code: '$code' } },
      account: 'alice',
    },
  })
  const missing = await assess(login('/code', '/nowhere'), { only: ['4.2/*'] })
  t.match(resultOf(missing, '4.2/external-login'), {
    outcome: 'cantTell',
    reason: 'the sign-in could not be prepared: its answer has no text at /code',
  })
})

t.test('observations tell what the reference does where the specification is silent', async (t) => {
  const server = await startReferenceServer({ accounts, hashing: 'fast' })
  t.teardown(() => server.close())
  const report = await assess(
    {
      baseUrl: server.url,
      accounts,
      maxFailedLogins: 100,
      registration: {
        request: REGISTRATION_REQUEST,
      },
    },
    { seed: 1, runs: 5 },
  )
  const observed = new Map(report.observations.map(({ id, observed: text }) => [id, text]))
  t.match(Object.fromEntries(observed), {
    '2.1/extra-members': 'none',
    '2.1/success-status': '200, application/json;charset=UTF-8',
    '2.1/success-headers': '200; Cache-Control: no-store; Pragma: no-cache',
    '2.1/token-format':
      'letters of base64url, 43 characters; the same account gets another one the second time',
    '4.1/lower-case-path': /^no token: 404/,
    '4.1/scope-and-client-id': 'a token',
    '4.1/request-size': /^16 KiB: a token; 64 KiB: no token: 413/,
    '7/other-errors': /^400, .*"invalid_grant"/,
    '7/length-message': '400: "Passwords must be at least 6 characters."',
    '7/two-violations': /at least 6 characters\.", "Passwords must have at least one non letter/,
    '8/duplicate-user-name': /^first: 201: .*; second: 400: "Name .*‹run› is already taken\."$/,
    '8/non-ascii-digit': /^400: "Passwords must have at least one digit/,
    '8/length-units': /^201/,
    '8/limits': 'none',
  })
  t.notOk(JSON.stringify(report.observations).includes('Alice-and-1-horse'))
  const few = await assess({ baseUrl: server.url, accounts, maxFailedLogins: 4 }, { seed: 1, runs: 5 })
  t.match(
    few.observations.find(({ id }) => id === '4.1/password-with-space'),
    { observed: /^not probed: .*maxFailedLogins/ },
  )
  const narrowed = await assess({ baseUrl: server.url, accounts }, { only: ['1/*'] })
  t.same(narrowed.observations, [], 'a narrowed run observes nothing')
})
