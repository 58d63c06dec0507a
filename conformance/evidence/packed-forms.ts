import { type DecodedForm, FormWriter, lazyForm } from './decoded-form.js'
import { undoEscapes, undoOnce } from './undo-escapes.js'

const MIN_RUN = 6

const PACKED = [
  { pattern: /[A-Za-z0-9+/_-]{6,}/g, offsets: 4, bits: 6, encoding: 'base64' },
  { pattern: /[0-9A-Fa-f]{6,}/g, offsets: 2, bits: 4, encoding: 'hex' },
] as const

/** What a form, JSON or HTML escapes; bytes that mean something else rarely look like it. */
const PACKED_ESCAPES = /%[\dA-Fa-f]{2}|\\["\\/bfnrtux]|&(?:#|[A-Za-z]+;)/

/** Runs of base64 (either alphabet) at the four offsets, and of hexadecimal digits at the two, decoded. */
export function packedForms(form: DecodedForm, shortest: number): readonly DecodedForm[] {
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
