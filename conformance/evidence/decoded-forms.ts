import { type DecodedForm, FormWriter, gapForm, latin1Form, lazyForm, utf8Form } from './decoded-form.js'
import { foldedForm, foldText } from './fold-text.js'
import { undoEscapes, undoOnce } from './undo-escapes.js'

/**
 * A text in the forms in which a secret may be spelled: as it is; with percent-, JSON- and HTML-escapes undone, however
 * often they are nested; as Latin-1; and what its runs of base64 and of hexadecimal digits stand for, at every offset, with
 * the escapes in it undone too. Each of them also without what letter case and normalisation change.
 * Takes time in proportion to the text.
 * @param shortest bytes of the shortest secret: what is encoded in fewer is not decoded
 */
export function decodedForms(text: string, shortest: number): readonly DecodedForm[] {
  if (text.length > MAX_KEPT) return formsOf(text, shortest)
  if (last.text !== text || last.shortest !== shortest)
    last = { text, shortest, forms: formsOf(text, shortest) }
  return last.forms
}

const MAX_KEPT = 4096

/** Kept because the redactors of a comparison look at each text in turn. */
let last: { readonly text: string; readonly shortest: number; readonly forms: readonly DecodedForm[] } = {
  text: '',
  shortest: 0,
  forms: [],
}

function formsOf(text: string, shortest: number): readonly DecodedForm[] {
  const utf8 = utf8Form(text)
  const read = IN_LATIN_1.test(utf8.bytes) ? [utf8, latin1Form(utf8)] : [utf8]
  const unescaped = read.map(undoEscapes)
  const [first = utf8] = unescaped
  // As Latin-1, and escaped then.
  if (first !== utf8 && IN_LATIN_1.test(first.bytes)) unescaped.push(latin1Form(first))
  const forms = [...read, ...unescaped.flatMap((form) => [form, ...packedForms(form, shortest)])]
  // Without escapes a form is what it was.
  return [...new Set(forms.flatMap((form) => [form, foldedForm(form)]))]
}

/** As UTF-8, a character up to U+00FF. */
const IN_LATIN_1 = /[\xc2\xc3]/

/** A secret as its bytes, with its escapes undone and folded as those of the texts are. */
export function secretForms(secret: string): readonly string[] {
  // In capitals `%ﬃ` has an escape.
  const texts = [secret, foldText(secret), secret.trim(), ...lossyForms(secret), ...misreadForms(secret)]
  const bytes = texts.flatMap((text) => {
    const form = utf8Form(text)
    return [form, undoEscapes(form)].flatMap((one) => [one.bytes, foldedForm(one).bytes])
  })
  const all = [...bytes, ...utf16Forms(secret)]
  // A backslash before an escaped zero, as of UTF-16 in JSON, is lost.
  const without = all.map((text) => text.replaceAll('\\', ''))
  return [...new Set([...all, ...without])].filter((text) => text !== '')
}

/** What is left of it where it was written as ASCII or Latin-1, without what these do not have: most of it. */
function lossyForms(secret: string): readonly string[] {
  if (!BEYOND_ASCII.test(secret)) return []
  const kept = [/[^\x00-\x7f]/gu, /[^\x00-\xff]/gu].map((lost) => secret.replace(lost, ''))
  const lossy = [Buffer.from(secret).toString('ascii'), Buffer.from(secret, 'latin1').toString('latin1')]
  // A year, or a word, is left of many.
  return [...kept.filter((text) => text !== secret && text.length >= MIN_ALONE), ...lossy]
}

const BEYOND_ASCII = /[^\x00-\x7f]/

/** A secret beyond ASCII with gaps for that, also where accents are apart: none where too little is left. */
export function gapPatterns(secret: string): readonly string[] {
  if (!BEYOND_ASCII.test(secret)) return []
  const texts = [secret, ...onceMisread(secret), ...inPairs(secret)]
  const patterns = texts
    .flatMap((text) => [text, text.normalize('NFD'), text.normalize('NFKD')])
    .flatMap((text) => gapForm(utf8Form(text))?.bytes ?? [])
  return [...new Set(patterns)].filter((bytes) => bytes.replace(/[^\x21-\x7e]/g, '').length >= MIN_KEPT)
}

const IN_PAIRS = ['gbk', 'big5', 'shift_jis', 'euc-kr'].map((encoding) => new TextDecoder(encoding))

/** As its UTF-8, or what is left of it in Latin-1, was read in encodings that make one character of two bytes: one may be a letter. */
function inPairs(secret: string): readonly string[] {
  const texts = [secret, secret.normalize('NFC'), secret.normalize('NFD')]
  const written = [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'latin1')]
  return written.flatMap((bytes) => IN_PAIRS.map((decoder) => decoder.decode(bytes)))
}

/** The bytes 80 to 9F in Windows-1252, which is what browsers and MySQL mean by Latin-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** As its UTF-8 is where it was read in Windows-1252, or twice, in either: texts are read as Latin-1 once themselves. */
function misreadForms(secret: string): readonly string[] {
  if (!BEYOND_ASCII.test(secret)) return []
  const once = onceMisread(secret)
  return [...once.slice(1), ...once.flatMap(onceMisread)]
}

/** As its UTF-8 is in Latin-1, and in Windows-1252. */
function onceMisread(secret: string): readonly [latin1: string, windows: string] {
  const latin1 = Buffer.from(secret).toString('latin1')
  const windows = latin1.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252.charAt(char.charCodeAt(0) - 0x80))
  return [latin1, windows]
}

/** Fewer characters say little of a secret: beside a gap, or where nothing shows that something is left out. */
const MIN_KEPT = 4
const MIN_ALONE = 8

/** Bytes of the shortest spelling with that form: `ΐ` has a third of what it is folded to. */
export function fewestBytes(form: string): number {
  return /[^\x00-\x7f]/.test(form) ? Math.ceil(form.length / 3) : form.length
}

/** In every letter case, which is not folded in them. Of ASCII, UTF-16 has the same bytes but for the zeros. */
function utf16Forms(secret: string): readonly string[] {
  const cases = [
    secret,
    foldText(secret),
    ...['en', 'tr'].flatMap((locale) => [secret.toLocaleUpperCase(locale), secret.toLocaleLowerCase(locale)]),
  ]
  return [...new Set(cases)].flatMap((text) => {
    if (!/[^\x00-\x7f]/.test(text)) return []
    const bytes = Buffer.from(text, 'utf16le')
    return [bytes, Buffer.from(bytes).swap16()].flatMap((each) => {
      const written = each.toString('latin1')
      return [written.replaceAll('\0', ''), undoEscapes(latin1Form(utf8Form(written))).bytes]
    })
  })
}

/** Letter case of ASCII, `+` for a space, and the zero bytes of UTF-16 make no difference. */
export function fold(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20
  return code === 0x2b ? 0x20 : code
}

const MIN_RUN = 6

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
