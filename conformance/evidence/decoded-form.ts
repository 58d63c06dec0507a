/** A text as bytes, one character each, with the place in the text that each of them comes from. */
export interface DecodedForm {
  readonly bytes: string
  /** Where byte N begins and ends in the text. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

export class FormWriter {
  #codes: Uint8Array
  #starts: Uint32Array
  #ends: Uint32Array
  #length = 0

  constructor(capacity: number) {
    this.#codes = new Uint8Array(capacity)
    this.#starts = new Uint32Array(capacity)
    this.#ends = new Uint32Array(capacity)
  }

  add(code: number, start: number, end: number): void {
    this.#codes[this.#length] = code
    this.#starts[this.#length] = start
    this.#ends[this.#length] = end
    this.#length++
  }

  /** The last byte stands for what follows it too. */
  extend(end: number): void {
    if (this.#length > 0) this.#ends[this.#length - 1] = end
  }

  done(): DecodedForm {
    return {
      bytes: Buffer.from(this.#codes.buffer, 0, this.#length).toString('latin1'),
      starts: this.#starts.subarray(0, this.#length),
      ends: this.#ends.subarray(0, this.#length),
    }
  }
}

/** Made once, as nearly every text is ASCII: its bytes are its characters. */
let identity = Uint32Array.from({ length: 4096 }, (_, at) => at)

function asciiForm(text: string): DecodedForm {
  const { length } = text
  if (identity.length <= length) identity = Uint32Array.from({ length: length * 2 }, (_, at) => at)
  return { bytes: text, starts: identity.subarray(0, length), ends: identity.subarray(1, length + 1) }
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}

/** Places are asked for only where something was found. */
export function lazyForm(bytes: string, place: () => DecodedForm): DecodedForm {
  let placed: DecodedForm | undefined
  const get = (): DecodedForm => {
    placed ??= place()
    return placed
  }
  return {
    bytes,
    get starts() {
      return get().starts
    },
    get ends() {
      return get().ends
    },
  }
}

export function utf8Form(text: string): DecodedForm {
  if (isAscii(text)) return asciiForm(text)
  const writer = new FormWriter(text.length * 3)
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0
    const end = at + (point > 0xffff ? 2 : 1)
    addPoint(writer, point, at, end)
    at = end
  }
  return writer.done()
}

/** With the characters up to U+00FF as bytes: UTF-8 that was read as Latin-1, as header values are. */
export function latin1Form({ bytes, starts, ends }: DecodedForm): DecodedForm {
  const writer = new FormWriter(bytes.length)
  for (let at = 0; at < bytes.length; ) {
    const [code, next] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1)]
    const isPair = (code === 0xc2 || code === 0xc3) && next >= 0x80 && next < 0xc0
    const end = at + (isPair ? 2 : 1)
    writer.add(isPair ? ((code & 3) << 6) | (next & 0x3f) : code, starts[at] ?? 0, ends[end - 1] ?? 0)
    at = end
  }
  return writer.done()
}

/** What is not ASCII, in whatever encoding it was read or written, and what stands for a letter that one does not have. */
const GAPS = /[\x80-\xfe?\x1a]+/g
const GAP = '\xfe'

/** With each run of that as one byte; undefined without any, as most texts are. */
export function gapForm(form: DecodedForm): DecodedForm | undefined {
  const { bytes } = form
  const without = bytes.replace(GAPS, GAP)
  if (!without.includes(GAP)) return undefined
  return lazyForm(without, () => {
    const { starts, ends } = form
    const writer = new FormWriter(without.length)
    let done = 0
    const addUntil = (end: number): void => {
      for (; done < end; done++) writer.add(bytes.charCodeAt(done), starts[done] ?? 0, ends[done] ?? 0)
    }
    for (const { 0: gap, index } of bytes.matchAll(GAPS)) {
      addUntil(index)
      done = index + gap.length
      writer.add(GAP.charCodeAt(0), starts[index] ?? 0, ends[done - 1] ?? 0)
    }
    addUntil(bytes.length)
    return writer.done()
  })
}

function addPoint(writer: FormWriter, point: number, start: number, end: number): void {
  if (point < 0x80) writer.add(point, start, end)
  else for (const byte of utf8Of(point)) writer.add(byte, start, end)
}

/** The bytes of a character; of half a surrogate pair, those of the replacement character. */
export function utf8Of(point: number): readonly number[] {
  const text = point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
  return [...Buffer.from(text.toWellFormed(), 'utf8')]
}
