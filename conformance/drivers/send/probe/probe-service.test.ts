import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startReferenceServer } from '../../../../reference/server.js'
import { listen } from '../../../../tools/interop/listen.js'
import type { Lesson } from './learn-from-token.js'
import { probeService } from './probe-service.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }
const TOKEN = {
  access_token: 'mF_9.B5f-4.1JqM',
  token_type: 'bearer',
  expires_in: 59,
  userName: 'alice',
  '.issued': 'Sun, 06 Nov 1994 08:49:37 GMT',
  '.expires': 'Sun, 06 Nov 1994 08:50:37 GMT',
}

/** What is learnt of a service, and what it was asked. */
async function probe(
  respond: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  logIn = true,
): Promise<Lesson & { readonly asked: readonly string[] }> {
  const asked: string[] = []
  await using server = await listen(async (request, response) => {
    const body = await text(request)
    asked.push(`${request.method} ${request.url} ${body}`.trimEnd())
    respond(request, response, body)
  })
  return { ...(await probeService(`${server.url}/auth`, logIn ? ALICE : undefined)), asked }
}

/** Refuses what is no form, grants whatever is one, and knows no other path. */
function granting(token: object, headers: Readonly<Record<string, string>> = {}) {
  return (request: IncomingMessage, response: ServerResponse, body: string): void => {
    if (request.url !== '/auth/Token') return void response.writeHead(404).end()
    if (body !== '') return void response.writeHead(200, headers).end(JSON.stringify(token))
    response.writeHead(400).end('{"error":"unsupported_grant_type"}')
  }
}

t.test('the reference server tells everything, and no account is made', async (t) => {
  await using server = await startReferenceServer({
    hashing: 'fast',
    accounts: [{ ...ALICE, userId: '7d1f' }],
    includesUserId: true,
    tokenLifetime: 3600,
  })
  const { values, lines } = await probeService(server.url, ALICE)
  t.strictSame(values, {
    userId: '7d1f',
    includesUserId: true,
    tokenLifetime: 3600,
    registrationPath: '/accounts',
    externalLoginPath: '/external-login',
  })
  t.equal(lines[0], 'POST /Token refuses a JSON request, as it should.')
  t.match(lines.join('\n'), /lives for 3600 s\. .*configured/)
})

t.test('few requests, each harmless, one after the other', async (t) => {
  const { asked } = await probe(granting(TOKEN))
  t.strictSame(asked, [
    'POST /auth/Token',
    'POST /auth/Token grant_type=password&username=alice&password=Correct-7-horses',
    'OPTIONS /auth/no-such-path-of-token-assay',
    'OPTIONS /auth/accounts',
    'OPTIONS /auth/api/accounts',
    'OPTIONS /auth/api/Account/Register',
    'OPTIONS /auth/register',
    'OPTIONS /auth/users',
    'OPTIONS /auth/external-login',
    'OPTIONS /auth/api/Account/ExternalLogin',
  ])
})

t.test('without an account there is no login', async (t) => {
  const { asked, lines } = await probe(granting(TOKEN), false)
  t.strictSame(
    asked.filter((line) => line.includes('password')),
    [],
  )
  t.match(lines.join('\n'), /No login was tried\. .*--user-name/)
})

t.test(
  'another spelling of the user name is reported and not taken over; a clock that is behind',
  async (t) => {
    const now = Date.now() - 3_600_000
    const dates = {
      '.issued': new Date(now).toUTCString(),
      '.expires': new Date(now + 86_400_000).toUTCString(),
    }
    const respond = granting({ ...TOKEN, ...dates, expires_in: 86_400, userName: 'Alice' })
    const { values, lines } = await probe((request, response, body) => {
      response.sendDate = false
      respond(request, response, body)
    })
    t.strictSame(values, {
      includesUserId: false,
      tokenLifetime: 86_400,
      clockSkew: values.clockSkew,
    })
    t.ok([3600, 3660].includes(values.clockSkew ?? 0), 'rounded up to a minute')
    t.match(
      lines.join('\n'),
      /userName "Alice" for "alice"\. If the account is "alice", rule 2\.1-userName is broken.* 86400 s, a day\..*has no Date header/s,
    )
  },
)

t.test('a lifetime that two members contradict is reported and not taken over', async (t) => {
  for (const expires_in of [1_209_599, '1209599']) {
    const { values, lines } = await probe(granting({ ...TOKEN, expires_in }))
    t.equal(values.tokenLifetime, undefined)
    t.match(lines.join('\n'), '.expires is 60 s after .issued, but expires_in is 1209599: a rule is broken')
  }
  const { values } = await probe(granting({ ...TOKEN, expires_in: '60' }))
  t.equal(values.tokenLifetime, 60, 'as a text it breaks a rule, and says the same')
})

