import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { Behaviour } from '../../../reference/behaviour.js'
import { createClock } from '../../../reference/clock.js'
import { isActive } from '../../../reference/issued-token.js'
import { type ReferenceServerOptions, startReferenceServer } from '../../../reference/server.js'
import { readToken, signToken } from '../../../reference/signed-token.js'
import { tokenMembers } from '../../../reference/token-response.js'
import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import { rehearsal as isRehearsal } from '../../../spec/generated/validators/rehearsal.js'
import { serve } from '../../../tests/fixtures/serve.js'
import { freePorts } from '../../../tools/interop/listen.js'
import { resolveTarget } from '../../target/target.js'
import type { TargetInput } from '../../target/target-input.js'
import { startCutOver } from './fixtures/cut-over.js'
import { limitedChain, twice } from './fixtures/planted-fault.js'
import { rehearse } from './rehearse.js'

const OLD_KEY = 'the-key-of-the-old-service-1234567'
const NEW_KEY = 'the-key-of-the-new-service-1234567'
const ANN = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' }

interface Side {
  readonly url: string
  readonly restart: () => Promise<void>
}

/** A service whose restart is one at the same port, and whose time passes by waiting. */
async function startSide(t: Test, nowMs: () => number, options: ReferenceServerOptions): Promise<Side> {
  const [port = 0] = await freePorts(1)
  const start = () =>
    startReferenceServer({
      ...{ accounts: [ANN], hashing: 'fast', refreshTokens: true, protectedResource: true, port },
      ...options,
      clock: createClock(nowMs),
    })
  let server = await start()
  t.teardown(() => server.close(0))
  return {
    url: server.url,
    restart: async () => {
      await server.close(0)
      server = await start()
    },
  }
}

/** Rehearses with two services. */
async function rehearsePair(
  t: Test,
  old: ReferenceServerOptions,
  now: ReferenceServerOptions,
  declared: TargetInput = {},
  maxWaitMs = 15 * 86_400_000,
): Promise<Rehearsal> {
  let waitedMs = 0
  const nowMs = (): number => Date.now() + waitedMs
  const [first, second] = [await startSide(t, nowMs, old), await startSide(t, nowMs, now)]
  const target = resolveTarget({
    accounts: [ANN],
    resource: { path: '/me' },
    refresh: {},
    ...declared,
    deployments: { old: { baseUrl: first.url }, new: { baseUrl: second.url } },
  })
  const report = await rehearse(target, {
    maxWaitMs,
    clock: {
      now: () => performance.now() + waitedMs,
      wait: async (ms) => {
        waitedMs += ms
      },
    },
    restarts: new Map([
      ['old', first.restart],
      ['new', second.restart],
    ]),
  })
  t.ok(isRehearsal(report), JSON.stringify(isRehearsal.errors?.[0]))
  return report
}

const signed = (...keys: readonly string[]): ReferenceServerOptions => ({ tokens: { kind: 'signed', keys } })
const redIds = ({ cells }: Rehearsal): readonly string[] =>
  cells.flatMap(({ id, differs }) => (differs ? [id] : []))
const outcomes = ({ cells }: Rehearsal, prefix: string): readonly string[] =>
  cells.filter(({ id }) => id.startsWith(prefix)).map(({ when, outcome }) => `${when} ${outcome}`)

t.test('a refresh that the old service does not grant is no measure of the new one', async (t) => {
  const refresh = { capture: '/refreshToken' }
  const report = await rehearsePair(t, {}, { refreshTokens: false }, { refresh })
  t.equal(report.verdict, 'inconclusive')
  t.match(report.inconclusive.join(), /old→old.*refresh.*no token/)
})

/** Each sign-in ends the session before. */
function oneSession(): Partial<Behaviour> {
  let last: string | undefined
  return {
    signToken: (token, keys) => {
      last = token.issued.session
      return signToken(token, keys)
    },
    acceptsToken: (issued, nowMs) => isActive(issued, nowMs) && issued.session === last,
  }
}

t.test('another instance of such a service is no measure either', async (t) => {
  const [old, now] = [oneSession(), oneSession()]
  await using running = await startCutOver({
    old: twice([() => ({ ...signed(OLD_KEY), behaviour: old })]),
    new: twice([() => ({ ...signed(NEW_KEY), behaviour: now })]),
  })
  const { target, clock, restarts } = running
  const report = await rehearse(resolveTarget(target), { clock, restarts, maxWaitMs: 0 })
  t.equal(report.verdict, 'inconclusive', redIds(report).join())
})

