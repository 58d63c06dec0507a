const NOTHING: Buffer = Buffer.alloc(0)
/** Larger room is given back once it is empty. */
const KEPT_ROOM = 4096

/** Bytes that come piece by piece, in room that doubles: a thousand pieces of one byte cost no more than they are long. */
export class HeldBytes {
  #room = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  /** A view: what is held later may overwrite it. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length)
  }

  add(bytes: Buffer): void {
    const length = this.#length + bytes.length
    if (length > this.#room.length) {
      const larger = Buffer.allocUnsafe(Math.max(256, 2 * length))
      this.#room.copy(larger, 0, 0, this.#length)
      this.#room = larger
    }
    bytes.copy(this.#room, this.#length)
    this.#length = length
  }

  clear(): void {
    this.#length = 0
    if (this.#room.length > KEPT_ROOM) this.#room = NOTHING
  }
}
