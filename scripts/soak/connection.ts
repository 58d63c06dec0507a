import { connect } from 'node:net'

/** One answer, as far as the soak looks at it. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A raw connection, so that anything at all can be sent. Bytes are texts, one a character. */
export interface Connection {
  /** Fulfilled when they have been handed to the system, or never will be. */
  send(bytes: string): Promise<void>
  /** The next answer; `undefined`: the connection has ended, or been silent for too long. */
  next(): Promise<Answer | undefined>
  /** Every further answer until the server ends the connection. */
  rest(): Promise<readonly Answer[]>
  /** Ends the client's side. */
  end(): void
  /** Takes nothing more from the system, until asked to again. */
  pause(): void
  resume(): void
  /** Gone, with a reset. Fulfilled when it is. */
  reset(): Promise<void>
  isOpen(): boolean
}

/** @param silenceMs how long a server may be silent before it is given up */
export function openConnection(port: number, silenceMs: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  const answers: Answer[] = []
  let received = ''
  let isOpen = true
  let wake = (): void => undefined
  const closed = new Promise<void>((resolve) => socket.once('close', resolve))
  socket
    .setEncoding('latin1')
    .setTimeout(silenceMs, () => socket.destroy())
    .on('data', (text) => {
      received += text
      for (let read = readAnswer(received); read !== undefined; read = readAnswer(received)) {
        answers.push(read.answer)
        received = received.slice(read.length)
      }
      wake()
    })
    // The server may end it while bytes are on their way: what has come back until then is what counts.
    .on('error', () => undefined)
    .on('end', () => socket.end())
    .on('close', () => {
      isOpen = false
      wake()
    })

  const next = async (): Promise<Answer | undefined> => {
    while (answers.length === 0 && isOpen)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return answers.shift()
  }
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        void closed.then(resolve)
        socket.write(bytes, 'latin1', () => resolve())
      }),
    next,
    async rest() {
      const all: Answer[] = []
      for (let one = await next(); one !== undefined; one = await next()) all.push(one)
      return all
    },
    end: () => socket.end(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    reset() {
      socket.resetAndDestroy()
      return closed
    },
    isOpen: () => isOpen,
  }
}

/** The first answer in these bytes, and its length in them; `undefined` while it is not whole. */
function readAnswer(bytes: string): { readonly answer: Answer; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.slice(0, end)
  const length = end + 4 + Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < length) return undefined
  return { answer: { status: Number(head.slice(9, 12)), head, body: bytes.slice(end + 4, length) }, length }
}