t.test(
  'where each sign-in ends the session before, the old service is no measure of the new one',
  async (t) => {
    const behaviour = oneSession()
    const report = await rehearsePair(t, { ...signed(OLD_KEY), behaviour }, signed(NEW_KEY, OLD_KEY))
    t.strictSame(redIds(report), [])
    t.equal(report.verdict, 'inconclusive')
    t.match(report.inconclusive.join(), /^old→old, at-once, password: .* a further sign-in ends the session$/)
    const expect = { 'old→new': 'accepted' } as const
    const both = await rehearsePair(t, { ...signed(OLD_KEY), behaviour }, signed(NEW_KEY), { expect })
    t.strictSame(
      redIds(both).filter((id) => id.includes('password')),
      [],
      'its token may be no good anywhere',
    )
  },
)

t.test('a pair that is right: every cell is tried, by two grants', async (t) => {
  const report = await rehearsePair(t, signed(OLD_KEY), signed(NEW_KEY, OLD_KEY))
  t.equal(report.verdict, 'as-expected', report.inconclusive.join('\n'))
  t.equal(report.cells.length, 2 * 2 * 5 * 2)
  const life = (last: string) => [
    'at-once accepted',
    'issuer-restarted accepted',
    'acceptor-restarted accepted',
    'near-end accepted',
    `after-end ${last}`,
  ]
  for (const row of ['old→old', 'old→new', 'new→new'])
    t.strictSame(outcomes(report, row), [...life('refused'), ...life('refused')], row)
  t.ok(outcomes(report, 'new→old').every((text) => text.endsWith('refused')))
})

t.test('a key ring that a restart loses is red there, and nowhere else', async (t) => {
  const report = await rehearsePair(t, signed(OLD_KEY), { tokens: { kind: 'signed' } })
  t.strictSame(redIds(report), [
    'new→new, issuer-restarted, password',
    'new→new, acceptor-restarted, password',
    'new→new, issuer-restarted, refresh',
    'new→new, acceptor-restarted, refresh',
  ])
  const last = report.cells.find(({ id }) => id === 'new→new, issuer-restarted, refresh')
  t.match(last?.evidence, {
    sentence:
      'new refuses (401) a token that new issued for a refresh, after a restart of the issuer; expected: accepted, as the old service does (old→old, issuer-restarted, refresh)',
    exchanges: [{ label: 'sign-in' }, { label: 'refresh' }, { label: 'resource', response: { status: 401 } }],
    reproduce: /refresh_token="\$ASSAY_refreshToken".*ASSAY_token=.*Bearer '"\$ASSAY_token"/,
  })
})

t.test('a minute of skew is no difference; an hour is', async (t) => {
  const late = (ms: number): ReferenceServerOptions => ({
    ...signed(NEW_KEY),
    behaviour: { acceptsToken: ({ expiresAtMs }, nowMs) => nowMs + ms < expiresAtMs },
  })
  for (const ms of [60_000, -60_000])
    t.strictSame(redIds(await rehearsePair(t, signed(OLD_KEY), late(ms))), [])
  const [early, later] = [
    await rehearsePair(t, signed(OLD_KEY), late(3_600_000)),
    await rehearsePair(t, signed(OLD_KEY), late(-3_600_000)),
  ]
  t.strictSame(redIds(early), ['new→new, near-end, password', 'new→new, near-end, refresh'])
  t.strictSame(redIds(later), ['new→new, after-end, password', 'new→new, after-end, refresh'])
})

t.test('an old resource that accepts anything is no measure of a new one that does not', async (t) => {
  const old: ReferenceServerOptions = {
    ...signed(OLD_KEY),
    behaviour: {
      readToken: (token, keys, nowMs) =>
        readToken(token, keys) ?? {
          use: 'access',
          issued: { userName: ANN.userName, userId: ANN.userId, issuedAtMs: nowMs, expiresAtMs: nowMs },
        },
      acceptsToken: () => true,
    },
  }
  const report = await rehearsePair(t, old, signed(NEW_KEY))
  t.equal(report.verdict, 'inconclusive')
  t.strictSame(redIds(report), [])
  t.strictSame(report.inconclusive, ['old accepts a token that no one issued: check `resource`'])
})

