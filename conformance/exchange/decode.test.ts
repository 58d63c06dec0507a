import zlib from 'node:zlib'
import t from 'tap'
import { decode } from './decode.js'
import { codingsOf } from './headers.js'

const text = Buffer.from('{"access_token":"é"}'.repeat(20))
const gzip = zlib.gzipSync(text)
const limit = 10_000

t.test('the codings of an answer', (t) => {
  t.strictSame(codingsOf([['Content-Type', 'text/plain']]), [])
  t.strictSame(codingsOf([['content-encoding', 'identity, ']]), [])
  t.strictSame(
    codingsOf([
      ['CONTENT-ENCODING', ' GZIP ,br'],
      ['Content-Encoding', 'identity,deflate'],
    ]),
    ['gzip', 'br', 'deflate'],
  )
  t.end()
})

t.test('codings are undone', async (t) => {
  const encoded: Record<string, readonly [bytes: Buffer, ...codings: string[]]> = {
    gzip: [gzip, 'gzip'],
    'x-gzip': [gzip, 'x-gzip'],
    'deflate in the zlib format': [zlib.deflateSync(text), 'deflate'],
    'bare deflate': [zlib.deflateRawSync(text), 'deflate'],
    br: [zlib.brotliCompressSync(text), 'br'],
    'a list, in the order of applying': [zlib.brotliCompressSync(gzip), 'gzip', 'br'],
    'four of them': [zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(gzip))), 'gzip', 'gzip', 'gzip', 'gzip'],
  }
  // Frame of RFC 8878 with one raw block: what it says needs no compressor to write.
  const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x02, 0x11, 0x00, 0x00, 0x6f, 0x6b])
  const known = 'createZstdDecompress' in zlib
  for (const [what, [bytes, ...codings]] of Object.entries(encoded))
    t.strictSame(await decode(bytes, codings, limit, false), { body: text, truncated: false }, what)
  t.strictSame(
    await decode(zstd, ['zstd'], limit, false),
    known ? { body: Buffer.from('ok'), truncated: false } : { failure: 'The Content-Encoding is unknown.' },
    'zstd, where this Node.js has it',
  )
})

t.test('what cannot be decoded is a failure', async (t) => {
  const damaged: Record<string, readonly [bytes: Buffer, ...codings: string[]]> = {
    'not what it says': [text, 'gzip'],
    'cut off': [gzip.subarray(0, 40), 'gzip'],
    'a wrong checksum': [Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8, 1)]), 'gzip'],
    'wrong order': [zlib.brotliCompressSync(gzip), 'br', 'gzip'],
    unknown: [gzip, 'compress'],
    'too many': [gzip, 'gzip', 'gzip', 'gzip', 'gzip', 'gzip'],
  }
  for (const [what, [bytes, ...codings]] of Object.entries(damaged)) {
    const decoded = await decode(bytes, codings, limit, false)
    t.match('failure' in decoded && decoded.failure, /^[A-Z].*\.$/, what)
  }
})

t.test('what is longer than the limit is cut', async (t) => {
  for (const encoded of [gzip, zlib.gzipSync(gzip)]) {
    const codings = encoded === gzip ? ['gzip'] : ['gzip', 'gzip']
    t.strictSame(await decode(encoded, codings, 100, false), { body: text.subarray(0, 100), truncated: true })
  }
  t.strictSame(await decode(gzip, ['gzip'], text.length, false), { body: text, truncated: false }, 'exactly')
  const beginning = await decode(gzip.subarray(0, 40), ['gzip'], limit, true)
  t.equal('truncated' in beginning && beginning.truncated, true, 'a cut input gives what it holds')
})
