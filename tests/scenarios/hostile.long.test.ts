import { pbkdf2 } from 'node:crypto'
import net from 'node:net'
import zlib from 'node:zlib'
import t, { type Test } from 'tap'
import {
  createExecutor,
  type Executor,
  type ExecutorOptions,
} from '../../conformance/drivers/send/transport/executor.js'
import { Semaphore } from '../../conformance/drivers/send/transport/request-queue.js'
import type { FailureKind, WireRequest } from '../../conformance/exchange/exchange.js'
import { serve } from '../fixtures/serve.js'

const request: WireRequest = {
  method: 'POST',
  path: '/Token',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: Buffer.from('grant_type=password'),
}
const valid = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\n{"a":1}'
const megabyte = 1024 * 1024

/** Milliseconds that are enough for every answer, on a busy machine too. */
const patience = 120_000
/** For what never comes; a good answer is to come in time all the same, on a busy machine too. */
const impatient = { timeoutMs: 3000 }

type Behave = (socket: net.Socket, path: string) => void

/** A server of raw sockets: `behave` is called once for each request, with nothing sent yet. */
async function hostile(t: Test, behave: Behave, options: Partial<ExecutorOptions> = {}): Promise<Executor> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const path = /^[A-Z]+ (\S+) HTTP/.exec(data.toString('latin1'))?.[1]
      if (path === undefined) return
      if (path === '/good') socket.write(valid)
      else behave(socket, path)
    })
  })
  const executor = createExecutor({
    origin: `http://${await serve(t, server)}`,
    timeoutMs: patience,
    headers: [],
    limit: new Semaphore(2),
    signal: new AbortController().signal,
    ...options,
  })
  t.teardown(() => executor.close())
  return executor
}

/** Expects the failure, a sentence for it, and an executor that is none the worse. */
async function fails(t: Test, executor: Executor, kinds: readonly FailureKind[], sent = request) {
  const { failure, response } = await executor.send(sent)
  t.ok(
    failure !== undefined && kinds.includes(failure.kind),
    `${failure?.kind} is one of ${kinds.join(', ')}`,
  )
  t.match(failure?.message, /^[A-Z][^\n]*\.$/, 'a sentence')
  t.equal(response, undefined)
  await stillGood(t, executor)
}

async function stillGood(t: Test, executor: Executor) {
  for (let count = 0; count < 2; count++) {
    const { response } = await executor.send({ ...request, path: '/good' })
    t.equal(response?.status, 200, 'later exchanges are unaffected')
    t.equal(String(response?.body), '{"a":1}')
  }
}

const invalid: Record<string, readonly [answer: string, ...kinds: FailureKind[]]> = {
  garbage: ['\x16\x03\x01 garbage\r\n\r\n', 'protocol'],
  'HTTP/0.9': ['<html>hello</html>', 'protocol'],
  'another protocol': ['SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
  'HTTP/2': ['HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n', 'protocol'],
  'a version there is none of': ['HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n', 'protocol'],
  'a status of letters': ['HTTP/1.1 abc OK\r\n\r\n', 'protocol'],
  'NUL bytes in a header': ['HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 0\r\n\r\n', 'protocol'],
  'NUL bytes alone': ['\0\0\0\0', 'protocol'],
  'a header without a name': ['HTTP/1.1 200 OK\r\n: b\r\nContent-Length: 0\r\n\r\n', 'protocol'],
  'a space before the colon': ['HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 0\r\n\r\n', 'protocol'],
  'a negative length': ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'protocol'],
  'a length of letters': ['HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n', 'protocol'],
  'a huge length': ['HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n', 'protocol'],
  'two lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'protocol'],
  'a length and chunks': [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'protocol',
  ],
  'a chunk of no size': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'protocol'],
  'a protocol switched unasked': [
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'protocol',
  ],
  'a switch to nothing': ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'protocol'],
  'a length too long, then silence': ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour', 'timeout'],
  'a chunk without end': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour', 'timeout'],
  'half a header': ['HTTP/1.1 200 OK\r\nContent-Le', 'timeout'],
  'interim answers alone': ['HTTP/1.1 102 Processing\r\n\r\n'.repeat(50), 'timeout'],
}

