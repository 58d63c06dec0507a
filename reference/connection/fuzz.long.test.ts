import fc, { type Arbitrary } from 'fast-check'
import t, { type Test } from 'tap'
import { type Manner, sendRaw, trickle } from '../../tests/fixtures/raw-client.js'
import { abbreviate } from '../../tests/fuzz/abbreviate.js'
import { type FuzzedServer, startFuzzedServer } from '../../tests/fuzz/fuzzed-server.js'
import { type Allowances, judgeAnswers } from '../../tests/fuzz/judge-answers.js'
import { accounts, newOracleState } from '../../tests/fuzz/oracle-state.js'
import { damaged, hostileStream, loginOf, logins, noise, pipeline } from '../../tests/fuzz/streams.js'

const seed = Number(process.env.FUZZ_SEED ?? 20_240_216)
/** How much is sent: 1 takes some ten seconds of a processor. */
const effort = Number(process.env.FUZZ_EFFORT ?? 1)
const cuts = fc.array(fc.nat(1000), { maxLength: 4 })
/** How often each kind of answer came, in all attacks. */
const seen = new Map<string, number>()
const issued = new Set<string>()
const warnings: unknown[] = []
process.on('warning', (warning) => warnings.push(warning))

/** Sends streams, one at a time, to a server that knows nothing of the one before, and judges all that comes back. */
async function attack(
  t: Test,
  server: FuzzedServer,
  numRuns: number,
  streams: Arbitrary<string>,
  leave: Manner['leave'],
  may: Allowances = {},
): Promise<void> {
  const property = fc.asyncProperty(streams, cuts, async (sent, cuts) => {
    server.reset()
    const received = await sendRaw(server.port, sent, { cuts, leave })
    const { problem, kinds, tokens } = judgeAnswers(sent, received, newOracleState(), may)
    for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1)
    if (problem !== undefined) throw new Error(`${problem}\n  in ${abbreviate(received)}`)
    // Those that were rejected were not acted upon, nor was anything that came after the end.
    const acted = kinds.filter((kind) => !/^4(?:00|08|13|31)$/.test(kind)).length
    if (server.journal.entries().length !== acted)
      throw new Error('not all that was done was answered, or the reverse')
    for (const [token, userName] of tokens) {
      if (issued.has(token)) throw new Error('a token was given twice')
      issued.add(token)
      if (server.bearerOf(token)?.userName !== userName) throw new Error(`a token is not that of ${userName}`)
    }
  })
  const run = await fc.check(property, { seed, numRuns: Math.ceil(numRuns * effort) })
  // Not fast-check's own report: a counterexample may have 100,000 characters.
  const [sent = ''] = run.counterexample ?? []
  t.notOk(
    run.failed,
    `${run.errorInstance ?? ''}\n  sent ${abbreviate(sent)}\n  path ${run.counterexamplePath}`,
  )
  await assertSound(t, server)
}

/** Everybody can still log in, nothing has failed, and when the server stops no one is connected. */
async function assertSound(t: Test, server: FuzzedServer): Promise<void> {
  const sent = accounts.map(loginOf).join('')
  const { problem, kinds } = judgeAnswers(
    sent,
    await sendRaw(server.port, sent, { leave: 'half' }),
    newOracleState(),
  )
  t.strictSame([problem, kinds], [undefined, ['200', '200', '200']])
  t.strictSame([server.failures, warnings], [[], []])
}

/** Fulfilled when neither client nor server holds a connection; the ends of closed ones may need a turn or two. */
async function noConnections(): Promise<void> {
  while (process.getActiveResourcesInfo().includes('TCPSocketWrap'))
    await new Promise((resolve) => setImmediate(resolve))
}

t.test('every request of a pipeline is answered as it must be, in order', async (t) => {
  const server = await startFuzzedServer(t)
  await attack(t, server, 1200, pipeline, 'half')
  await server.close()
  await noConnections()
})

t.test('what damage makes of requests is answered by what it is', async (t) => {
  const server = await startFuzzedServer(t)
  await attack(t, server, 1500, damaged, 'half')
  await attack(t, server, 300, noise, 'half')
  await server.close()
  await noConnections()
})

t.test('a client that sends half a request, and waits, gets an answer in the end', async (t) => {
  const server = await startFuzzedServer(t, { headersTimeoutMs: 10, requestTimeoutMs: 10 })
  const unfinished = fc
    .tuple(
      pipeline,
      fc.constantFrom('P', 'POST /Token HTTP/1.1\r\nHost: x', loginOf(accounts[0]).slice(0, -1)),
    )
    .map((parts) => parts.join(''))
  await attack(t, server, 80, unfinished, 'wait', { late: true })
  t.ok((seen.get('408') ?? 0) > 5 * effort, 'told that it took too long')

  const slow = ['GET / HTTP/1.1\r\nX: ', loginOf(accounts[0]).replace(/\d+\r\n\r\n[\s\S]*/, '4000\r\n\r\n')]
  for (const start of slow) t.match(await trickle(server.port, start, 'x'), /^HTTP\/1\.1 408 /)
  await assertSound(t, server)
})

t.test('clients that are gone leave nothing behind', async (t) => {
  const server = await startFuzzedServer(t)
  const streams = fc.sample(hostileStream, { seed, numRuns: Math.ceil(400 * effort) })
  for (let at = 0; at < streams.length; at += 400) {
    const some = streams.slice(at, at + 400)
    await Promise.all(some.map((sent) => sendRaw(server.port, sent, { leave: 'reset' })))
    await assertSound(t, server)
  }
  const waiting = streams.slice(0, 100).map((sent) => sendRaw(server.port, sent, { leave: 'wait' }))
  // They are connected, and may have been answered, when the server stops.
  await assertSound(t, server)
  await server.close()
  await Promise.all(waiting)
  await noConnections()
})

t.test('under more than it takes on, every answer is still its own', async (t) => {
  const server = await startFuzzedServer(t, { hashing: 'argon2id' })
  await attack(t, server, 4, logins(120), 'half', { busy: true })
  t.ok((seen.get('503 temporarily_unavailable') ?? 0) > 0)
})

t.test('every answer that there is was drawn, many times', async (t) => {
  const kinds = [
    '200',
    '201',
    '400 unsupported_grant_type',
    '400 invalid_grant',
    '400 invalid_request',
    '400 errors',
  ]
  const all = [...kinds, '401 invalid_client', '404 not_found', '405 invalid_request', '413 invalid_request']
  for (const kind of [...all, '415 invalid_request', '400']) t.ok((seen.get(kind) ?? 0) >= 20 * effort, kind)
  t.ok((seen.get('431') ?? 0) > 0)
  t.strictSame(
    [...seen.keys()].filter((kind) => /^5/.test(kind)),
    ['503 temporarily_unavailable'],
  )
})
