import { parseMediaType } from '../http/media-type.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { nearMiss } from './near-miss.js'

/** Media types that clients send by mistake; any other is not quoted. */
const usual = new Set([
  'application/json',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'text/plain',
  'text/xml',
])

const charsets = new Set([
  'utf8',
  'us-ascii',
  'iso-8859-1',
  'latin1',
  'iso-8859-15',
  'windows-1252',
  'utf-16',
])

/** What is wrong with a `Content-Type` that should have named `wanted`. */
export function explainContentType({ contentType }: ReceivedRequest, wanted: string): string {
  const must = `it must be ${wanted}`
  if (contentType === undefined) return `there is no Content-Type: ${must}`
  if (contentType.trim() === '') return `the Content-Type is empty: ${must}`
  const mediaType = parseMediaType(contentType)
  if (mediaType === undefined)
    return contentType.includes(',')
      ? `there is more than one Content-Type: ${must}`
      : `the Content-Type cannot be read: ${must}`
  if (mediaType.essence === wanted) {
    const charset = mediaType.parameters.find(([name, value]) => name === 'charset' && !isUtf8(value))
    return charset === undefined
      ? `the Content-Type is not accepted: ${must}`
      : `the charset of the Content-Type ${nearMiss(charset[1], 'utf-8') ?? `is ${named(charset[1], charsets)}`}: it must be UTF-8, or absent`
  }
  return wanted.includes('urlencoded') && mediaType.essence.includes('urlencode')
    ? `the Content-Type is misspelt: ${must}`
    : `the Content-Type is ${named(mediaType.essence, usual)}: ${must}`
}

function named(text: string, known: ReadonlySet<string>): string {
  return known.has(text.toLowerCase()) ? text.toLowerCase() : 'another one'
}

/** The media type, where it can be shown without quoting what a client made up. */
export function shownMediaType(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined
  const essence = parseMediaType(contentType)?.essence
  return essence !== undefined && usual.has(essence) ? essence : '‹another›'
}

function isUtf8(charset: string): boolean {
  return charset.toLowerCase() === 'utf-8'
}
