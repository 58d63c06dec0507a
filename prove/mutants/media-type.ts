import { specifiedBehaviour } from '../../reference/behaviour.js'
import { parseJsonObject } from '../../reference/http/json-body.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { passes, type TextTest } from './overrides.js'
import type { Override } from './rows.js'

const right = 'application/x-www-form-urlencoded'
const { acceptsMediaType: specified } = specifiedBehaviour
const violates = ['4.1-content-type']
const multipart = /^multipart\/form-data/

/** 4.1: which media types a token request may have. */
export const mediaTypeMutants: readonly Mutant[] = [
  ...breaking(['4.1-R3'], asIs, {
    'header-names-in-one-case: The header Content-Type is read only in its usual letter case.': {
      admit: ({ headerNames }) =>
        headerNames.some((name) => name !== 'Content-Type' && name.toLowerCase() === 'content-type')
          ? 'wrong-media-type'
          : undefined,
    },
  }),
  ...breaking(violates, also, {
    'any-media-type: The Content-Type is not read.': /^/,
    'no-media-type: A request without a Content-Type is read as a form.': /^$/,
    'plain-text: text/plain is read as a form.': /^text\/plain\b/i,
    'octet-stream: application/octet-stream is read as a form.': /^application\/octet-stream/,
    'media-type-prefix: A media type that begins with the right one is accepted.': (type) =>
      type.startsWith(right),
    'media-type-cut-short: A truncated media type is accepted.': (type) =>
      right.startsWith(type) && type.length > 20,
    'media-type-of-any-kind: The part of the media type before the slash is not compared.':
      /\/x-www-form-urlencoded$/i,
    'media-type-anywhere: A Content-Type that contains the right media type anywhere is accepted.': (type) =>
      type.includes(right),
    'media-type-with-underscores: Underscores in the media type count as hyphens.': (type) =>
      type.replaceAll('_', '-') === right,
    'media-type-suffix: A structured syntax suffix after the right media type is ignored.': (type) =>
      type.replace(/\+\w+$/, '') === right,
    'media-type-of-a-suffix: The right media type after a plus, as a structured syntax suffix, is accepted.':
      /^application\/[\w.]+\+x-www-form-urlencoded$/,
    'only-json-refused: Every media type except JSON is read as a form.': (type) => !/json/i.test(type),
  }),
  ...breaking(violates, asIs, {
    'json-accepted: Credentials in a JSON body are accepted.': {
      ...also(/^application\/json$/),
      formBytes: ({ body, contentType }) =>
        contentType === 'application/json' ? formOf(Object.entries(parseJsonObject(body) ?? {})) : body,
    },
    'json-in-camel-case: Credentials in a JSON body whose names are in camel case are accepted.': {
      ...also(/^application\/json\b/),
      formBytes: ({ body, contentType = '' }) => {
        if (!contentType.startsWith('application/json')) return body
        const { grantType, userName, password } = parseJsonObject(body) ?? {}
        return formOf([
          ['grant_type', grantType],
          ['username', userName],
          ['password', password],
        ])
      },
    },
    'multipart-accepted: Credentials in a multipart body are accepted.': {
      ...also(multipart),
      formBytes: ({ body, contentType = '' }) => (multipart.test(contentType) ? formOf(partsOf(body)) : body),
    },
  }),
  ...breaking(['4.1-R2'], asIs, {
    'json-under-the-media-type-of-a-form: A body that begins with a brace is read as JSON.': {
      formBytes: ({ body }) =>
        body[0] === 0x7b ? formOf(Object.entries(parseJsonObject(body) ?? {})) : body,
    },
  }),
  ...breaking(['4.1-content-type-spelling'], only, {
    'charset-refused: A media type with a charset is refused.': /^[^;]*$/,
    'media-type-case-counts: The media type must be in lower case.': (type) => type.startsWith(right),
    'charset-case-counts: A charset must be written `UTF-8`, in capitals.': (type) =>
      !/charset=/i.test(type) || type.includes('UTF-8'),
  }),
]

/** The right one, and those. */
function also(test: TextTest): Override {
  return { acceptsMediaType: (type) => specified(type) || passes(test, type ?? '') }
}

/** Not every spelling of the right one. */
function only(test: TextTest): Override {
  return { acceptsMediaType: (type) => specified(type) && passes(test, type ?? '') }
}

function partsOf(body: Uint8Array): readonly (readonly [string, string])[] {
  const parts = Buffer.from(body)
    .toString()
    .matchAll(/name="(\w+)"\r\n\r\n([^\r]*)\r\n/g)
  return [...parts].map(([, name = '', value = '']) => [name, value])
}

function formOf(pairs: readonly (readonly [string, unknown])[]): Uint8Array {
  const texts = pairs.map(([name, value]): [string, string] => [name, String(value)])
  return Buffer.from(new URLSearchParams(texts).toString())
}
