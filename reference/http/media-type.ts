const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quotedString = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"'
const essencePattern = new RegExp(`^(${token}/${token})`)
const parameterPattern = new RegExp(`[ \\t]*;[ \\t]*(?:(${token})=(${token}|${quotedString}))?`, 'y')

/** A `Content-Type` taken apart; names are in lower case, values unquoted. */
export interface ContentType {
  /** `type/subtype`. */
  readonly essence: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** Reads a `Content-Type` by RFC 9110 8.3.1; `undefined` when it is not one media type. */
export function parseMediaType(text: string): ContentType | undefined {
  const trimmed = withoutBlanks(text)
  const essence = essencePattern.exec(trimmed)?.[1]
  if (essence === undefined) return undefined

  const parameters: [string, string][] = []
  let at = essence.length
  while (at < trimmed.length) {
    parameterPattern.lastIndex = at
    const match = parameterPattern.exec(trimmed)
    if (match === null) return undefined
    const [, name, value] = match
    if (name !== undefined && value !== undefined) parameters.push([name.toLowerCase(), unquote(value)])
    at = parameterPattern.lastIndex
  }
  return { essence: essence.toLowerCase(), parameters }
}

/**
 * Whether a `Content-Type` names this media type. Other parameters are ignored, but a `charset` that is given
 * must be UTF-8, since the text is read as nothing else.
 */
export function isMediaType(contentType: string | undefined, essence: string): boolean {
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType)
  return (
    mediaType?.essence === essence &&
    mediaType.parameters.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8')
  )
}

/** Blanks at the end are looked for from their first one alone: a run of 16 KB within takes no quadratic time. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '')
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
}
