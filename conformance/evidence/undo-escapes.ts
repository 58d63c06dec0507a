import { type DecodedForm, FormWriter, utf8Of } from './decoded-form.js'

const MAX_PASSES = 3
const ESCAPES = /[%\\&\0]|~[01]|'"'/
const ESCAPE_CODES = new Set([0x25, 0x5c, 0x26, 0x7e, 0x27, 0])

/** A form with the escapes of URLs, JSON, JSON pointers, HTML and shells undone, as often as they are nested. */
export function undoEscapes(form: DecodedForm): DecodedForm {
  let undone = form
  for (let pass = 0; pass < MAX_PASSES && ESCAPES.test(undone.bytes); pass++) undone = undoOnce(undone)
  return undone
}

export function undoOnce({ bytes, starts, ends }: DecodedForm): DecodedForm {
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
  if (code === 0x7e) return tildeAt(bytes, at)
  if (code === 0x27) return quoteAt(bytes, at)
  return code === 0x26 ? entityAt(bytes, at) : [at + 1, []]
}

/** A quote that a shell reads inside quotes: they end before it, and begin anew. In JSON both have backslashes. */
const QUOTED_QUOTE = /^'(?:\\{1,15}''|\\{0,15}"'\\{0,15}"')/

function quoteAt(bytes: string, at: number): readonly [number, readonly number[]] {
  const match = /^'["\\]/.test(bytes.slice(at, at + 2)) ? QUOTED_QUOTE.exec(bytes.slice(at, at + 40)) : null
  return [at + (match?.[0].length ?? 1), [0x27]]
}

/** As in a JSON pointer. */
function tildeAt(bytes: string, at: number): readonly [number, readonly number[]] {
  const code = { 0: 0x7e, 1: 0x2f }[bytes.charAt(at + 1)]
  return code === undefined ? [at + 1, [0x7e]] : [at + 2, [code]]
}

/** `%41`, and `%2541`, where it was escaped again; `%u0041`, as JavaScript's `escape` and IIS write it. */
function percentAt(bytes: string, at: number): readonly [number, readonly number[]] {
  let next = at + 1
  while (bytes.startsWith('25', next)) next += 2
  const hex = bytes.slice(next, next + 2)
  if (isHex(hex, 2)) return [next + 2, [Number.parseInt(hex, 16)]]
  const units = /^u([\da-f]{4})(?:%u(d[c-f][\da-f]{2}))?/i.exec(bytes.slice(next, next + 11))
  if (units !== null) return pairAt(next + 5, Number.parseInt(units[1] ?? '', 16), units[2], next + 11)
  return [next, [0x25]]
}

/** A unit of UTF-16 that ends there, or a pair of them. */
function pairAt(
  end: number,
  unit: number,
  low: string | undefined,
  endOfPair: number,
): readonly [number, readonly number[]] {
  if (unit < 0xd800 || unit > 0xdbff || low === undefined) return [end, utf8Of(unit)]
  return [endOfPair, utf8Of(0x10000 + (unit - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00))]
}

const CONTROLS: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, f: 12, r: 13 }

/** An escape after any number of backslashes: JSON inside a string of JSON doubles them. Alone, they are dropped. */
function backslashAt(bytes: string, at: number): readonly [number, readonly number[]] {
  let next = at + 1
  while (bytes.charCodeAt(next) === 0x5c) next++
  const kind = bytes.charAt(next).toLowerCase()
  // Of Python, Ruby and Go.
  const long = /^U(00(?:0[\da-f]|10)[\da-f]{4})/i.exec(bytes.slice(next, next + 9))
  if (long !== null && bytes[next] === 'U') return [next + 9, utf8Of(Number.parseInt(long[1] ?? '', 16))]
  // Of PHP, Rust, Ruby and JavaScript, or of Perl.
  const braced = /^[ux]\{([\da-f]{1,6})\}/i.exec(bytes.slice(next, next + 9))
  if (braced !== null) return [next + braced[0].length, utf8Of(Number.parseInt(braced[1] ?? '', 16))]
  const digits = kind === 'u' ? 4 : kind === 'x' ? 2 : 0
  const hex = bytes.slice(next + 1, next + 1 + digits)
  if (digits > 0 && isHex(hex, digits)) {
    const unit = Number.parseInt(hex, 16)
    const end = next + 1 + digits
    if (digits === 2) return [end, [unit]]
    const low = /^\\+[uU]([dD][c-fC-F][0-9a-fA-F]{2})/.exec(bytes.slice(end, end + 16))
    return pairAt(end, unit, low?.[1], end + (low?.[0].length ?? 0))
  }
  const control = CONTROLS[kind]
  return control === undefined ? [next, []] : [next + 1, [control]]
}

/** The names that HTML has for ASCII, each with its character: PHP's `htmlentities` writes most of them. */
const NAMED = new Map(
  [
    'tab\t newline\n excl! quot" num# dollar$ percnt% apos\' lpar( rpar) ast* midast* plus+ comma, period. sol/',
    'colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ underbar_ grave`',
    'diacriticalgrave` lcub{ lbrace{ verbar| vert| verticalline| rcub} rbrace}',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => [name.slice(0, -1), name.charCodeAt(name.length - 1)] as const),
).set('nbsp', 0x20)
/** Browsers read a number without the semicolon, too. */
const ENTITY = new RegExp(
  `^(?:(?:#0*(\\d{1,7})|#x0*([0-9a-f]{1,6}));?|(${[...NAMED.keys()].join('|')});)`,
  'i',
)

function entityAt(bytes: string, at: number): readonly [number, readonly number[]] {
  const [end, point] = codePointAt(bytes, at)
  if (point === undefined) return [end, [0x26]]
  if (point < 0xd800 || point > 0xdbff || bytes.charCodeAt(end) !== 0x26) return [end, utf8Of(point)]
  // Java writes a character beyond 16 bits as two.
  const [endOfPair, low = 0] = codePointAt(bytes, end)
  if (low < 0xdc00 || low > 0xdfff) return [end, utf8Of(point)]
  return [endOfPair, utf8Of(0x10000 + (point - 0xd800) * 0x400 + (low - 0xdc00))]
}

/** What an entity stands for: undefined where there is none. */
function codePointAt(bytes: string, at: number): readonly [end: number, point?: number] {
  let next = at + 1
  while (bytes.slice(next, next + 4).toLowerCase() === 'amp;') next += 4
  const match = ENTITY.exec(bytes.slice(next, next + 40))
  if (match === null) return [next]
  const [all, decimal, hex, name] = match
  const end = next + all.length
  if (name !== undefined) return [end, NAMED.get(name.toLowerCase()) ?? 0]
  return [end, decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)]
}

function isHex(text: string, length: number): boolean {
  return text.length === length && /^[0-9a-fA-F]+$/.test(text)
}