t.test('an entry by a grant that no service declares is inconclusive, not green', async (t) => {
  const server = await startReferenceServer({ accounts: [ANN], hashing: 'fast', protectedResource: true })
  t.teardown(() => server.close(0))
  const declared = {
    accounts: [ANN],
    resource: { path: '/me' },
    deployments: { old: { baseUrl: server.url }, new: { baseUrl: server.url } },
  }
  const reportOf = (key: string, outcome: 'accepted' | 'any') =>
    rehearse(resolveTarget({ ...declared, expect: { [key]: outcome } }))
  for (const key of ['old→new, at-once, refresh', 'old→new, external']) {
    const { verdict, inconclusive } = await reportOf(key, 'accepted')
    t.equal(verdict, 'inconclusive', key)
    t.match(inconclusive, [`expect: \`${key}\`: no such token is tried`])
  }
  t.equal((await reportOf('old→new, refresh', 'any')).verdict, 'as-expected')
})

t.test('what is not declared, or too long to wait for, is not tried, and says so', async (t) => {
  const server = await startReferenceServer({ accounts: [ANN], hashing: 'fast', protectedResource: true })
  t.teardown(() => server.close(0))
  const baseUrl = server.url
  const target = resolveTarget({
    accounts: [ANN],
    resource: { path: '/me' },
    deployments: { old: { baseUrl }, new: { baseUrl, refresh: {} } },
    expect: { 'new→new, after-end, password': 'refused' },
  })
  const { cells, verdict, inconclusive } = await rehearse(target)
  const why = (id: string) => cells.find((cell) => cell.id === id)?.why
  t.match(why('old→old, issuer-restarted, password'), /^`restart` is not declared for old$/)
  t.match(
    why('old→old, after-end, password'),
    /^a token lives 14 days, and `--max-wait` is 120 s: give a deployment for tests a shorter token lifetime$/,
  )
  t.match(why('old→old, at-once, refresh'), /^`refresh` is not declared for old$/)
  t.match(
    why('new→new, at-once, refresh'),
    /the answer to the sign-in has no refresh token at \/refresh_token$/,
  )
  t.equal(verdict, 'inconclusive', 'an entry that asks for a cell which cannot be tried')
  t.match(inconclusive[0], /^new→new, after-end, password: not tried: a token lives 14 days/)
})

const redFacts = ({ facts }: Rehearsal): readonly string[] =>
  facts.flatMap(({ id, differs, value }) => (differs ? [`${id}: ${value}`] : []))

t.test('facts beside the table: those of a pair that is right, and each that differs', async (t) => {
  const origin = 'https://app.example'
  const more: ReferenceServerOptions = { cors: { origins: [origin] }, includesUserId: true }
  const declared: TargetInput = { origins: [origin], refresh: { lifetime: 2_592_000 } }
  const old = { ...signed(OLD_KEY), ...more }
  const now = { ...signed(NEW_KEY), ...more }
  const pair = (changed: ReferenceServerOptions) =>
    rehearsePair(t, old, { ...now, ...changed }, declared, 40 * 86_400_000)

  const right = await pair({})
  t.equal(right.verdict, 'as-expected', redFacts(right).join('\n'))
  const values = right.facts.filter(({ side }) => side === 'new').map(({ id, value }) => `${id}: ${value}`)
  t.strictSame(values, [
    'new, bad-token: refused (401)',
    'new, challenge: `WWW-Authenticate: Bearer`',
    'new, altered-token: refused',
    'new, refresh-rotation: gives a new refresh token',
    'new, refresh-members: all members survive',
    'new, refresh-twice: works once',
    'new, refresh-chain: works',
    'new, refresh-other: refuses that of old',
    `new, cors, a refused sign-in, ${origin}: allowed`,
    `new, cors, the sign-in, ${origin}: allowed`,
    `new, cors, the resource, ${origin}: allowed`,
    `new, cors, a preflight of the resource, ${origin}: allowed`,
    `new, cors, a refresh, ${origin}: allowed`,
    'new, refresh-restarted: works after a restart',
    'new, refresh-ended: is refused after its end',
  ])

  const inPath = await rehearsePair(
    t,
    old,
    now,
    { ...declared, resource: { path: '/me?t=$token', headers: { Authorization: 'Bearer $token' } } },
    40 * 86_400_000,
  )
  t.strictSame(
    inPath.facts.filter(({ side }) => side === 'new').map(({ id, value }) => `${id}: ${value}`),
    values,
    'with the token in the path',
  )

  const faults: readonly (readonly [ReferenceServerOptions, RegExp])[] = [
    [{ refreshTokens: { oneTime: false } }, /^new, refresh-twice: works twice$/],
    [{ refreshTokens: { rotation: false } }, /^new, refresh-rotation: a refresh gives no refresh token$/],
    [{ refreshTokens: { lifetime: 9e6 } }, /^new, refresh-ended: works after its end$/],
    [{ cors: { origins: ['https://other.example'] } }, /^new, cors, .*: not allowed$/],
    [
      {
        behaviour: {
          tokenMembers: (grant, kind) =>
            tokenMembers(grant).filter(([name]) => kind !== 'refresh' || name !== 'userId'),
        },
      },
      /^new, refresh-members: loses `userId`$/,
    ],
  ]
  for (const [changed, red] of faults) {
    const report = await pair(changed)
    t.equal(report.verdict, 'different')
    t.strictSame(redIds(report), [], 'no cell')
    for (const line of redFacts(report)) t.match(line, red)
  }
  const twice = await pair({ refreshTokens: { oneTime: false } })
  t.match(twice.facts.find(({ differs }) => differs)?.evidence, {
    sentence: 'new: a refresh token: works twice; the old service: works once',
    exchanges: [{ label: 'sign-in' }, { label: 'refresh', response: { status: 200 } }],
    reproduce: /refresh_token="\$ASSAY_refreshToken"/,
  })
  const limited = await pair({ behaviour: limitedChain() })
  t.equal(limited.verdict, 'inconclusive', 'too many requests are no refusal')
  t.match(limited.inconclusive, [/^new, refresh-chain: no token was issued: The service asked to wait/])
})

