import { type DecodedForm, FormWriter, lazyForm } from './decoded-form.js'

/** A character with its marks. There may be very many marks: they are put in order part by part. */
const UNIT = /\P{M}?\p{M}{1,30}|\P{M}/gsu
const DOT_ABOVE = /\u0307/g

/**
 * What a text has in common with its upper and lower case, also those of Turkish, and with its normalised forms: `ß` and
 * `SS` are `ss`; `İ`, `ı` and `i` are `i`.
 */
export function foldText(text: string): string {
  return text.replace(UNIT, foldUnit)
}

function foldUnit(unit: string): string {
  // Upper case takes apart what lower case has no letters for.
  const folded = unit.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().normalize('NFKD')
  const plain = folded.replaceAll('ς', 'σ').replace(DOT_ABOVE, '')
  return plain.length < 2 ? plain : plain.replace(/\p{M}{2,}/gu, (marks) => [...marks].sort().join(''))
}

/** Characters beyond ASCII, as well-formed UTF-8. */
const BEYOND_ASCII =
  /(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+/g

/** A form with its characters beyond ASCII folded: the letter case of ASCII is folded where it is compared. */
export function foldedForm(form: DecodedForm): DecodedForm {
  const bytes = form.bytes.replace(BEYOND_ASCII, (run) =>
    foldRun(run)
      .map(({ folded }) => folded)
      .join(''),
  )
  if (bytes === form.bytes) return form
  return lazyForm(bytes, () => {
    const { starts, ends } = form
    const writer = new FormWriter(bytes.length)
    let at = 0
    const copyTo = (end: number): void => {
      for (; at < end; at++) writer.add(form.bytes.charCodeAt(at), starts[at] ?? 0, ends[at] ?? 0)
    }
    for (const { 0: run, index } of form.bytes.matchAll(BEYOND_ASCII)) {
      copyTo(index)
      for (const { length, folded } of foldRun(run)) {
        const [start = 0, end = 0] = [starts[at], ends[at + length - 1]]
        for (let place = 0; place < folded.length; place++) writer.add(folded.charCodeAt(place), start, end)
        if (folded === '') writer.extend(end)
        at += length
      }
    }
    copyTo(form.bytes.length)
    return writer.done()
  })
}

interface FoldedUnit {
  readonly length: number
  readonly folded: string
}

const MAX_KNOWN = 4096
const known = new Map<string, FoldedUnit>()

function foldRun(run: string): readonly FoldedUnit[] {
  return (Buffer.from(run, 'latin1').toString('utf8').match(UNIT) ?? []).map(foldedUnit)
}

function foldedUnit(unit: string): FoldedUnit {
  const before = known.get(unit)
  if (before !== undefined) return before
  const folded = Buffer.from(foldUnit(unit)).toString('latin1')
  const one = { length: Buffer.byteLength(unit), folded }
  if (known.size < MAX_KNOWN) known.set(unit, one)
  return one
}
