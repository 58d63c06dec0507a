import { specifiedBehaviour } from '../behaviour.js'
import { parseJsonObject } from '../http/json-body.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const right = 'application/x-www-form-urlencoded'
const { acceptsMediaType: specified } = specifiedBehaviour
const violates = ['4.1-content-type']

/** 4.1: which media types a token request may have. */
export const mediaTypeMutants: readonly Mutant[] = mutants([
  accepts('any-media-type', 'The Content-Type is not read.', () => true),
  also('no-media-type', 'A request without a Content-Type is taken for a form.', (type) => type === ''),
  also('plain-text', 'text/plain is taken for a form.', (type) => /^text\/plain\b/i.test(type)),
  also('octet-stream', 'application/octet-stream is taken for a form.', (type) =>
    type.startsWith('application/octet-stream'),
  ),
  also('media-type-prefix', 'A media type that begins with the right one is accepted.', (type) =>
    type.startsWith(right),
  ),
  also(
    'media-type-cut-short',
    'A media type of which the right one is the beginning is accepted.',
    (type) => right.startsWith(type) && type.length > 20,
  ),
  also('media-type-of-any-kind', 'What stands before the slash of the media type is not compared.', (type) =>
    /\/x-www-form-urlencoded$/i.test(type),
  ),
  also('media-type-anywhere', 'The right media type anywhere in the Content-Type suffices.', (type) =>
    type.includes(right),
  ),
  also(
    'media-type-with-underscores',
    'Underscores in the media type count as hyphens.',
    (type) => type.replaceAll('_', '-') === right,
  ),
  also(
    'media-type-suffix',
    'A structured syntax suffix after the right media type is ignored.',
    (type) => type.replace(/\+\w+$/, '') === right,
  ),
  accepts(
    'only-json-refused',
    'Every media type but JSON is taken for a form.',
    (type) => !/json/i.test(type),
  ),
  {
    id: 'json-accepted',
    sentence: 'Credentials in a JSON body are accepted.',
    violates,
    behaviour: () => ({
      acceptsMediaType: (type) => specified(type) || type === 'application/json',
      formBytes: ({ body, contentType }) =>
        contentType === 'application/json' ? formOf(Object.entries(parseJsonObject(body) ?? {})) : body,
    }),
  },
  {
    id: 'multipart-accepted',
    sentence: 'Credentials in a multipart body are accepted.',
    violates,
    behaviour: () => ({
      acceptsMediaType: (type) => specified(type) || isMultipart(type),
      formBytes: ({ body, contentType }) => (isMultipart(contentType) ? formOf(partsOf(body)) : body),
    }),
  },
  spelling('charset-refused', 'A media type with a charset is refused.', (type) => !type.includes(';')),
  spelling('media-type-case-counts', 'The media type must be in lower case.', (type) =>
    type.startsWith(right),
  ),
  spelling(
    'charset-case-counts',
    'A charset must be written `UTF-8`, in capitals.',
    (type) => !/charset=/i.test(type) || type.includes('UTF-8'),
  ),
])

function accepts(id: string, sentence: string, isAccepted: (type: string) => boolean): Row {
  return {
    id,
    sentence,
    violates,
    behaviour: () => ({ acceptsMediaType: (type) => isAccepted(type ?? '') }),
  }
}

/** The right one, and those. */
function also(id: string, sentence: string, isAccepted: (type: string) => boolean): Row {
  return accepts(id, sentence, (type) => specified(type) || isAccepted(type))
}

/** Not every spelling of the right one. */
function spelling(id: string, sentence: string, isAccepted: (type: string) => boolean): Row {
  return {
    ...accepts(id, sentence, (type) => specified(type) && isAccepted(type)),
    violates: ['4.1-content-type-spelling'],
  }
}

function isMultipart(type: string | undefined): boolean {
  return type?.startsWith('multipart/form-data') === true
}

function partsOf(body: Uint8Array): readonly (readonly [string, string])[] {
  const parts = Buffer.from(body)
    .toString()
    .matchAll(/name="(\w+)"\r\n\r\n([^\r]*)\r\n/g)
  return [...parts].map(([, name = '', value = '']) => [name, value])
}

function formOf(pairs: readonly (readonly [string, unknown])[]): Uint8Array {
  return Buffer.from(
    new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString(),
  )
}
