import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { sessionWith } from '../../../prove/suite/clients/session-faults.js'
import {
  CARELESS,
  type ClientParts,
  clientWith,
  FAULTS,
  retryAfterMs,
} from '../../../prove/suite/clients/sign-in-faults.js'
import { clientCases, clientRules, clientSuite } from '../../../spec/load/client-suite.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Report } from '../../../spec/model/report.js'
import type { TestedClient } from '../../drivers/host/host-client.js'
import { commandClient } from '../../drivers/host/run-command.js'
import type { SignInReport } from '../../judge/client/observed-sign-in.js'
import { assayClient } from './assay-client.js'
import { assessClient } from './assess-client.js'
import type { ClientOptions } from './options.js'
import { parseClientReplay } from './plan-scenarios.js'

const { scenarios, search } = clientSuite()

async function isSignedInBy(run: Parameters<typeof assayClient>[0], ...call: Parameters<TestedClient>) {
  return Promise.resolve(run(...call)).then(
    () => true,
    () => false,
  )
}

const failedRules = ({ rules }: Report) =>
  rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))

t.test('a client that keeps the contract is green', async (t) => {
  const report = await assayClient(clientWith({ patienceMs: 5000 }), { seed: 1, runs: 5, patienceMs: 60_000 })
  t.strictSame(failedRules(report), [])
  t.equal(report.verdict, 'conformant')
  t.strictSame(
    report.rules.flatMap(({ id, outcome }) => (outcome === 'passed' ? [] : [[id, outcome]])),
    clientRules().flatMap(({ id, section }) => (section === 'client:expiry' ? [[id, 'inapplicable']] : [])),
    'every rule is judged, but for those of a client that goes on',
  )
  const goingOn = scenarios.filter(({ fetches }) => fetches !== undefined).length
  const elsewhere = scenarios.filter(
    ({ timeZone, fetches }) => timeZone !== undefined && fetches === undefined,
  )
  t.equal(report.counts.passed, scenarios.length - goingOn - elsewhere.length + 1)
  t.match(
    elsewhere.map(({ id }) => report.results.find((result) => result.case === id)),
    elsewhere.map(() => ({
      outcome: 'inapplicable',
      reason: /^the client runs inside this process, in its time zone/,
    })),
  )
  t.match(report.results.findLast(({ outcome }) => outcome === 'inapplicable')?.reason, /--long-running/)
  const text = JSON.stringify(report)
  t.match(text, '‹access token›')
})

t.test('an option that is not usable is named', async (t) => {
  const wrong: readonly [run: unknown, options: unknown, message: string][] = [
    [null, {}, 'the client: expected a function'],
    [() => undefined, null, 'the options: expected an object'],
    [() => undefined, { onl: [] }, 'there is no option `onl`: did you mean `only`?'],
    [() => undefined, { timeoutMs: '5' }, 'option `timeoutMs`: expected a whole number from 1 to 86400000'],
  ]
  // As a caller in plain JavaScript may.
  for (const [run, options, message] of wrong)
    await t.rejects(Reflect.apply(assayClient, undefined, [run, options]), { code: 'usage', message })
})

t.test('what a client sends to other endpoints is no token request, nor is HEAD', async (t) => {
  const client = clientWith({
    before: async ({ url }) => {
      for (const method of ['HEAD', 'OPTIONS']) await fetch(`${url}/Token`, { method })
      await fetch(`${url}/health`)
      await fetch(`${url}/audit`, { method: 'OPTIONS' })
      await fetch(`${url}/events`, { method: 'POST', body: JSON.stringify({ event: 'start' }) })
    },
  })
  const report = await assayClient(client, { seed: 1, only: ['client:request/*', 'client:refusal/4*'] })
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
  const shown = report.results.flatMap(({ exchanges = [] }) => exchanges)
  t.strictSame(
    [
      ...new Set(
        shown.map(({ label, request: { url } }) => `${new URL(url).pathname.split('/').pop()}: ${label}`),
      ),
    ],
    [
      'Token: another request',
      'health: another request',
      'audit: another request',
      'events: another request',
      'Token: token',
      'me: resource',
    ],
  )
})

