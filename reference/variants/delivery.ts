import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Behaviour } from '../behaviour.js'
import { variants } from './row.js'

/** Answers that take another way to the same client. */
export const deliveryVariants = variants([
  {
    id: 'chunked',
    sentence: 'Answers are sent in chunks, without a length.',
    behaviour: () => ({ deliver: (answer) => ({ kind: 'answer', answer, framing: 'chunked' }) }),
  },
  {
    id: 'closes-without-a-word',
    sentence: 'Each connection ends after its first answer, which is not announced.',
    behaviour: () => ({ deliver: (answer) => ({ kind: 'answer', answer, hangUp: true }) }),
  },
  {
    id: 'announces-close',
    sentence: 'Each answer announces the end of its connection.',
    behaviour: () => ({ commonHeaders: () => [['Connection', 'close']] }),
  },
  {
    id: 'slow',
    sentence: 'Every answer takes 25 milliseconds.',
    behaviour: () => ({ deliver: (answer) => ({ kind: 'answer', answer, delayMs: 25 }) }),
  },
  {
    id: 'unevenly-slow',
    sentence: 'Every ninth answer takes 120 milliseconds: answers overtake each other.',
    behaviour: () => {
      let count = 0
      return { deliver: (answer) => ({ kind: 'answer', answer, delayMs: count++ % 9 === 0 ? 120 : 0 }) }
    },
  },
  {
    id: 'slow-store',
    sentence: 'A new account is stored 15 milliseconds after it was checked.',
    behaviour: () => ({ storesAfterMs: () => 15 }),
  },
  {
    id: 'gzip',
    sentence: 'Bodies are compressed by gzip.',
    behaviour: () => compressed('gzip', gzipSync),
  },
  {
    id: 'deflate',
    sentence: 'Bodies are compressed by deflate.',
    behaviour: () => compressed('deflate', deflateSync),
  },
  {
    id: 'brotli',
    sentence: 'Bodies are compressed by Brotli.',
    behaviour: () => compressed('br', brotliCompressSync),
  },
  {
    id: 'header-case',
    sentence: 'Header names are in other letter case, and media types have spaces and quotes.',
    behaviour: () => ({
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
    }),
  },
  {
    id: 'further-headers',
    sentence: 'Answers have the headers of Katana, cookies, and a header of 4 KB.',
    behaviour: () => ({
      commonHeaders: () => [
        ['Cache-Control', 'no-cache'],
        ['Pragma', 'no-cache'],
        ['Expires', '-1'],
        ['Set-Cookie', 'a=1; Path=/'],
        ['Set-Cookie', 'b=2; HttpOnly'],
        ['Access-Control-Allow-Origin', '*'],
        ['X-Padding', 'x'.repeat(4096)],
      ],
    }),
  },
  {
    id: 'no-date',
    sentence: 'Answers have no Date.',
    behaviour: () => ({ dateHeader: () => undefined }),
  },
  { id: 'ipv6', sentence: 'The service listens on IPv6.', options: { host: '::1' } },
  {
    id: 'base-path',
    sentence: 'The service lives below a path of its host.',
    options: { basePath: '/accounts/v2.1' },
  },
  {
    id: 'argon2id',
    sentence: 'Passwords are hashed by argon2id, as in production.',
    options: { hashing: 'argon2id' },
  },
])

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
