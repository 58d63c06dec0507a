import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

export type Decoded =
  | { readonly body: Uint8Array; readonly truncated: boolean }
  | { readonly failure: string }

/** More than these one after another is a trap, not a service. */
const maxCodings = 4

/**
 * Undoes the codings, last applied first, and never holds more than `maxBytes` of any step's output;
 * what goes beyond is cut. `cut`: the input itself is only a beginning.
 */
export async function decode(
  encoded: Uint8Array,
  codings: readonly string[],
  maxBytes: number,
  cut: boolean,
): Promise<Decoded> {
  if (codings.length > maxCodings) return { failure: `The body has more than ${maxCodings} content codings.` }
  let body = encoded
  let truncated = cut
  for (const coding of codings.toReversed()) {
    const decoder = decoderFor(coding, body, truncated)
    if (decoder === undefined) return { failure: 'The Content-Encoding is unknown.' }
    const step = await drain(decoder, body, maxBytes)
    if (step === undefined) return { failure: 'The body is not encoded as its Content-Encoding says.' }
    body = step.body
    truncated ||= step.truncated
  }
  return { body, truncated }
}

function decoderFor(coding: string, body: Uint8Array, cut: boolean): Transform | undefined {
  // A cut input has no proper end: what is there is flushed instead of refused.
  const options = cut ? { finishFlush: zlib.constants.Z_SYNC_FLUSH } : {}
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(options)
    case 'deflate':
      return hasZlibHeader(body) ? zlib.createInflate(options) : zlib.createInflateRaw(options)
    case 'br':
      return zlib.createBrotliDecompress(cut ? { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH } : {})
    case 'zstd': {
      const create: unknown = Reflect.get(zlib, 'createZstdDecompress')
      // Node has it from 22.15 on, its types for Node 20 do not; it is documented to return a Transform.
      return typeof create === 'function' ? (create() as Transform) : undefined
    }
    default:
      return undefined
  }
}

/** RFC 9110 8.4.1.2 means the zlib format, but bare deflate is sent under that name too. */
function hasZlibHeader(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

/** `undefined` where the bytes are broken. */
function drain(
  decoder: Transform,
  input: Uint8Array,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly truncated: boolean } | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= maxBytes) return
      resolve({ body: Buffer.concat(chunks, maxBytes), truncated: true })
      decoder.destroy()
    })
    decoder.on('error', () => resolve(undefined))
    decoder.on('end', () => resolve({ body: Buffer.concat(chunks, size), truncated: false }))
    decoder.end(input)
  })
}
