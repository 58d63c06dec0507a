import { setTimeout as after } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Behaviour } from '../../reference/behaviour.js'
import { ON_HASHING } from '../../reference/embedded/embedded-deployments.js'
import { conforming, type Variant } from './variant.js'

/** Answers that take another way to the same client. */
export const deliveryVariants: readonly Variant[] = conforming({
  'chunked: Answers are sent in chunks, without a length.': {
    deliver: (answer) => ({ kind: 'answer', answer, framing: 'chunked' }),
  },
  'closes-without-a-word: Each connection closes unannounced after its first answer.': {
    deliver: (answer) => ({ kind: 'answer', answer, hangUp: true }),
  },
  'announces-close: Each answer has Connection: close.': {
    commonHeaders: () => [['Connection', 'close']],
  },
  'slow: Every answer takes 25 milliseconds.': {
    deliver: (answer) => ({ kind: 'answer', answer, delayMs: 25 }),
  },
  'unevenly-slow: Every ninth answer takes 120 milliseconds: answers overtake each other.': () => {
    let count = 0
    return { deliver: (answer) => ({ kind: 'answer', answer, delayMs: count++ % 9 === 0 ? 120 : 0 }) }
  },
  'cold-start: The first token request after the start gets 500, and no other does.': () => {
    let isCold = true
    return {
      deliver: (answer, { path }) => {
        const fails = isCold && path.endsWith('/Token')
        if (fails) isCold = false
        return { kind: 'answer', answer: fails ? { status: 500, headers: [], body: '' } : answer }
      },
    }
  },
  'slow-store: A new account is stored 15 milliseconds after it was checked.': {
    beforeStoring: () => after(15),
  },
  'gzip: Bodies are compressed by gzip.': compressed('gzip', gzipSync),
  'deflate: Bodies are compressed by deflate.': compressed('deflate', deflateSync),
  'brotli: Bodies are compressed by Brotli.': compressed('br', brotliCompressSync),
  'header-case: Header names have another letter case, and media types have spaces and quotes.': {
    deliver: (answer) => ({
      kind: 'answer',
      answer: {
        ...answer,
        headers: answer.headers.map(([name, value]) => [
          name.toUpperCase(),
          value.replace('application/json;charset=UTF-8', 'Application/JSON ; Charset="utf-8"'),
        ]),
      },
    }),
  },
  'further-headers: Answers have the headers of Katana, cookies, and a header of 4 KB.': {
    commonHeaders: () => [
      ['Cache-Control', 'no-cache'],
      ['Pragma', 'no-cache'],
      ['Expires', '-1'],
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; HttpOnly'],
      ['Access-Control-Allow-Origin', '*'],
      ['X-Padding', 'x'.repeat(4096)],
    ],
  },
  'no-date: Answers have no Date.': { dateHeader: () => undefined },
  'ipv6: The service listens on IPv6.': { behaviour: {}, options: { host: '::1' } },
  'base-path: The service has a base path.': { behaviour: {}, options: { basePath: '/accounts/v2.1' } },
  'argon2id: Passwords are hashed by argon2id, as in production.': {
    behaviour: {},
    options: { hashing: 'argon2id' },
    cases: ON_HASHING,
  },
})

function compressed(coding: string, compress: (bytes: Uint8Array) => Uint8Array): Partial<Behaviour> {
  return {
    deliver: (answer) => ({
      kind: 'answer',
      answer: {
        ...answer,
        headers: [...answer.headers, ['Content-Encoding', coding]],
        body: compress(Buffer.from(answer.body)),
      },
    }),
  }
}
