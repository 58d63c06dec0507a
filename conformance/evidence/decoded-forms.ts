/** A text as bytes, one character each, with the place in the text that each of them comes from. */
export interface DecodedForm {
  readonly bytes: string
  /** Where byte N begins and ends in the text. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const MIN_RUN = 6

/**
 * A text in the forms in which a secret may be spelled: as it is; with percent-, JSON- and HTML-escapes undone, however
 * often they are nested; as Latin-1; and what its runs of base64 and of hexadecimal digits stand for, at every offset, with
 * the escapes in it undone too.
 * Takes time in proportion to the text.
 * @param shortest bytes of the shortest secret: what is encoded in fewer is not decoded
 */
export function decodedForms(text: string, shortest: number): readonly DecodedForm[] {
  const raw = utf8Form(text)
  const read = [raw]
  const lower = text.toLowerCase()
  // The case of ASCII is folded when it is compared. A few letters change their length: their places would not fit.
  if (/[^\x00-\x7f]/.test(text) && lower.length === text.length) read.push(utf8Form(lower))
  if (/[\x80-\xff]/.test(text)) read.push(latin1Form(text))
  const unescaped = read.map(undoEscapes)
  const forms = unescaped.flatMap((form) => [form, ...packedForms(form, shortest)])
  // Without escapes a form is what it was.
  return [...new Set([...read, ...forms])]
}

/** A secret as its bytes, and with its escapes undone as those of the texts are. */
export function secretForms(secret: string): readonly string[] {
  const forms = [utf8Form(secret), utf8Form(secret.toLowerCase())]
  // Of ASCII, UTF-16 has the same bytes but for the zeros.
  const wide = /[^\x00-\x7f]/.test(secret) ? Buffer.from(secret, 'utf16le') : Buffer.alloc(0)
  const swapped = Buffer.from(wide).swap16()
  const utf16 = [wide, swapped].map((bytes) => bytes.toString('latin1').replaceAll('\0', ''))
  const bytes = forms.flatMap((form) => [form.bytes, undoEscapes(form).bytes])
  const all = [...bytes, ...utf16]
  // A backslash before an escaped zero, as of UTF-16 in JSON, is lost.
  const without = all.map((text) => text.replaceAll('\\', ''))
  return [...new Set([...all, ...without])].filter((text) => text !== '')
}

/** Letter case of ASCII, `+` for a space, and the zero bytes of UTF-16 make no difference. */
export function fold(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20
  return code === 0x2b ? 0x20 : code
}

class FormWriter {
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
function lazyForm(bytes: string, place: () => DecodedForm): DecodedForm {
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

function utf8Form(text: string): DecodedForm {
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

/** UTF-8 that was read as Latin-1, as header values are. */
function latin1Form(text: string): DecodedForm {
  const writer = new FormWriter(text.length)
  for (let at = 0; at < text.length; at++) writer.add(text.charCodeAt(at) & 0xff, at, at + 1)
  return writer.done()
}

function addPoint(writer: FormWriter, point: number, start: number, end: number): void {
  if (point < 0x80) writer.add(point, start, end)
  else for (const byte of Buffer.from(wellFormed(point), 'utf8')) writer.add(byte, start, end)
}

function wellFormed(point: number): string {
  return (point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd').toWellFormed()
}

const MAX_PASSES = 3
const ESCAPES = /[%\\&\0]/
const ESCAPE_CODES = new Set([0x25, 0x5c, 0x26, 0])

function undoEscapes(form: DecodedForm): DecodedForm {
  let undone = form
  for (let pass = 0; pass < MAX_PASSES && ESCAPES.test(undone.bytes); pass++) undone = undoOnce(undone)
  return undone
}

function undoOnce({ bytes, starts, ends }: DecodedForm): DecodedForm {
  const writer = new FormWriter(bytes.length)
  for (let at = 0; at < bytes.length; ) {
    const code = bytes.charCodeAt(at)
    if (!ESCAPE_CODES.has(code)) {
      writer.add(code, starts[at] ?? 0, ends[at] ?? 0)
      at++
      continue
    }
    const [end, codes] = unescapeAt(bytes, at, code)
    for (const one of codes) writer.add(one, starts[at] ?? 0, ends[end - 1] ?? 0)
    at = end
  }
  return writer.done()
}

/** Where the escape that begins there ends, and the bytes that it stands for. */
function unescapeAt(bytes: string, at: number, code: number): readonly [number, readonly number[]] {
  if (code === 0x25) return percentAt(bytes, at)
  if (code === 0x5c) return backslashAt(bytes, at)
  return code === 0x26 ? entityAt(bytes, at) : [at + 1, []]
}

/** `%41`, and `%2541`, where it was escaped again. */
function percentAt(bytes: string, at: number): readonly [number, readonly number[]] {
  let next = at + 1
  while (bytes.startsWith('25', next)) next += 2
  const hex = bytes.slice(next, next + 2)
  if (isHex(hex, 2)) return [next + 2, [Number.parseInt(hex, 16)]]
  return [next, [0x25]]
}

const CONTROLS: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, f: 12, r: 13 }

/** An escape after any number of backslashes: JSON inside a string of JSON doubles them. Alone, they are dropped. */
function backslashAt(bytes: string, at: number): readonly [number, readonly number[]] {
  let next = at + 1
  while (bytes.charCodeAt(next) === 0x5c) next++
  const kind = bytes.charAt(next)
  const digits = kind === 'u' ? 4 : kind === 'x' ? 2 : 0
  const hex = bytes.slice(next + 1, next + 1 + digits)
  if (digits > 0 && isHex(hex, digits)) {
    const unit = Number.parseInt(hex, 16)
    const end = next + 1 + digits
    if (digits === 2) return [end, [unit]]
    const low = /^\\+u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(bytes.slice(end, end + 16))
    const isPair = unit >= 0xd800 && unit <= 0xdbff && low?.[1] !== undefined
    if (!isPair) return [end, [...Buffer.from(wellFormed(unit), 'utf8')]]
    const point = 0x10000 + (unit - 0xd800) * 0x400 + (Number.parseInt(low[1] ?? '', 16) - 0xdc00)
    return [end + low[0].length, [...Buffer.from(wellFormed(point), 'utf8')]]
  }
  const control = CONTROLS[kind]
  return control === undefined ? [next, []] : [next + 1, [control]]
}

const ENTITY = /^(?:#0*(\d{1,7})|#[xX]0*([0-9a-fA-F]{1,6})|(quot|apos|lt|gt|nbsp));/
const NAMED: Readonly<Record<string, number>> = { quot: 0x22, apos: 0x27, lt: 0x3c, gt: 0x3e, nbsp: 0x20 }

function entityAt(bytes: string, at: number): readonly [number, readonly number[]] {
  let next = at + 1
  while (bytes.startsWith('amp;', next)) next += 4
  const match = ENTITY.exec(bytes.slice(next, next + 40))
  if (match === null) return [next, [0x26]]
  const [all, decimal, hex, name] = match
  const point =
    name === undefined
      ? decimal === undefined
        ? Number.parseInt(hex ?? '', 16)
        : Number(decimal)
      : (NAMED[name] ?? 0)
  return [next + all.length, [...Buffer.from(wellFormed(point), 'utf8')]]
}

function isHex(text: string, length: number): boolean {
  return text.length === length && /^[0-9a-fA-F]+$/.test(text)
}

const PACKED = [
  { pattern: /[A-Za-z0-9+/_-]{6,}/g, offsets: 4, bits: 6, encoding: 'base64' },
  { pattern: /[0-9A-Fa-f]{6,}/g, offsets: 2, bits: 4, encoding: 'hex' },
] as const

/** What a form, JSON or HTML escapes; bytes that mean something else rarely look like it. */
const PACKED_ESCAPES = /%[\dA-Fa-f]{2}|\\["\\/bfnrtux]|&(?:#|[A-Za-z]+;)/

/** Runs of base64 (either alphabet) at the four offsets, and of hexadecimal digits at the two, decoded. */
function packedForms(form: DecodedForm, shortest: number): readonly DecodedForm[] {
  return PACKED.flatMap(({ pattern, offsets, bits, encoding }) => {
    const needed = Math.max(MIN_RUN, Math.ceil((shortest * 8) / bits))
    const found = [...form.bytes.matchAll(pattern)].filter(([run]) => run.length >= needed)
    if (found.length === 0) return []
    return Array.from({ length: offsets }, (_, offset) => offset).flatMap((offset) => {
      const runs = found.filter(([run]) => run.length - offset >= needed)
      const decode = ({ 0: run }: RegExpExecArray): Buffer => Buffer.from(run.slice(offset), encoding)
      // What belongs to two runs is no secret.
      const bytes = runs.map((run) => `${decode(run).toString('latin1')}\xff`).join('')
      const decoded = lazyForm(bytes, () => {
        const writer = new FormWriter(bytes.length)
        const charsPerByte = 8 / bits
        for (const run of runs) {
          const last = run.index + run[0].length - 1
          for (const [place, byte] of decode(run).entries()) {
            const from = run.index + offset + Math.floor(place * charsPerByte)
            const to = Math.min(run.index + offset + Math.ceil((place + 1) * charsPerByte) - 1, last)
            writer.add(byte, form.starts[from] ?? 0, form.ends[to] ?? 0)
          }
          writer.add(0xff, form.starts[last] ?? 0, form.starts[last] ?? 0)
        }
        return writer.done()
      })
      if (PACKED_ESCAPES.test(bytes)) return [decoded, undoEscapes(decoded)]
      if (!bytes.includes('\0')) return [decoded]
      // UTF-16 in base64 or hex.
      const isEscaped = /[%\\&]/.test(bytes)
      return [isEscaped ? undoOnce(decoded) : lazyForm(bytes.replaceAll('\0', ''), () => undoOnce(decoded))]
    })
  })
}
