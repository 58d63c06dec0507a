/** A response, as it came; texts are bytes, one a character. */
export interface WireAnswer {
  readonly status: number
  /** By names in lower case; none of the server's may come twice. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Reads what a server sent as responses to these methods, one by one; interim responses are left out.
 * @throws Error where it is anything else.
 */
export function readAnswers(bytes: string, methods: readonly string[]): readonly WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = bytes
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`an answer is cut short: ${JSON.stringify(rest.slice(0, 200))}`)
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Z][\w ]+$/.exec(line)?.[1])
    if (Number.isNaN(status)) throw new Error(`not a status line: ${JSON.stringify(line)}`)
    const headers = readHeaders(lines)
    rest = rest.slice(end + 4)
    if (status === 100) continue
    const length = methods[answers.length] === 'HEAD' ? 0 : Number(headers.get('content-length'))
    // Every answer of the server says how long it is.
    if (!(rest.length >= length)) throw new Error(`a body is cut short: ${JSON.stringify(line)}`)
    answers.push({ status, headers, body: rest.slice(0, length) })
    rest = rest.slice(length)
  }
  return answers
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): ([\x20-\x7e]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`not a header: ${JSON.stringify(line)}`)
    if (headers.has(name.toLowerCase())) throw new Error(`a header is repeated: ${name}`)
    headers.set(name.toLowerCase(), value)
  }
  return headers
}
