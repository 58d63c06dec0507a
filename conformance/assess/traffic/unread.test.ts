import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { openRawConnection, sendRaw } from '../../../tests/fixtures/raw-client.js'
import { loginOf } from '../../../tests/fuzz/streams.js'
import { listen } from '../../../tools/interop/listen.js'
import { alice, startService } from '../../fixtures/service.js'
import { declaredAs, start } from './fixtures/start.js'

const LOGIN = loginOf(alice)
const GRANT = JSON.stringify({ access_token: 'an-opaque-token' })
const GRANTED = `HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=UTF-8\r\nContent-Length: ${GRANT.length}\r\n\r\n${GRANT}`
/** Judged of the plain answer alone, and passed by it. */
const ONLY = ['2.1-access_token', 'client:request-method']

/** A service that sends the next of these each time that bytes come, and then says so and sends nothing. */
async function scripted(
  t: Pick<Test, 'teardown'>,
  answers: readonly string[],
  onSilence: () => void = () => undefined,
) {
  const server = createServer({ noDelay: true }, (socket: Socket) => {
    const left = [...answers]
    socket.on('data', () => {
      const answer = left.shift()
      if (answer === undefined) onSilence()
      else socket.write(Buffer.from(answer, 'latin1'))
    })
    socket.on('error', () => undefined)
  })
  const running = await listen(server)
  t.teardown(() => running[Symbol.asyncDispose]())
  return running.url
}

/** Sends each part once all that is expected before has come back. */
async function talk(port: number, parts: readonly (readonly [sent: string, back: string])[]): Promise<void> {
  let received = ''
  let wake: () => void = () => undefined
  const connection = openRawConnection(port, (text) => {
    received += text
    wake()
  })
  for (const [sent, back] of parts) {
    await connection.send(sent)
    while (!received.endsWith(back))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  connection.end()
}

t.test('an answer that is not judged is never green', async (t) => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  const wrong = 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n'
  const bare = GRANTED.replaceAll('\r\n', '\n')
  const encoded = GRANTED.replace('Content-Length', 'Content-Encoding: gzip\r\nContent-Length')
  const body = `{"access_token":"an-opaque-token","x":"${'x'.repeat(2 ** 20)}"}`
  const long = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'
  const rows: readonly (readonly [name: string, answers: readonly string[], verdict: string])[] = [
    ['plain answers', [GRANTED, GRANTED], 'conformant'],
    ['a stray answer', [GRANTED + wrong, GRANTED], 'inconclusive'],
    ['a late 100 Continue', [GRANTED + interim, GRANTED], 'inconclusive'],
    ['heads with bare LF', [GRANTED, bare], 'inconclusive'],
    ['a body that is not the gzip that it says', [GRANTED, encoded], 'inconclusive'],
    ['a body of more than 1 MiB', [GRANTED, long], 'inconclusive'],
    ['an empty line before the first', [`\r\n${GRANTED}`, GRANTED], 'inconclusive'],
    ['an empty line after the first', [`${GRANTED}\r\n`, GRANTED], 'conformant'],
    ['an unasked 101', [GRANTED, switched], 'inconclusive'],
  ]
  for (const [name, answers, verdict] of rows) {
    const proxy = await start(t, await scripted(t, answers), { only: ONLY })
    await talk(
      proxy.port,
      answers.map((back) => [LOGIN, back] as const),
    )
    await proxy.close(0)
    const report = await proxy.report()
    t.equal(report.verdict, verdict, name)
    t.equal(
      report.results.find(({ case: id }) => id === 'client:traffic/token-request')?.outcome,
      'passed',
      'no client is blamed',
    )
    const allowing = await start(t, await scripted(t, answers), { only: ONLY, allowUnread: 2 })
    await talk(
      allowing.port,
      answers.map((back) => [LOGIN, back] as const),
    )
    await allowing.close(0)
    t.equal((await allowing.report()).verdict, 'conformant', `${name}, allowed`)
  }
})

t.test('a token request that is given up before an answer comes is unread', async (t) => {
  for (const leave of ['half', 'wait', 'reset'] as const) {
    let reach: () => void = () => undefined
    const isReached = new Promise<void>((resolve) => {
      reach = resolve
    })
    const proxy = await start(t, await scripted(t, [GRANTED], reach), { only: ONLY })
    let wake: () => void = () => undefined
    const connection = openRawConnection(proxy.port, () => wake())
    await connection.send(LOGIN)
    await new Promise<void>((resolve) => {
      wake = resolve
    })
    await connection.send(LOGIN)
    await isReached
    if (leave === 'half') connection.end()
    if (leave === 'reset') await connection.reset()
    await proxy.close(0)
    const report = await proxy.report()
    t.equal(report.verdict, 'inconclusive', leave)
    t.match(report.results.at(-1), { reason: /1 exchange of \d+ bytes: no answer came before/ })
    const { outcome } = report.results.find(({ case: id }) => id === 'client:traffic/token-request') ?? {}
    t.equal(outcome, 'passed', 'no client is blamed')
  }
})

t.test('an answer that the service does not finish is unread', async (t) => {
  for (const answer of [GRANTED.slice(0, -3), GRANTED.slice(0, 40)]) {
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end(answer)),
    )
    const running = await listen(server)
    t.teardown(() => running[Symbol.asyncDispose]())
    const proxy = await start(t, running.url, { only: ONLY })
    await sendRaw(proxy.port, LOGIN, { leave: 'wait' })
    await proxy.close(0)
    const report = await proxy.report()
    t.match(report.results.at(-1), {
      case: 'client:traffic/unread',
      reason: /1 exchange of \d+ bytes: the service ended/,
    })
  }
})

