/** The line and the headers of a request. */
export interface Head {
  readonly method: string
  readonly target: string
  readonly version: '1.0' | '1.1'
  /** By a name in lower case, in their order. */
  readonly valuesOf: (name: string) => readonly string[]
  /** RFC 9112 lets a server read it like this, or turn it away. */
  readonly maybe: boolean
  /** In bytes, the empty line included. */
  readonly length: number
}

const line = /^([!#$%&'*+.^_`|~\w-]+)([\t ]+)(\S+)([\t ]+)([A-Z]+)\/(1\.[01])$/
const header = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\s\S]*?)[\t ]*$/
const plainTarget = /^(?:\/[!-~]*|\*|https?:\/\/[\w.-]+(?::\d+)?(?:[/?][!-~]*)?)$/i
const plainHost = /^[\w.-]*(?::\d+)?$/

/** `undefined`: it is cut short, or must be rejected. */
export function readHead(bytes: string): Head | undefined {
  const end = /\r?\n\r?\n/.exec(bytes)
  if (end === null) return undefined
  const head = bytes.slice(0, end.index)
  const length = end.index + end[0].length
  // 2.2: a line may be let end without its CR. 5.2: a folded line may be unfolded.
  const unfolded = head.replace(/\r?\n[\t ]+/g, ' ')
  const [requestLine = '', ...lines] = unfolded.split(/\r?\n/)
  const [, method, gap, target, secondGap, protocol, version] = line.exec(requestLine) ?? []
  if (method === undefined || target === undefined) return undefined
  if (version !== '1.0' && version !== '1.1') return undefined
  if (!/^(?:[/*]|[A-Za-z]+:\/\/)[!-~\x80-\xff]*$/.test(target)) return undefined

  const headers: (readonly [name: string, value: string])[] = []
  for (const text of lines) {
    const [, name, value] = header.exec(text) ?? []
    if (name === undefined || value === undefined || /[\0\r]/.test(value)) return undefined
    headers.push([name.toLowerCase(), value])
  }
  const valuesOf = (name: string): readonly string[] =>
    headers.filter(([given]) => given === name).map(([, value]) => value)
  const hosts = valuesOf('host')
  if (hosts.length > 1 || (hosts.length === 0 && version === '1.1')) return undefined

  const strict =
    gap === ' ' &&
    secondGap === ' ' &&
    protocol === 'HTTP' &&
    plainTarget.test(target) &&
    unfolded === head &&
    !/(?<!\r)\n/.test(bytes.slice(0, length)) &&
    !headers.some(([, value]) => /[\x01-\x08\x0b-\x1f\x7f]/.test(value)) &&
    hosts.every((host) => plainHost.test(host)) &&
    // Limits are the server's own; it counts names, values and the target.
    length < 16_000
  return { method, target, version, valuesOf, maybe: !strict, length }
}
