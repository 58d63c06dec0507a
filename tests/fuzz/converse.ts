import { connect } from 'node:net'

/** How a client sends its bytes and takes leave. */
export interface Manner {
  /** Where the bytes are divided into writes, in thousandths of their length. */
  readonly cuts?: readonly number[]
  /**
   * `half`: it ends its side once all is sent. `wait`: it keeps its side open. `reset`: it is gone with the last byte.
   */
  readonly leave: 'half' | 'wait' | 'reset'
}

/** Sends bytes, one a character, and gives all that comes back until the connection is closed. */
export function converse(port: number, bytes: string, { cuts = [], leave }: Manner): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: leave === 'half' })
    const received: Buffer[] = []
    socket
      .on('data', (chunk) => received.push(chunk))
      // The server may end the connection while bytes are on their way.
      .on('error', () => undefined)
      .on('end', () => socket.end())
      .on('close', () => resolve(Buffer.concat(received).toString('latin1')))
    const places = cuts
      .map((cut) => Math.floor((bytes.length * cut) / 1000))
      .sort((one, other) => one - other)
    const parts = [0, ...places].map((start, index) => bytes.slice(start, places[index]))
    const send = (index: number): void => {
      const part = parts[index]
      if (socket.destroyed) return
      if (part === undefined) {
        if (leave === 'half') socket.end()
        if (leave === 'reset') socket.resetAndDestroy()
        return
      }
      // Each part is a packet of its own, and the server has a turn between.
      socket.write(Buffer.from(part, 'latin1'), () => setImmediate(send, index + 1))
    }
    socket.once('connect', () => send(0))
  })
}

/** Sends a beginning and then one piece after the other, without end, until the server ends the connection. */
export function trickle(port: number, beginning: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const send = (): void => {
      if (socket.writable) socket.write(piece, () => setImmediate(send))
    }
    let received = ''
    socket
      .setEncoding('latin1')
      .on('data', (text) => {
        received += text
      })
      .on('error', () => undefined)
      .on('close', () => resolve(received))
      .once('connect', () => socket.write(beginning, send))
  })
}
