import type { IncomingMessage } from 'node:http'
import { AssayError } from '../../spec/model/assay-error.js'

/** Bytes. */
const MAX_BODY = 512 * 1024

/** The values of a form, as the page's script sends them. */
export type FormValues = Readonly<Record<string, string>>

/** Reads the JSON of a form: an object of texts. @throws AssayError for anything else, and for more than a form holds */
export async function readForm(request: IncomingMessage): Promise<FormValues> {
  const refused = new AssayError('usage', 'expected the values of a form as JSON')
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) throw refused
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) throw new AssayError('usage', `expected at most ${MAX_BODY} bytes, found more`)
    chunks.push(chunk)
  }
  let value: unknown
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw new AssayError('usage', refused.message, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused
  const entries = Object.entries(value)
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw refused
  return Object.fromEntries(entries)
}
