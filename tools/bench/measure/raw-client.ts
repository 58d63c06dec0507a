import { connect } from 'node:net'

/** A connection that sends any bytes at all. Bytes are texts, one a character. */
export interface RawConnection {
  /** Fulfilled when they have been handed to the system, or never will be. */
  send(bytes: string): Promise<void>
  /** Ends the client's side. */
  end(): void
  /** Takes nothing more from the system, until `resume`. */
  pause(): void
  resume(): void
  /** Gone, with a reset. Fulfilled when it is. */
  reset(): Promise<void>
  isOpen(): boolean
  /** Fulfilled when both sides are closed. */
  readonly closed: Promise<void>
}

/**
 * @param onBytes called with what comes back
 * @param silenceMs how long a server may be silent before it is given up; default: for ever
 */
export function openRawConnection(
  port: number,
  onBytes: (bytes: string) => void,
  silenceMs = 0,
): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  let isOpen = true
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isOpen = false
      resolve()
    }),
  )
  socket
    .setEncoding('latin1')
    .setTimeout(silenceMs, () => socket.destroy())
    .on('data', onBytes)
    // The server may end it while bytes are on their way: what has come back until then is what counts.
    .on('error', () => undefined)
    .on('end', () => socket.end())
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        void closed.then(resolve)
        socket.write(bytes, 'latin1', () => resolve())
      }),
    end: () => socket.end(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    reset() {
      socket.resetAndDestroy()
      return closed
    },
    isOpen: () => isOpen,
    closed,
  }
}

/** How a client sends its bytes and takes leave. */
export interface Manner {
  /** Where the bytes are divided into writes, in thousandths of their length. */
  readonly cuts?: readonly number[]
  /**
   * `half`: it ends its side once all is sent. `wait`: it keeps its side open. `reset`: it is gone with the last byte.
   */
  readonly leave: 'half' | 'wait' | 'reset'
}

/** Sends bytes, and gives all that comes back until the connection is closed. */
export async function sendRaw(port: number, bytes: string, { cuts = [], leave }: Manner): Promise<string> {
  let received = ''
  const connection = openRawConnection(port, (text) => {
    received += text
  })
  const places = cuts.map((cut) => Math.floor((bytes.length * cut) / 1000)).sort((one, other) => one - other)
  for (const [index, start] of [0, ...places].entries()) {
    await connection.send(bytes.slice(start, places[index]))
    // Each part is a packet of its own, and the server has a turn between.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (leave === 'half') connection.end()
  if (leave === 'reset') void connection.reset()
  await connection.closed
  return received
}

/** Sends a beginning and then one piece after the other, without end, until the server ends the connection. */
export async function trickle(port: number, beginning: string, piece: string): Promise<string> {
  let received = ''
  const connection = openRawConnection(port, (text) => {
    received += text
  })
  await connection.send(beginning)
  while (connection.isOpen()) {
    await connection.send(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return received
}