t.test('what is not HTTP/1.1', { jobs: 4 }, (t) => {
  for (const [what, [answer, ...kinds]] of Object.entries(invalid))
    t.test(what, async (t) => {
      const options = kinds.includes('timeout') ? impatient : {}
      await fails(t, await hostile(t, (socket) => socket.write(answer, 'latin1'), options), kinds)
    })
  t.end()
})

t.test('an answer cut off', async (t) => {
  const cut: Record<string, string> = {
    'a length too long': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour',
    'a length too long, closing': 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nfour',
    'a chunk cut off': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour',
    'a last chunk missing':
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n',
    'an interim answer alone': 'HTTP/1.1 103 Early Hints\r\n\r\n',
  }
  for (const [what, answer] of Object.entries(cut)) {
    t.comment(what)
    await fails(t, await hostile(t, (socket) => socket.end(answer)), ['incomplete'])
  }
})

t.test('an answer closed or reset at every byte', async (t) => {
  let length = 0
  const closing = await hostile(t, (socket) => socket.end(valid.slice(0, length)))
  const resetting = await hostile(t, (socket) => {
    if (length === 0) socket.resetAndDestroy()
    else socket.write(valid.slice(0, length), () => socket.resetAndDestroy())
  })
  for (; length < valid.length; length++) {
    const closed = await closing.send(request)
    t.equal(closed.failure?.kind, length === 0 ? 'reset' : 'incomplete', `closed after ${length}`)
    const reset = await resetting.send(request)
    t.match(reset.failure?.kind, length === 0 ? /^reset$/ : /^reset|incomplete$/, `reset after ${length}`)
    t.equal(closed.resent ?? reset.resent, undefined, 'not sent again')
  }
  await stillGood(t, closing)
  await stillGood(t, resetting)
})

t.test('a server that closes unannounced after every answer', async (t) => {
  const executor = await hostile(t, (socket) => socket.end(valid))
  for (let count = 0; count < 100; count++) {
    const { response, failure } = await executor.send(request)
    if (response?.status !== 200) t.fail(`exchange ${count}: ${failure?.message}`)
  }
  const many = await Promise.all(Array.from({ length: 100 }, () => executor.send(request)))
  t.ok(many.every(({ response }) => response?.status === 200))
})

t.test('silence, and too little too late', { jobs: 3 }, (t) => {
  t.test('nothing at all', async (t) => {
    await fails(t, await hostile(t, () => {}, impatient), ['timeout'])
  })
  t.test('a byte now and then', async (t) => {
    const executor = await hostile(
      t,
      (socket) => {
        let sent = 0
        const timer = setInterval(() => socket.write(valid.charAt(sent++)), 200)
        socket.on('close', () => clearInterval(timer))
      },
      impatient,
    )
    await fails(t, executor, ['timeout'])
  })
  t.test('a body without end, slowly', async (t) => {
    const executor = await hostile(
      t,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      },
      impatient,
    )
    await fails(t, executor, ['timeout'])
  })
  t.end()
})

/** Writes the same again and again, as long as it is taken; gives how much that was. */
function flood(socket: net.Socket, head: string, block: Buffer, bytes: number): () => number {
  let written = 0
  const more = () => {
    while (written < bytes && !socket.destroyed) {
      written += block.length
      if (!socket.write(block)) return
    }
  }
  socket.on('drain', more)
  socket.write(head)
  more()
  return () => written
}

t.test('more than is kept', async (t) => {
  const block = Buffer.alloc(64 * 1024, 'x')
  let taken = () => 0
  const heads = {
    'of 100 MB': `HTTP/1.1 200 OK\r\nContent-Length: ${100 * megabyte}\r\n\r\n`,
    'without end': 'HTTP/1.1 200 OK\r\n\r\n',
    'compressed, of 100 MB': `HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: ${100 * megabyte}\r\n\r\n`,
  }
  for (const [what, head] of Object.entries(heads)) {
    const executor = await hostile(t, (socket) => {
      taken = flood(socket, head, block, 100 * megabyte)
    })
    const { response, failure } = await executor.send(request)
    if (head.includes('br')) t.equal(failure?.kind, 'encoding', what)
    else {
      t.equal(failure, undefined)
      t.equal(response?.truncated, true, `a body ${what} is cut`)
      t.equal(response?.body.length, megabyte)
    }
    t.ok(taken() < 20 * megabyte, 'and not read further')
    await stillGood(t, executor)
  }
})

