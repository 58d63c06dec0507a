import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Knows of each connection whether a request has begun on it that has not ended. */
export interface OpenRequests {
  /** The head of a request was read. */
  add(message: IncomingMessage): void
  hasBegun(socket: Socket): boolean
}

export function createOpenRequests(): OpenRequests {
  /** Requests whose body has not ended. */
  const open = new WeakMap<Socket, number>()
  /** Bytes by the end of the last request: what has come since may be half a head. */
  const readUpTo = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: number): void =>
    void open.set(socket, (open.get(socket) ?? 0) + change)
  return {
    add(message) {
      const { socket } = message
      count(socket, 1)
      message.once('end', () => {
        count(socket, -1)
        readUpTo.set(socket, socket.bytesRead)
      })
    },
    hasBegun: (socket) => (open.get(socket) ?? 0) > 0 || socket.bytesRead > (readUpTo.get(socket) ?? 0),
  }
}