t.test('an altered token is as secret as the issued one, however a service echoes it', async (t) => {
  const echo: ReferenceServerOptions = {
    behaviour: {
      deliver: (answer, { path, headers }) => ({
        kind: 'answer',
        answer:
          path === '/me'
            ? { status: 200, headers: [], body: Buffer.from(headers.authorization ?? '').toString('hex') }
            : answer,
      }),
      newAccessToken: () => `Tok-${randomBytes(9).toString('base64url')}`,
    },
  }
  const report = await rehearsePair(t, {}, echo)
  const altered = report.facts.find(({ id }) => id === 'new, altered-token')?.evidence
  t.match(altered?.reproduce, / # cannot be run: what ‹…› stands for is not shown$/)
  t.notMatch(JSON.stringify(report), Buffer.from('Tok-').toString('hex'))
})

t.test('a revoked token that one service accepts still', async (t) => {
  const secret = 'a-secret-of-the-control-plane'
  const start = async (behaviour: ReferenceServerOptions['behaviour'] = {}) => {
    const server = await startReferenceServer({
      ...{ accounts: [ANN], hashing: 'fast', protectedResource: true, control: { secret }, behaviour },
    })
    t.teardown(() => server.close(0))
    const revoke = {
      url: `${server.controlUrl}/tokens/revoke`,
      headers: { Authorization: `Bearer ${secret}` },
      json: { token: '$token' },
    }
    return { baseUrl: server.url, revoke }
  }
  const [old, now] = [
    await start(),
    await start({ acceptsToken: ({ expiresAtMs }, nowMs) => nowMs < expiresAtMs }),
  ]
  const target = { accounts: [ANN], resource: { path: '/me' } }
  const right = await rehearse(resolveTarget({ ...target, deployments: { old, new: await start() } }))
  t.strictSame(redFacts(right), [])
  const report = await rehearse(resolveTarget({ ...target, deployments: { old, new: now } }))
  t.strictSame(redFacts(report), ['new→new, revoked-token: accepted'])
  t.notMatch(JSON.stringify(report), secret)
})

t.test('an answer that is followed by more shows nothing of a token', async (t) => {
  const raw = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        const body = bytes.includes('/me ') ? '' : GRANT
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}${body === '' ? '}' : ''}`,
        )
      }),
  )
  const baseUrl = `http://${await serve(t, raw)}`
  const deployments = { old: { baseUrl }, new: { baseUrl } }
  const target = resolveTarget({ accounts: [ANN], resource: { path: '/me' }, deployments })
  const { cells } = await rehearse(target, { maxWaitMs: 0 })
  t.ok(cells.some(({ why }) => why?.startsWith('Bytes that belong to no answer')))
  t.notOk(cells.some(({ outcome }) => outcome === 'accepted'))
})

const GRANT = JSON.stringify({
  access_token: 'a-token-of-any-service',
  token_type: 'bearer',
  expires_in: 3600,
})

t.test('`accepted` without a moment is for as long as the token lives', async (t) => {
  const survive = (key: string) =>
    rehearsePair(t, signed(OLD_KEY), signed(NEW_KEY, OLD_KEY), { expect: { [key]: 'accepted' } })
  const report = await survive('old→new')
  t.equal(report.verdict, 'as-expected')
  t.equal(report.cells.filter(({ expected }) => expected?.because.includes('old→new')).length, 8)
  t.strictSame(redIds(await survive('old→new, after-end')), [
    'old→new, after-end, password',
    'old→new, after-end, refresh',
  ])
})