t.test('a compressed body is not read further while its decoding waits for a thread', async (t) => {
  let taken = () => 0
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: ${100 * megabyte}\r\n\r\n`
  const executor = await hostile(t, (socket) => {
    // The pool that hashes is the pool that decompresses.
    for (let count = 0; count < 16; count++) pbkdf2('x', 'x', 100_000, 64, 'sha512', () => {})
    taken = flood(socket, head, Buffer.alloc(64 * 1024, 'x'), 100 * megabyte)
  })
  await fails(t, executor, ['encoding'])
  t.ok(taken() < 20 * megabyte, `${taken() / megabyte} MB`)
})

t.test('a body of exactly the limit is whole', async (t) => {
  const executor = await hostile(
    t,
    (socket, path) => {
      const body = 'x'.repeat(Number(path.slice(1)))
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    },
    { maxBodyBytes: 1000 },
  )
  const whole = await executor.send({ ...request, path: '/1000' })
  t.equal(whole.response?.truncated, false)
  t.equal(whole.response?.body.length, 1000)
  const longer = await executor.send({ ...request, path: '/1001' })
  t.equal(longer.response?.truncated, true)
  t.equal(longer.response?.body.length, 1000)
})

t.test('a small body that decompresses to a gigabyte', async (t) => {
  // Members of a gzip file follow one another: a hundred of 10 MB each.
  const bomb = Buffer.concat(Array.from({ length: 100 }, () => tenMegabytes))
  const twice = zlib.gzipSync(bomb)
  t.ok(bomb.length < 1.1 * megabyte)
  const executor = await hostile(t, (socket, path) => {
    const body = path === '/twice' ? twice : bomb
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Encoding: ${path === '/twice' ? 'gzip, gzip' : 'gzip'}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body)
  })
  const before = process.memoryUsage().rss
  for (const path of ['/once', '/twice']) {
    const { response, failure } = await executor.send({ ...request, path })
    t.equal(failure, undefined)
    t.equal(response?.truncated, true)
    t.equal(response?.body.length, megabyte)
  }
  // Of two gigabytes; what the rest of this process does meanwhile is counted too.
  t.ok(process.memoryUsage().rss - before < 250 * megabyte, 'in bounded memory')
  await stillGood(t, executor)
})
const tenMegabytes = zlib.gzipSync(Buffer.alloc(10 * megabyte))

t.test('a compressed body that is too long already as it comes', async (t) => {
  const members = Buffer.concat(Array.from({ length: 120 }, () => tenMegabytes))
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${members.length}\r\n\r\n`
  const executor = await hostile(t, (socket) => {
    socket.write(head)
    socket.end(members)
  })
  for (let count = 0; count < 5; count++) {
    const { response, failure } = await executor.send(request)
    t.equal(failure, undefined)
    t.equal(response?.truncated, true)
    t.equal(response?.body.length, megabyte)
  }
})

t.test('a flood of headers', { jobs: 2 }, (t) => {
  const floods = { many: 'a: b\r\n'.repeat(1000), 'one long': 'x'.repeat(6000) }
  for (const [what, text] of Object.entries(floods))
    t.test(what, async (t) => {
      let taken = () => 0
      const executor = await hostile(t, (socket) => {
        taken = flood(socket, 'HTTP/1.1 200 OK\r\nA: ', Buffer.from(text), 100 * megabyte)
      })
      await fails(t, executor, ['protocol'])
      t.ok(taken() < 20 * megabyte)
    })
  t.end()
})

