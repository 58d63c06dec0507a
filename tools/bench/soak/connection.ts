import { openRawConnection, type RawConnection } from '../measure/raw-client.js'

/** One response, as far as the soak looks at it. */
export interface RawResponse {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A raw connection whose responses are read one by one. */
export interface Connection extends RawConnection {
  /** The next response; `undefined`: the connection has ended, or been silent for too long. */
  next(): Promise<RawResponse | undefined>
  /** Every further response until the server ends the connection. */
  rest(): Promise<readonly RawResponse[]>
}

/** @param silenceMs how long a server may be silent before it is given up */
export function openConnection(port: number, silenceMs: number): Connection {
  const responses: RawResponse[] = []
  let received = ''
  let wake = (): void => undefined
  const onBytes = (bytes: string): void => {
    received += bytes
    for (let read = readResponse(received); read !== undefined; read = readResponse(received)) {
      responses.push(read.response)
      received = received.slice(read.length)
    }
    wake()
  }
  const raw = openRawConnection(port, onBytes, silenceMs)
  void raw.closed.then(() => wake())
  const next = async (): Promise<RawResponse | undefined> => {
    while (responses.length === 0 && raw.isOpen())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return responses.shift()
  }
  return {
    ...raw,
    next,
    async rest() {
      const all: RawResponse[] = []
      for (let one = await next(); one !== undefined; one = await next()) all.push(one)
      return all
    },
  }
}

/** The first response in these bytes, and its length in them; `undefined` while it is not whole. */
function readResponse(
  bytes: string,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.slice(0, end)
  const length = end + 4 + Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < length) return undefined
  return { response: { status: Number(head.slice(9, 12)), head, body: bytes.slice(end + 4, length) }, length }
}