t.test('of what passes by, what got no whole answer is counted apart', async (t) => {
  const me = 'GET /me HTTP/1.1\r\nHost: x\r\n\r\n'
  const begun = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal'
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
  for (const [answers, apart] of [
    [[GRANTED, whole], undefined],
    [[GRANTED, begun], 1],
    [[GRANTED], 1],
  ] as const) {
    let reach: () => void = () => undefined
    const isReached = new Promise<void>((resolve) => {
      reach = resolve
    })
    const proxy = await start(t, await scripted(t, answers, reach), { only: ONLY })
    if (answers.length === 1) {
      const connection = openRawConnection(proxy.port, () => void connection.send(me))
      await connection.send(LOGIN)
      await isReached
      await connection.reset()
    } else
      await talk(proxy.port, [
        [LOGIN, GRANTED],
        [me, answers[1]],
      ])
    await proxy.close(0)
    const { observations, verdict } = await proxy.report()
    t.equal(verdict, 'conformant', 'no one is blamed')
    const line = `of these without a whole answer: ${apart}`
    t.match(
      observations[0]?.observed,
      new RegExp(`no token request: 1 \\(\\d+ bytes\\), ${apart === undefined ? 'unread: 0' : line}`),
    )
  }
})

t.test('an answer that yields a token is judged, whatever the request for it', async (t) => {
  const requests = [
    ...['/Token', '/token', '/Token/', '//Token', '/%54oken', '/Token?x', '/Token;x=1'].map((path) =>
      LOGIN.replace('/Token', path),
    ),
    LOGIN.replace('POST', 'OPTIONS'),
    LOGIN.replace('grant_type', 'Grant_Type'),
    LOGIN.replace('application/', ''),
  ]
  for (const request of requests) {
    // It has no `token_type`.
    const proxy = await start(t, await scripted(t, [GRANTED]), { only: ['2.1-token_type'] })
    await talk(proxy.port, [[request, GRANTED]])
    await proxy.close(0)
    t.equal((await proxy.report()).verdict, 'nonconformant', request)
  }
})

t.test(
  'a token for a form without grant_type breaks 4.1-R2, with no request of 4.1-R1 beside it',
  async (t) => {
    const nameless = LOGIN.replace('grant_type', 'grand_type')
    const proxy = await start(t, await scripted(t, [GRANTED]), { only: ['4.1-R2'] })
    for (const sent of [LOGIN, nameless]) await sendRaw(proxy.port, sent, { leave: 'half' })
    await proxy.close(0)
    t.equal((await proxy.report()).verdict, 'nonconformant')
  },
)

t.test('--only with a rule judges that rule alone', async (t) => {
  // It breaks 2.1-userName and others.
  const proxy = await start(t, await scripted(t, [GRANTED]), { only: ['2.1-access_token'] })
  await talk(proxy.port, [[LOGIN, GRANTED]])
  await proxy.close(0)
  const { results, verdict } = await proxy.report()
  t.equal(verdict, 'conformant')
  t.strictSame(
    new Set(results.flatMap(({ judgements }) => judgements.map(({ rule }) => rule))),
    new Set(['2.1-access_token']),
  )
  const skipping = await start(t, await scripted(t, [GRANTED]), { skip: ['2.1-userName', 'client:*'] })
  await talk(skipping.port, [[LOGIN, GRANTED]])
  await skipping.close(0)
  const { rules } = await skipping.report()
  t.equal(
    rules.some(({ id }) => id === '2.1-userName'),
    false,
  )
  t.equal(
    rules.find(({ id }) => id === '2.1-access_token')?.outcome,
    'passed',
    'its case is judged without it',
  )
})

t.test(
  'on loopback, a foreign Host and the page of another site are refused, and reach no service',
  async (t) => {
    let connections = 0
    const service = await startService(t, {})
    const url = await new Promise<string>((resolve) => {
      const server = createServer((socket) => {
        connections++
        socket.end()
      }).listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
      })
      t.teardown(() => server.close())
    })
    const foreign = LOGIN.replace('Host: x', 'Host: rebound.example:5080')
    const own = LOGIN.replace('Host: x', 'Host: 127.0.0.1:5080')
    const crossSite = own.replace('Host:', 'Sec-Fetch-Site: cross-site\r\nHost:')
    const long = `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: rebound.example\r\n\r\n`
    const troubles: string[] = []
    const proxy = await start(t, url, {
      allowHosts: [],
      rewriteHost: true,
      onTrouble: (message) => troubles.push(message),
    })
    for (const [sent, why] of [
      [foreign, /--allow-host rebound\.example/],
      [crossSite, /--allow-cross-site/],
      [long, /--allow-host NAME/],
    ] as const)
      for (const cuts of [[], [1, 50, 500]]) {
        const back = await sendRaw(proxy.port, sent, { cuts, leave: 'wait' })
        t.match(back, /^HTTP\/1\.1 403 Forbidden\r\n/)
        t.match(back, why)
      }
    await proxy.close()
    t.equal(connections, 0, 'nothing was opened, and no certificate was shown')
    t.equal(troubles.length, 3)
    const report = await proxy.report()
    t.match(report.observations[0]?.observed, /refused: 6, requests: 0.*unread: 0$/)
    t.match(report, { counts: { failed: 0, cantTell: 0 } })
    const allowing = await start(t, service.url, {
      declared: declaredAs(service.url),
      allowHosts: ['Rebound.example:80'],
      allowCrossSite: true,
    })
    for (const sent of [foreign, crossSite, own])
      t.match(await sendRaw(allowing.port, sent, { leave: 'half' }), /^HTTP\/1\.1 200 /)
  },
)
