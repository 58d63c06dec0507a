export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string
  /** Names in lower case; values unquoted; `charset` values in lower case, since charsets have no case. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*`)
const PARAMETER = new RegExp(
  `^;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*)"))?[ \\t]*`,
)

/** Parses a `Content-Type` value (RFC 9110 8.3.1); undefined where it is no valid media type. */
export function parseMediaType(value: string): MediaType | undefined {
  const essence = ESSENCE.exec(value)
  if (essence?.[1] === undefined) return undefined
  const parameters: [string, string][] = []
  let rest = value.slice(essence[0].length)
  while (rest !== '') {
    const match = PARAMETER.exec(rest)
    if (match === null) return undefined
    rest = rest.slice(match[0].length)
    const [, name, token, quoted] = match
    if (name === undefined) continue // RFC 9110 5.6.6 lets a list have empty parameters
    const raw = token ?? (quoted ?? '').replace(/\\(.)/g, '$1')
    const lower = name.toLowerCase()
    parameters.push([lower, lower === 'charset' ? raw.toLowerCase() : raw])
  }
  return { essence: essence[1].toLowerCase(), parameters }
}

/** One spelling for each media type, so that equal ones are equal strings. */
export function canonicalMediaType(value: string): string | undefined {
  const parsed = parseMediaType(value)
  if (parsed === undefined) return undefined
  const parameters = parsed.parameters.map(([name, text]) => `${name}=${JSON.stringify(text)}`).sort()
  return [parsed.essence, ...parameters].join(';')
}