t.test('more than one answer', async (t) => {
  const answers = {
    'two at once': valid.repeat(2),
    'a length too short': valid.replace('7', '5'),
    'text after the answer': `${valid}\r\nHTTP/1.1 500`,
    'interim ones before': `HTTP/1.1 100 Continue\r\n\r\n${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3)}HTTP/1.1 100 Continue\r\nA: b\r\n\r\n${valid}`,
    'a hundred in a row': valid.repeat(100),
  }
  for (const [what, answer] of Object.entries(answers)) {
    const executor = await hostile(t, (socket) => socket.write(answer), { limit: new Semaphore(1) })
    const { response } = await executor.send(request)
    t.equal(response?.status, 200, what)
    t.equal(String(response?.body), answer.includes(': 5') ? '{"a":' : '{"a":1}')
    await stillGood(t, executor)
  }
})

t.test('interim answers one by one', async (t) => {
  const lines = ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', valid]
  const executor = await hostile(t, (socket) => {
    for (const [index, line] of lines.entries()) setTimeout(() => socket.write(line), 15 * index)
  })
  t.equal(String((await executor.send(request)).response?.body), '{"a":1}')
})

t.test('interim answers in pieces', async (t) => {
  const interim = 'HTTP/1.1 100 Continue\r\nA: b\r\n\r\n'
  const cuts = [3, 'HTTP/1.1 1'.length, 'HTTP/1.1 10'.length, interim.length - 3, interim.length + 11]
  for (const cut of cuts) {
    const executor = await hostile(t, (socket) => {
      const bytes = interim.repeat(2) + valid
      socket.write(bytes.slice(0, cut), () => setTimeout(() => socket.write(bytes.slice(cut)), 20))
    })
    t.equal(String((await executor.send(request)).response?.body), '{"a":1}', `cut at ${cut}`)
  }
})

t.test('a body that looks like an interim answer is left alone', async (t) => {
  const body = 'HTTP/1.1 100 Continue\r\n\r\n'
  const executor = await hostile(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`, () =>
      setTimeout(() => socket.write(body), 20),
    )
  })
  t.equal(String((await executor.send(request)).response?.body), body)
})

t.test('a connection closed while the request is being sent', async (t) => {
  const executor = await hostile(t, (socket) => socket.destroy())
  await fails(t, executor, ['reset'], { ...request, body: Buffer.alloc(30 * megabyte) })
})

t.test('an early answer to a long request', async (t) => {
  const executor = await hostile(t, (socket) => {
    socket.pause()
    socket.write('HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  const { response } = await executor.send({ ...request, body: Buffer.alloc(30 * megabyte) })
  t.equal(response?.status, 413)
  await stillGood(t, executor)
})

t.test('answers without a body', async (t) => {
  const answers: Record<string, readonly [method: string, answer: string]> = {
    HEAD: ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Encoding: gzip\r\n\r\n'],
    '204': ['POST', 'HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n'],
    '304': ['POST', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n'],
  }
  for (const [what, [method, answer]] of Object.entries(answers)) {
    const executor = await hostile(t, (socket) => socket.write(answer))
    const { response, failure } = await executor.send({ ...request, method })
    t.equal(failure, undefined, what)
    t.equal(response?.body.length, 0)
    await stillGood(t, executor)
  }
})

t.test('a redirect in a circle is an answer', async (t) => {
  let requests = 0
  const executor = await hostile(t, (socket) => {
    requests++
    socket.write('HTTP/1.1 307 Temporary Redirect\r\nLocation: /Token\r\nContent-Length: 0\r\n\r\n')
  })
  t.equal((await executor.send(request)).response?.status, 307)
  t.equal(requests, 1)
})

t.test('no service there', async (t) => {
  const options = {
    timeoutMs: patience,
    headers: [],
    limit: new Semaphore(2),
    signal: new AbortController().signal,
  }
  for (const origin of [
    'http://127.0.0.1:1',
    'http://localhost:1',
    'http://[::1]:1',
    'http://absent.invalid',
  ]) {
    const executor = createExecutor({ ...options, origin })
    t.teardown(() => executor.close())
    const exchanges = await Promise.all(Array.from({ length: 20 }, () => executor.send(request)))
    t.ok(
      exchanges.every(({ failure }) => failure?.kind === 'refused'),
      `${origin}: ${exchanges[0]?.failure?.message}`,
    )
    t.notOk(executor.silent)
  }
})
