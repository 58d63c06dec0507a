import { HeldBytes } from './wire/held-bytes.js'

/** A stretch of what is read now; negative places are in what was held back before. */
interface Stretch {
  readonly from: number
  readonly to: number
}

const NOTHING: Buffer = Buffer.alloc(0)

/** What passes on of what a client sends: a head that has not ended is held back, since it may be refused or changed. */
export class PassingBytes {
  readonly #back = new HeldBytes()
  #changes: (Stretch & { readonly text: string })[] = []
  #end: number | undefined

  /** Bytes that have come and not passed. */
  get heldBack(): number {
    return this.#back.length
  }

  replace(stretch: Stretch, text: string): void {
    this.#changes.push({ ...stretch, text })
  }

  stopAt(place: number): void {
    this.#end ??= place
  }

  /** @param held how many bytes at the end are of a head that has not ended. @returns what passes now */
  pass(bytes: Buffer, held: number): Buffer {
    const before = this.#back.length
    if (before + held === 0 && this.#changes.length === 0 && this.#end === undefined) return bytes
    if (held > 0 && held === before + bytes.length) {
      this.#back.add(bytes)
      return NOTHING
    }
    const all = Buffer.concat([this.#back.bytes, bytes])
    const end = this.#end === undefined ? all.length - held : before + this.#end
    const parts: Buffer[] = []
    let done = 0
    for (const { from, to, text } of this.#changes.splice(0)) {
      parts.push(all.subarray(done, before + from), Buffer.from(text, 'latin1'))
      done = before + to
    }
    parts.push(all.subarray(done, end))
    this.#back.clear()
    this.#back.add(all.subarray(all.length - held))
    return Buffer.concat(parts)
  }
}
