import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers that one client may have due. Node stops to read where they are not taken, but only after all requests that came
 * in one piece: thousands, each of which is kept until its answer has left.
 */
export const MAX_DUE = 200

/** The answers that have not left, in the order of their requests. */
export class DueAnswers {
  readonly #due = new WeakMap<Socket, Set<ServerResponse>>()

  of(socket: Socket): readonly ServerResponse[] {
    return [...(this.#due.get(socket) ?? [])]
  }

  add(socket: Socket, response: ServerResponse): void {
    const answers = this.#due.get(socket) ?? new Set()
    this.#due.set(socket, answers.add(response))
    response.once('finish', () => answers.delete(response))
  }

  isFull(socket: Socket): boolean {
    return (this.#due.get(socket)?.size ?? 0) >= MAX_DUE
  }
}
