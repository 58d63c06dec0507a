import { specifiedBehaviour } from '../../reference/behaviour.js'
import { parseJsonObject } from '../../reference/http/json-body.js'
import { breaking, type Mutant } from './mutant.js'
import type { Override } from './overrides.js'

const right = 'application/x-www-form-urlencoded'
const { acceptsMediaType: specified } = specifiedBehaviour
const violates = ['4.1-content-type']

/** 4.1: which media types a token request may have. */
export const mediaTypeMutants: readonly Mutant[] = [
  ...breaking(['4.1-R3'])({
    'header-names-in-one-case: The header Content-Type is read only in its usual letter case.': () => ({
      admit: ({ headerNames }) =>
        headerNames.some((name) => name !== 'Content-Type' && name.toLowerCase() === 'content-type')
          ? 'wrong-media-type'
          : undefined,
    }),
  }),
  ...breaking(violates)({
    'any-media-type: The Content-Type is not read.': accepts(() => true),
    'no-media-type: A request without a Content-Type is read as a form.': also((type) => type === ''),
    'plain-text: text/plain is read as a form.': also((type) => /^text\/plain\b/i.test(type)),
    'octet-stream: application/octet-stream is read as a form.': also((type) =>
      type.startsWith('application/octet-stream'),
    ),
    'media-type-prefix: A media type that begins with the right one is accepted.': also((type) =>
      type.startsWith(right),
    ),
    'media-type-cut-short: A truncated media type is accepted.': also(
      (type) => right.startsWith(type) && type.length > 20,
    ),
    'media-type-of-any-kind: The part of the media type before the slash is not compared.': also((type) =>
      /\/x-www-form-urlencoded$/i.test(type),
    ),
    'media-type-anywhere: A Content-Type that contains the right media type anywhere is accepted.': also(
      (type) => type.includes(right),
    ),
    'media-type-with-underscores: Underscores in the media type count as hyphens.': also(
      (type) => type.replaceAll('_', '-') === right,
    ),
    'media-type-suffix: A structured syntax suffix after the right media type is ignored.': also(
      (type) => type.replace(/\+\w+$/, '') === right,
    ),
    'only-json-refused: Every media type except JSON is read as a form.': accepts(
      (type) => !/json/i.test(type),
    ),
    'json-accepted: Credentials in a JSON body are accepted.': () => ({
      acceptsMediaType: (type) => specified(type) || type === 'application/json',
      formBytes: ({ body, contentType }) =>
        contentType === 'application/json' ? formOf(Object.entries(parseJsonObject(body) ?? {})) : body,
    }),
    'multipart-accepted: Credentials in a multipart body are accepted.': () => ({
      acceptsMediaType: (type) => specified(type) || isMultipart(type),
      formBytes: ({ body, contentType }) => (isMultipart(contentType) ? formOf(partsOf(body)) : body),
    }),
  }),
  ...breaking(['4.1-content-type-spelling'])({
    'charset-refused: A media type with a charset is refused.': spelling((type) => !type.includes(';')),
    'media-type-case-counts: The media type must be in lower case.': spelling((type) =>
      type.startsWith(right),
    ),
    'charset-case-counts: A charset must be written `UTF-8`, in capitals.': spelling(
      (type) => !/charset=/i.test(type) || type.includes('UTF-8'),
    ),
  }),
]

function accepts(isAccepted: (type: string) => boolean): Override {
  return () => ({ acceptsMediaType: (type) => isAccepted(type ?? '') })
}

/** The right one, and those. */
function also(isAccepted: (type: string) => boolean): Override {
  return accepts((type) => specified(type) || isAccepted(type))
}

/** Not every spelling of the right one. */
function spelling(isAccepted: (type: string) => boolean): Override {
  return accepts((type) => specified(type) && isAccepted(type))
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
