import type { RequestTemplate } from '../../../spec/model/case.js'
import { literal } from '../../../spec/model/literal.js'
import { isKnownName } from '../../evidence/parameter-names.js'
import { encodeFormText, namedSpelling } from '../../exchange/form.js'
import { isParameterName, parseForm } from '../../exchange/parse-form.js'
import { encodeUtf8 } from '../../exchange/utf8.js'
import { type RecordedValues, UNREADABLE } from './recorded-values.js'

/** A pair of a form: as it is spelled, and decoded; what cannot be decoded is as it is spelled. */
interface RecordedPair {
  readonly rawName: string
  readonly rawValue: string
  readonly name: string
  readonly value: string
  readonly isNamed: boolean
  readonly isDecodable: boolean
}

/** A form with an account of the target in place of the recorded one: spelled as it was, what is replaced too. */
export function recordedForm(
  text: string,
  values: RecordedValues,
): Pick<RequestTemplate, 'form' | 'spelling' | 'body'> {
  const pairs = text.split('&').flatMap((pair) => (pair === '' ? [] : pairOf(pair)))
  if (pairs.some(({ isNamed }) => !isNamed)) values.refuse('the name of a parameter cannot be decoded')
  if (pairs.some(({ name }) => !isParameterName(name))) values.refuse(UNREADABLE)
  const replaced = pairs.map((pair) => ({ ...pair, template: values.replace(pair.name, pair.value) }))
  // Nothing is in another's place: as it is, to the letter.
  if (replaced.every(({ template, value }) => template === literal(value))) return { body: literal(text) }
  const kept = replaced.flatMap(({ template, ...pair }) =>
    template === undefined ? [] : [{ ...pair, template, isOwn: template === literal(pair.value) }],
  )
  const words = [...(isPercent20(text) ? ['percent-20'] : []), ...(isLowerHex(text) ? ['lower-hex'] : [])]
  const usual = namedSpelling(words.join(' ') || 'as-written')
  const isUsual = kept.every(
    ({ rawName, rawValue, name, value, isOwn, isDecodable }) =>
      encodeFormText(name, usual) === rawName &&
      (!isOwn || (isDecodable && encodeFormText(value, usual) === rawValue)),
  )
  const spelling = (isUsual ? words : ['as-written', ...words]).join(' ')
  return {
    form: kept.map(({ rawName, rawValue, name, template, isOwn }): [string, string] =>
      isUsual ? [name, template] : [rawName, isOwn ? literal(rawValue) : template],
    ),
    ...(spelling === '' ? {} : { spelling }),
  }
}

/** Whether a name may be a secret: one that no form has, or without `=` and unknown, as a password that has `&` in it ends. */
export function mayNameSecret(text: string): boolean {
  return text.split('&').some((pair) => {
    const { name } = pairOf(pair)
    return !isParameterName(name) || (!/^$|=/.test(pair) && !isKnownName(name))
  })
}

/** The decoded pairs of a form. */
export function formPairs(text: string): readonly (readonly [name: string, value: string])[] {
  return text.split('&').flatMap((pair) => {
    if (pair === '') return []
    const { name, value } = pairOf(pair)
    return [[name, value] as const]
  })
}

function pairOf(pair: string): RecordedPair {
  const at = pair.includes('=') ? pair.indexOf('=') : pair.length
  const [rawName, rawValue] = [pair.slice(0, at), pair.slice(at + 1)]
  const [name, value] = [decoded(rawName), decoded(rawValue)]
  return {
    ...{ rawName, rawValue },
    name: name ?? rawName,
    value: value ?? rawValue,
    isNamed: name !== undefined,
    isDecodable: value !== undefined,
  }
}

function decoded(text: string): string | undefined {
  const [[, value = ''] = []] = parseForm(encodeUtf8(`x=${text}`)).pairs
  return value === '' && text !== '' ? undefined : value
}

function isPercent20(text: string): boolean {
  return text.includes('%20') && !text.includes('+')
}

function isLowerHex(text: string): boolean {
  const escapes = (text.match(/%[\da-f]{2}/gi) ?? []).join('')
  return /[a-f]/.test(escapes) && !/[A-F]/.test(escapes)
}