t.test('a token may be revoked as RFC 7009 has it, and sent as a bearer elsewhere', async (t) => {
  const client = clientWith({
    after: async ({ url }, token) => {
      await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })
      await fetch(`${url}/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      })
    },
  })
  const report = await assayClient(client, { seed: 1, only: ['client:request/plain'] })
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
})

t.test('a password in the URL of a retry is seen in every scenario', async (t) => {
  const asked = new WeakSet<object>()
  const tells = clientWith({
    retries: 1,
    path: (environment) => {
      const isAgain = asked.has(environment)
      asked.add(environment)
      return isAgain ? `/Token?p=${encodeURIComponent(environment.password)}` : '/Token'
    },
  })
  const refusals = ['documented', '401', '403', '404', '500', 'busy', 'unavailable']
  const only = refusals.map((name) => `client:refusal/${name}`)
  const report = await assayClient(tells, { seed: 1, only })
  for (const id of only) {
    const judgements = report.results.find((result) => result.case === id)?.judgements ?? []
    t.match(
      judgements.find(({ rule }) => rule === 'client:request-secrets'),
      { outcome: 'failed' },
      id,
    )
  }
})

t.test(
  'a client may try again once it has waited as Retry-After says, in seconds or until a date',
  async (t) => {
    const only = scenarios.flatMap(({ id, service }) =>
      (service?.token?.retryAtSeconds ?? service?.token?.headers?.['Retry-After']) ? [id] : [],
    )
    t.equal(only.length, 3)
    const report = await assayClient(clientWith({ retries: 2, waitMs: retryAfterMs }), { seed: 1, only })
    t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
    const first = clientWith({ retries: 1, before: ({ resourceUrl }) => fetch(resourceUrl) })
    t.strictSame(failedRules(await assayClient(first, { seed: 1, only })), ['client:refusal-retry'])
  },
)

t.test('a client may ask for the resource first, and sign in once that is refused', async (t) => {
  const client = clientWith({ before: ({ resourceUrl }) => fetch(resourceUrl) })
  const report = await assayClient(client, { seed: 1, only: ['client:request/*'] })
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
  const forgets = clientWith({ after: ({ resourceUrl }) => fetch(resourceUrl) })
  t.strictSame(failedRules(await assayClient(forgets, { seed: 1, only: ['client:request/*'] })), [
    'client:request-bearer',
  ])
})

t.test('a client that knows header names in one letter case alone', async (t) => {
  const client: TestedClient = async ({ url, userName: username, password }) => {
    const sent = request(`${url}/Token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    sent.end(`${new URLSearchParams({ grant_type: 'password', username, password })}`)
    const [answer] = await once(sent, 'response')
    answer.resume()
    const signedIn = answer.statusCode === 200 && answer.rawHeaders.includes('Content-Type')
    return { signedIn, how: 'it read the names' }
  }
  const report = await assessClient(client, {
    seed: 1,
    only: ['client:request/plain', 'client:answer/the-*'],
  })
  t.strictSame(failedRules(report), ['client:answer-delivery'])
  t.strictSame(
    report.results.flatMap(({ case: id, outcome }) => (outcome === 'failed' ? [id] : [])),
    ['client:answer/the-names-of-headers-are-in-lower-case'],
  )
})

t.test('a client that has given up is not one that waits, however long its answer goes on', async (t) => {
  const tested = clientWith({})
  const only = ['client:refusal/drip']
  const report = await assayClient(
    async (environment, signal) => {
      if (environment.scenario !== 'client:refusal/drip') return tested(environment, signal)
      const body = new URLSearchParams({
        grant_type: 'password',
        username: environment.userName,
        password: environment.password,
      })
      // Given up as soon as it has begun, while the service goes on for some two seconds.
      await fetch(`${environment.url}/Token`, { method: 'POST', body, signal })
      throw new Error('no answer')
    },
    { seed: 1, only, patienceMs: 1800 },
  )
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
})

t.test('a client that cannot be started again breaks no rule, and is not green', async (t) => {
  const tested = clientWith({ patienceMs: 5000 })
  const only = ['client:answer/*', 'client:refusal/*']
  for (const started of [2, 5, 20]) {
    let calls = 0
    const client: TestedClient = async (environment, signal) => {
      calls += 1
      if (calls > started) throw new AssayError('usage', 'the command x cannot be started (EAGAIN)')
      return { signedIn: await isSignedInBy(tested, environment, signal), how: 'resolved' }
    }
    const report = await assessClient(client, { seed: 1, runs: 5, only })
    t.strictSame([report.verdict, failedRules(report)], ['inconclusive', []], `after ${started}`)
    t.ok(report.results.some(({ reason }) => reason === 'the command x cannot be started (EAGAIN)'))
    t.equal(report.results.find(({ case: id }) => id === search.id)?.outcome, 'cantTell')
  }
})

t.test('a session may hold anything beside what is reported, and a date for a text', async (t) => {
  const only = scenarios.filter(({ rules }) => rules.includes('client:answer-reported')).map(({ id }) => id)
  const signIn = (session: (answer: Record<string, unknown>) => object) =>
    assayClient(clientWith({ reported: (answer) => session(answer) as SignInReport }), { seed: 1, only })
  const right = await signIn((answer) => {
    const own = {
      userName: answer.userName,
      expiresAt: new Date(String(answer['.expires'])),
      size: 1n,
      self: {},
    }
    own.self = own
    return own
  })
  t.strictSame([right.verdict, failedRules(right)], ['conformant', []])
  const nothing = await assayClient(
    async (...call) => {
      await clientWith({})(...call)
      // As a caller in plain JavaScript may.
      return null as never
    },
    { seed: 1, only: ['client:request/plain'] },
  )
  t.strictSame([nothing.verdict, failedRules(nothing)], ['conformant', []])
  const wrong = await signIn(() => ({ userName: 1n, expiresAt: {} }))
  t.strictSame([wrong.verdict, failedRules(wrong)], ['nonconformant', ['client:answer-reported']])
})

t.test('what a client sends when it asks again counts, whatever made it ask', async (t) => {
  const client = clientWith({
    retries: 1,
    refuses: async ({ status }) => status === 302,
    again: { body: () => '', mediaType: 'text/plain' },
  })
  const report = await assayClient(client, {
    seed: 1,
    only: ['client:request/plain', 'client:refusal/redirect'],
  })
  t.strictSame(failedRules(report), [
    'client:request-media-type',
    'client:request-grant_type',
    'client:request-username',
    'client:request-password',
  ])
})

t.test('what a client rejects with need not be readable', async (t) => {
  const only = ['client:refusal/4*']
  const report = await assayClient(
    (environment, signal) =>
      clientWith({})(environment, signal).catch(() => {
        throw Object.defineProperty(new Error(), 'message', { get: () => JSON.parse('') })
      }),
    { seed: 1, only },
  )
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
})

t.test('a client may reckon the expiry by its own clock, however long the token lives', async (t) => {
  const client = clientWith({
    reported: (answer) => ({ expiresAt: Math.floor(Date.now() / 1000) + Number(answer.expires_in) }),
  })
  const only = scenarios.filter(({ rules }) => rules.includes('client:answer-reported')).map(({ id }) => id)
  const report = await assayClient(client, { seed: 1, only })
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
  const judged = report.results.filter(({ judgements }) =>
    judgements.some(({ rule, outcome }) => rule === 'client:answer-reported' && outcome === 'passed'),
  )
  t.strictSame(
    judged.flatMap(({ case: id }) => (/lives-for/.test(id) ? [id] : [])),
    ['client:answer/the-token-lives-for-an-hour', 'client:answer/the-token-lives-for-a-century'],
  )
})

for (const [fault, { breaks: expected, ...changes }] of Object.entries(FAULTS))
  t.test(`a client that ${fault}`, async (t) => {
    // All scenarios: `client.long.test.ts`.
    const only = scenarios
      .filter(({ rules }) => rules.some((rule) => expected.includes(rule)))
      .map(({ id }) => id)
    const report = await assayClient(clientWith(changes), { seed: 1, only })
    t.strictSame(failedRules(report), expected)
    t.equal(report.verdict, 'nonconformant')
  })

t.test(
  'a token kept from an earlier call says nothing of the answers that the client did not ask for',
  async (t) => {
    const { breaks, ...changes } = CARELESS['keeps one token for ever'] ?? {}
    const only = ['client:request/*', 'client:refusal/401', 'client:answer/the-m*', 'client:wrong/no-token']
    const report = await assayClient(clientWith(changes), { seed: 1, only })
    t.strictSame([report.verdict, failedRules(report)], ['nonconformant', breaks])
    const [own] = report.results.flatMap(({ judgements }) =>
      judgements.filter(({ outcome }) => outcome === 'failed'),
    )
    t.match(own?.message, /a token that this service did not give/)
    const reasons = report.results.flatMap(({ case: id, judgements }) =>
      /^client:(answer|refusal\/401|wrong)/.test(id) ? judgements : [],
    )
    t.match(reasons[0]?.reason, /the client asked for no token, .* kept from an earlier call/)
    t.strictSame(new Set(reasons.map(({ outcome }) => outcome)), new Set(['cantTell']))
  },
)

t.test('a page of another origin may send what it asks for, and read every answer', async (t) => {
  const Origin = 'https://app.example'
  const seen: unknown[] = []
  const page: TestedClient = async ({ url, resourceUrl, userName: username, password }) => {
    const body = new URLSearchParams({ grant_type: 'password', username, password })
    const answer = await fetch(`${url}/Token`, { method: 'POST', headers: { Origin }, body })
    seen.push(answer.headers.get('access-control-allow-origin'))
    const { access_token: token } = Object(await answer.json())
    if (!answer.ok || token === undefined) return { signedIn: false, how: 'refused' }
    const asking = {
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    }
    const { ok, headers } = await fetch(resourceUrl, { method: 'OPTIONS', headers: { Origin, ...asking } })
    const allowed = ['origin', 'methods', 'headers'].map((what) =>
      headers.get(`access-control-allow-${what}`),
    )
    const use = await fetch(resourceUrl, { headers: { Origin, Authorization: `Bearer ${token}` } })
    seen.push(ok, ...allowed, use.headers.get('access-control-allow-origin'))
    return { signedIn: use.ok, how: 'done' }
  }
  // The controls are played too: they are answered 200 and 400.
  const only = ['client:request/plain', 'client:refusal/documented', 'client:wrong/no-token']
  const report = await assayClient(page, { seed: 1, only, concurrency: 1 })
  t.strictSame(failedRules(report), [], 'what a browser asks is no request of the client')
  const signsIn = ['*', true, '*', 'GET', 'authorization', '*']
  t.strictSame(seen, [...signsIn, '*', '*', '*'])
})

t.test('--only with a rule judges that rule alone, and searches only what it is about', async (t) => {
  const judged = ({ results }: Report) => [
    ...new Set(results.flatMap(({ judgements }) => judgements.map(({ rule }) => rule))),
  ]
  const rule = 'client:answer-members'
  const changes = FAULTS['finds the token by its place'] ?? {}
  const report = await assayClient(clientWith(changes), { seed: 1, runs: 5, only: [rule] })
  t.strictSame([judged(report), failedRules(report)], [[rule], [rule]])
  const plain = { seed: 1, runs: 3, only: ['client:request/plain'] }
  const skipping = await assayClient(clientWith({}), { ...plain, skip: ['client:request-once'] })
  t.equal(judged(skipping).includes('client:request-once'), false)
  t.ok(judged(skipping).includes('client:request-method'), 'its case is judged without it')
})

t.test(
  'what breaks a client only where two differences meet is found, and made as plain as it can be',
  async (t) => {
    const read: ClientParts['read'] = async (response) => {
      const text = await response.text()
      const answer = JSON.parse(text)
      if (text.includes('"userId"') && text.includes('"scope"')) throw new Error('too many members')
      if (response.status !== 200) throw new Error('refused')
      return answer
    }
    let calls = 0
    const client: TestedClient = async (environment, signal) => {
      calls += 1
      const signedIn = clientWith({ read })(environment, signal)
      return signedIn.then(
        () => ({ signedIn: true, how: 'resolved' }),
        () => ({ signedIn: false, how: 'rejected' }),
      )
    }
    const found = async (options: ClientOptions) => {
      const report = await assessClient(client, { ...options, reproduce: (replay) => replay })
      t.strictSame(failedRules(report), ['client:answer-members', 'client:answer-userId'])
      return report.results[0]?.judgements.find(({ outcome }) => outcome === 'failed')
    }
    const failure = await found({ seed: 3, runs: 60, only: [search.id] })
    t.match(failure, {
      message: 'the client breaks when there are the further members of Katana, and there is a `userId`',
      reproduce: /^client:answer\/any-legal-answer@3:/,
    })
    calls = 0
    const replay = parseClientReplay(failure?.reproduce ?? '')
    t.strictSame(parseClientReplay(`client/${failure?.reproduce}`), replay, 'as reports have it')
    const again = await found({ replay })
    t.equal(again?.message, failure?.message)
    t.equal(calls, 4, 'two controls, the answer that was found, and once more to show it')
  },
)

t.test('a client that goes on', async (t) => {
  // The end of a token takes its time: `expiry.long.test.ts`.
  const options = { seed: 1, longRunning: true, only: ['client:expiry/*'], skip: ['client:expiry/expired'] }
  const sessions = [{}, { isStale: () => true }, { renewals: 40 }]
  const reports = await Promise.all(sessions.map((faults) => assayClient(sessionWith(faults), options)))
  t.strictSame(
    reports.map((report) => [report.verdict, failedRules(report)]),
    [
      ['conformant', []],
      ['nonconformant', ['client:expiry-before-time']],
      ['nonconformant', ['client:expiry-storm']],
    ],
  )
})

t.test('a client that proves nothing is not judged', async (t) => {
  const cases: readonly (readonly [Parameters<typeof assayClient>[0], RegExp])[] = [
    [async () => undefined, /sent no request \(resolved\): does it use TOKEN_ASSAY_URL\?/],
    [
      async ({ url, resourceUrl }) => {
        await Promise.all([fetch(`${url}/Token`, { method: 'POST' }), fetch(resourceUrl)])
        throw new Error('never')
      },
      /a plain answer to right credentials does not sign the client in: rejected with never/,
    ],
    [
      async (environment, signal) => clientWith({})(environment, signal).catch(() => undefined),
      /the client reports a sign-in after a wrong password \(resolved\): fix that first/,
    ],
  ]
  for (const [client, reason] of cases) {
    const report = await assayClient(client, { only: ['client:answer/*', 'client:wrong/*'] })
    t.equal(report.verdict, 'inconclusive')
    t.strictSame(new Set(report.results.map(({ outcome }) => outcome)), new Set(['cantTell']))
    t.match(report.results[0]?.judgements[0]?.reason, reason)
  }
})

t.test(
  'a client that does not take the plain documented answer is wrong, and not judged further',
  async (t) => {
    for (const reported of [
      ({ expires_in }: Record<string, unknown>) => ({ userName: (expires_in as string).toUpperCase() }),
      (answer: Record<string, unknown>) => ({ userName: (answer['.issues'] as string).trim() }),
    ]) {
      const only = ['client:request/plain', 'client:answer/*']
      const report = await assayClient(clientWith({ reported }), { seed: 1, only })
      t.strictSame([report.verdict, failedRules(report)], ['nonconformant', ['client:answer-plain']])
      const [plain, ...others] = report.results
      t.match(
        plain?.judgements.find(({ outcome }) => outcome === 'failed'),
        { message: 'the client does not sign in with right credentials on a plain answer' },
      )
      t.strictSame(new Set(others.map(({ outcome }) => outcome)), new Set(['cantTell']))
    }
  },
)

t.test('a client that also sends what cannot be read is not green', async (t) => {
  const unread: Readonly<Record<string, RegExp | undefined>> = {
    'no request\r\n\r\n': /^the client also sent a request that was not read: HPE_INVALID_METHOD$/,
    'POST /Token HTTP/1.1\r\n\r\n': /: there is no Host$/,
    'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n': /: this is no proxy$/,
    'POST /Token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\npassword': /before the end of a request$/,
    'POST /Tok': /before the end of a request$/,
    'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /x': /before the end of a request$/,
    'GET http://alice:password@x/me HTTP/1.1\r\nHost: x\r\n\r\n': /: the URL has a user name or a password$/,
    '': undefined,
  }
  for (const [text, reason] of Object.entries(unread)) {
    const client: Parameters<typeof assayClient>[0] = async (environment, signal) => {
      const socket = connect(Number(new URL(environment.url).port), '127.0.0.1')
      await once(socket.resume().end(text), 'close')
      return clientWith({})(environment, signal)
    }
    const report = await assayClient(client, { only: ['client:answer-members'], runs: 1 })
    t.equal(report.verdict, reason === undefined ? 'conformant' : 'inconclusive', text)
    if (reason !== undefined) t.match(report.results[0]?.judgements[0]?.reason, reason)
  }
})

t.test('a request that is still open when its client ends is not green', async (t) => {
  for (const text of ['POST /Tok', 'POST /Token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\npassword']) {
    const client: Parameters<typeof assayClient>[0] = async (environment, signal) => {
      const socket = connect(Number(new URL(environment.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(text)
      return clientWith({})(environment, signal)
    }
    const report = await assayClient(client, { only: ['client:answer-members'], runs: 1 })
    t.equal(report.verdict, 'inconclusive', text)
    t.match(report.results[0]?.judgements[0]?.reason, /before the end of a request$/)
  }
})

t.test('a password in a trailer or in the name of a header is exposed', async (t) => {
  for (const text of [
    'Transfer-Encoding: chunked\r\n\r\n0\r\nX-Debug: PASSWORD\r\n\r\n',
    'X-PASSWORD: 1\r\n\r\n',
  ]) {
    const client: Parameters<typeof assayClient>[0] = async (environment, signal) => {
      const socket = connect(Number(new URL(environment.url).port), '127.0.0.1')
      const sent = `GET /log HTTP/1.1\r\nHost: x\r\n${text.replace('PASSWORD', environment.password)}`
      await once(socket.resume().end(sent), 'close')
      return clientWith({})(environment, signal)
    }
    const report = await assayClient(client, { only: ['client:request-secrets'], seed: 1 })
    t.strictSame(failedRules(report), ['client:request-secrets'], text)
  }
})

t.test('what a client still sends as it ends counts for its own user', async (t) => {
  const good = clientWith({})
  const client: Parameters<typeof assayClient>[0] = async (environment, signal) => {
    const { url, userName, password, resourceUrl, scenario } = environment
    if (scenario !== 'client:request/two-users') return good(environment, signal)
    const body = new URLSearchParams({ grant_type: 'password', username: userName, password })
    const answer = await fetch(`${url}/Token`, { method: 'POST', body })
    const { access_token: token } = (await answer.json()) as { readonly access_token: string }
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    const { pathname } = new URL(resourceUrl)
    const head = `GET ${pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    await new Promise((resolve) => socket.write(head, resolve))
    return undefined
  }
  const report = await assayClient(client, { only: ['client:request-account'], seed: 1 })
  t.strictSame([report.verdict, failedRules(report)], ['conformant', []])
})

t.test('a search that shows nothing is not green', async (t) => {
  const isSearch = ({ scenario }: { readonly scenario: string }) => scenario === search.id
  const good = clientWith({})
  const only = [search.id]
  const fails = await assayClient(
    async (environment, signal) => {
      if (isSearch(environment)) throw new Error('never')
      return good(environment, signal)
    },
    { only, runs: 2 },
  )
  t.match(fails, {
    verdict: 'inconclusive',
    results: [{ reason: /^a plain answer did not sign it in here/ }],
  })
  let searched = 0
  const busyOnce = await assayClient(
    async (environment, signal) => {
      if (isSearch(environment) && searched++ === 0) throw new Error('timed out')
      return good(environment, signal)
    },
    { only, runs: 2, seed: 1, concurrency: 1 },
  )
  t.match(busyOnce, {
    verdict: 'inconclusive',
    results: [{ reason: /did not sign the client in, and did when it was sent again$/ }],
  })
  const hangs = await assayClient(
    async (environment, signal) =>
      isSearch(environment) ? new Promise<undefined>(() => undefined) : good(environment, signal),
    { only, runs: 1, timeoutMs: 5000 },
  )
  t.match(hangs, { verdict: 'inconclusive', results: [{ reason: 'it did not end in 5 seconds' }] })
})

t.test('what a client reports may be any JSON, and what it sends may be secret', async (t) => {
  const odd: unknown = { toString: 1, valueOf: 1 }
  const report = await assayClient(
    async (environment, signal) => {
      const { url, userName: username, password } = environment
      await clientWith({})(environment, signal)
      await fetch(`${url}/other?api_key=canary-1`, { headers: { 'X-Auth-Token': 'canary-2' } })
      const form = { grant_type: 'password', username, password, client_secret: 'canary-3' }
      await fetch(`${url}/Token`, { method: 'POST', body: new URLSearchParams(form) })
      return { userName: odd, expiresAt: odd } as object
    },
    { only: ['client:answer-reported', 'client:request/plain'], skip: ['client:answer/*'] },
  )
  t.match(
    report.results
      .flatMap(({ judgements }) => judgements)
      .find(({ rule }) => rule === 'client:answer-reported'),
    { outcome: 'failed', actual: '{"toString":1,"valueOf":1}' },
  )
  t.match(JSON.stringify(report), 'client_secret=‹redacted›')
  t.notMatch(JSON.stringify(report), /canary/)
})

t.test('nothing that the service gave to a client is shown, wherever the client puts it', async (t) => {
  const script = `
    const { TOKEN_ASSAY_URL: url, TOKEN_ASSAY_USER_NAME: username, TOKEN_ASSAY_PASSWORD: password } = process.env
    const sign = async (fields, path = '/Token') => (await fetch(url + path, {
      method: 'POST', body: new URLSearchParams({ grant_type: 'password', username, password, ...fields }),
    })).json().catch(() => ({}))
    const { access_token: token } = await sign({})
    console.error('x'.repeat(170) + ' kept ' + token + ' for ' + password.toUpperCase())
    console.error(Buffer.from(password).toString('base64'))
    await sign({ username: token })
    await sign({}, '/' + token)
    console.log(JSON.stringify({ userName: { [token]: [password] }, expiresAt: token, signedIn: __SIGNED_IN__ }))
  `
  for (const signedIn of ['true', 'false']) {
    const tokens: string[] = []
    const run = commandClient(
      process.execPath,
      ['--input-type=module', '-e', script.replace('__SIGNED_IN__', signedIn)],
      30_000,
    )
    const report = await assessClient(run, {
      only: ['client:request/plain', 'client:refusal/wrong-password'],
      runs: 1,
    })
    for (const { judgements, reason } of report.results) {
      const shown = JSON.stringify([judgements, reason])
      tokens.push(...(shown.match(/[\w-]{40,}/g) ?? []).filter((text) => !/^x+$/.test(text)))
      const printed = judgements.filter(({ rule }) => rule !== 'client:request-password')
      t.notMatch(JSON.stringify([printed, reason]), /Correct-7-|Q29ycmVjdC03LWhvcnNlcw/i)
    }
    t.strictSame(tokens, [])
    t.match(JSON.stringify(report), '‹access token›')
  }
})

t.test('a secret in a header of a client is not shown where the client prints it', async (t) => {
  const script = `
    const headers = { 'X-Auth-Token': 'canary-one', Authorization: 'Basic ' + btoa('app:canary-two') }
    await fetch(process.env.TOKEN_ASSAY_URL + '/Token', { method: 'POST', headers, body: new URLSearchParams() })
    console.error('sent canary-one and canary-two')
    process.exitCode = 1
  `
  const run = commandClient(process.execPath, ['--input-type=module', '-e', script], 30_000)
  const report = await assessClient(run, { only: ['client:request/plain'], runs: 1 })
  t.match(JSON.stringify(report), 'sent ‹secret of the client› and ‹secret of the client›')
  t.notMatch(JSON.stringify(report), /canary/)
})

t.test('a command that is called after a stop is ended at once', async (t) => {
  const environment = {
    url: '',
    userName: '',
    password: '',
    resourceUrl: '',
    scenario: '',
    fetches: 1,
    concurrency: 1,
  }
  const end = await commandClient('sleep', ['60'], 60_000)(environment, AbortSignal.abort())
  t.match(end, { signedIn: false, problem: 'the run was stopped' })
})

t.test('every rule of clients is judged by a scenario', async (t) => {
  const judged = new Set(clientCases().flatMap(({ rules }) => rules))
  t.strictSame(
    clientRules().map(({ id }) => id),
    clientRules().flatMap(({ id }) => (judged.has(id) ? [id] : [])),
  )
  t.strictSame(
    [...judged].filter((rule) => !clientRules().some(({ id }) => id === rule)),
    [],
  )
  const ids = scenarios.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
})

t.test(
  'a client that says of each refusal that it is signed in is wrong, whatever the resource answers',
  async (t) => {
    const client: Parameters<typeof assayClient>[0] = async (
      { url, userName: username, password, resourceUrl },
      signal,
    ) => {
      const body = new URLSearchParams({ grant_type: 'password', username, password })
      const response = await fetch(`${url}/Token`, { method: 'POST', redirect: 'manual', body, signal })
      const { access_token: token } = (await response.json().catch(() => ({}))) as { access_token?: string }
      await fetch(resourceUrl, {
        headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
        signal,
      })
      return { signedIn: true }
    }
    const report = await assayClient(client, { seed: 1, only: ['client:request/*', 'client:refusal/4*'] })
    t.ok(failedRules(report).includes('client:refusal-other'), failedRules(report).join())
  },
)