t.test('a Date of its own is what .issued is held to', async (t) => {
  const { values, lines } = await probe(granting(TOKEN, { Date: 'Sun, 06 Nov 1994 08:49:40 GMT' }))
  t.equal(values.clockSkew, undefined)
  t.notMatch(lines.join('\n'), '2.1-issue-time')
  const far = await probe(granting(TOKEN, { Date: 'Sun, 06 Nov 1994 08:51:40 GMT' }))
  t.equal(far.values.clockSkew, undefined)
  t.match(
    far.lines.join('\n'),
    '.issued differs from the Date header by 123 s: rule 2.1-issue-time will fail',
  )
})

t.test('a Date far from this clock is worth a word', async (t) => {
  const { lines } = await probe((_, response) => {
    response.writeHead(404, { Date: new Date(Date.now() - 600_000).toUTCString() }).end()
  })
  t.match(lines.join('\n'), /Its Date header is (?:599|60\d) s behind the clock of this machine/)
})

t.test('no password goes to what is no token service', async (t) => {
  const nothing = await probe((_, response) => void response.writeHead(404).end())
  t.match(
    nothing.lines.join('\n'),
    /POST \/Token is not found \(404\). Is the base URL right\?.*No login was tried/s,
  )
  const moved = await probe(
    (_, response) => void response.writeHead(308, { Location: 'https://x.example/' }).end(),
  )
  t.match(moved.lines.join('\n'), /redirected \(308\) to "https:\/\/x.example\/".*No login was tried/s)
  for (const { asked } of [nothing, moved]) t.notMatch(asked.join('\n'), 'password')
})

t.test('a refused login, and an answer that is not as documented', async (t) => {
  const { values, lines } = await probe((_, response) => void response.writeHead(401).end('{}'))
  t.strictSame(values, {})
  t.match(lines, [
    '"alice" gets no token (401). Are the user name and the password right?',
    'POST /Token answers an empty JSON body with 401, not as documented (4.1-R1).',
    'Cannot look for registration and external sign-in: the service answers OPTIONS with 401 for unknown paths too.',
  ])
})

t.test('what a path answers tells whether it is there', async (t) => {
  const { values, lines } = await probe((request, response) => {
    const status = { '/auth/accounts': 500, '/auth/register': 405 }[request.url ?? ''] ?? 404
    response.writeHead(status).end()
  })
  t.strictSame(values, { registrationPath: '/register' })
  t.match(
    lines.at(-1),
    'External sign-in: not found (by OPTIONS) at /external-login, /api/Account/ExternalLogin. If the service has it, declare its request.',
  )
})

t.test('a busy service is left alone', async (t) => {
  const { asked, lines } = await probe(
    (_, response) => void response.writeHead(429, { 'Retry-After': '0' }).end(),
  )
  t.strictSame(asked, ['POST /auth/Token'])
  t.match(lines, ['The service is busy (429): try again later.'])
})

t.test('no service there: nothing more is tried', async (t) => {
  const { values, lines, isUnreachable } = await probeService('http://127.0.0.1:1', ALICE)
  t.strictSame([values, isUnreachable], [{}, true])
  t.strictSame(lines, [
    'Could not reach the service. The connection was refused: nothing listens at that address.',
  ])
})

t.test('a service that repeats secrets teaches nothing by it', async (t) => {
  const { access_token } = TOKEN
  for (const echo of [
    ALICE.password,
    `x${encodeURIComponent(ALICE.password)}`,
    btoa(ALICE.password),
    access_token,
  ]) {
    const { values, lines } = await probe(granting({ ...TOKEN, userName: echo, userId: echo }))
    t.strictSame([values.userId, values.includesUserId], [undefined, true])
    t.notMatch(lines.join('\n'), echo)
  }
})

t.test('an error with further members is not the documented one; a userId is asked about', async (t) => {
  const { values, lines } = await probe((_, response, body) => {
    if (body !== '') return void response.end(JSON.stringify({ ...TOKEN, userId: '7d1f' }))
    response.writeHead(400).end('{"error":"unsupported_grant_type","error_description":"x"}')
  })
  t.match(lines[0], /not with it alone \(7-token-error-body\)\.$/)
  t.equal(values.includesUserId, true)
  t.match(lines.join('\n'), /^The answer has a userId.*Check that the service is configured to add it/m)
})
