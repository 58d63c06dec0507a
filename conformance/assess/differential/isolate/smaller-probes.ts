import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import { type PairProbe, PLAIN, PLAIN_FORM, probeKey, withSteps } from '../../../drivers/pair/probe.js'
import { type FormPair, pairsOf } from '../../../exchange/form-pairs.js'
import { parseForm } from '../../../exchange/parse-form.js'
import { encodeUtf8 } from '../../../exchange/utf8.js'
import { FORM, isOtherCase, SHORT_PASSWORDS } from './request-traits.js'

export interface SmallerProbe {
  readonly probe: PairProbe
  /** The step whose answers may differ. */
  readonly at: number
}

/**
 * Smaller probes than this one, the smallest first. The same causes lead to the same smallest probe, because the most usual
 * wrong value of each kind is tried first.
 * @param at the step whose answers differ
 */
export function smallerThan(probe: PairProbe, at: number): readonly SmallerProbe[] {
  const { steps } = probe.testCase
  const step = steps[at]
  if (step === undefined) return []
  const key = probeKey(probe)
  const smaller = step.register !== undefined ? smallerRegistrations(step, at) : smallerRequests(step)
  const all = [
    ...(steps.length === 1 ? [] : [...smaller.slice(0, 1), step]).map((one) => ({ steps: [one], at: 0 })),
    ...steps.flatMap((_, other) =>
      other === at ? [] : [{ steps: steps.toSpliced(other, 1), at: other < at ? at - 1 : at }],
    ),
    ...smaller.map((one) => ({ steps: steps.with(at, one), at })),
  ]
  return all
    .map((one) => ({ probe: withSteps(probe, one.steps), at: one.at }))
    .filter((one) => probeKey(one.probe) !== key)
}

/** A password that has nothing right, then passwords that each lack one thing (8), then one that lacks none. */
const SIMPLE_PASSWORDS = ['x', 'Abcdef!x', 'abcdef1!', 'ABCDEF1!', 'Abcdef12', ...SHORT_PASSWORDS]

function smallerRegistrations(step: Step, at: number): readonly Step[] {
  const register = step.register ?? {}
  const names = Object.keys(register) as (keyof typeof register)[]
  if (names.length === 0) return []
  const plainer = names.map((name) => {
    const { [name]: _, ...rest } = register
    return at === 0 || name === 'password' ? rest : { ...rest, [name]: `$second.${name}` }
  })
  const values = names.flatMap((name) => {
    const value = register[name] ?? ''
    const usual = name === 'password' ? SIMPLE_PASSWORDS : relatedValues(value, `$fresh.${name}`)
    const before = usual.includes(value) ? usual.slice(0, usual.indexOf(value)) : usual
    return before.map((one) => ({ ...register, [name]: one }))
  })
  return [...(at === 0 ? [{}] : []), ...plainer, ...values].map((one) => ({ ...step, register: one }))
}

function smallerRequests(step: Step): readonly Step[] {
  const { send } = step
  if (send === undefined) return []
  const { query = {}, headers = {}, contentType, form, json, body } = send
  const pairs = pairsOf(form)
  const without = (key: keyof RequestTemplate): readonly RequestTemplate[] => {
    const { [key]: omitted, ...others } = send
    return omitted === undefined ? [] : [others]
  }
  const { form: _, json: __, body: ___, ...bare } = send
  const queryPairs = pairsOf(query) ?? []
  const all: readonly RequestTemplate[] = [
    PLAIN,
    ...(pairs === undefined ? [{ ...bare, form: PLAIN_FORM }] : []),
    ...(['method', 'path', 'contentType', 'query', 'headers'] as const).flatMap(without),
    ...(send.spelling === undefined ? [] : [inUsualSpelling(send)]),
    ...Object.keys(headers).map((name) => {
      const { [name]: omitted, ...others } = headers
      // Without another spelling of its name, it has the usual one.
      const { contentType: type, ...rest } = send
      const isType = type === null && name.toLowerCase() === 'content-type'
      return { ...(isType ? rest : send), headers: others }
    }),
    ...(queryPairs.length < 2
      ? []
      : queryPairs.map((_, at) => ({ ...send, query: queryPairs.toSpliced(at, 1) }))),
    ...(pairs === undefined ? [] : smallerForms(pairs)).map((own) => ({ ...send, form: own })),
    ...(body === undefined || body === '' || body === 'x'
      ? []
      : ['', 'x'].map((text) => ({ ...send, body: text }))),
    ...asJson(send),
    ...(json === undefined || JSON.stringify(json) === '{}' ? [] : [{ ...send, json: {} }]),
    ...smallerMediaTypes(contentType ?? undefined).map((own) => ({ ...send, contentType: own })),
  ]
  return all.map((one) => ({ ...step, send: one }))
}

/** The same form, encoded as a case's is: what was written as it goes over the wire is decoded first. */
function inUsualSpelling({ spelling, ...send }: RequestTemplate): RequestTemplate {
  const pairs = spelling?.includes('as-written') ? pairsOf(send.form) : undefined
  if (pairs === undefined) return send
  return { ...send, form: pairs.flatMap((pair) => parseForm(encodeUtf8(pair.join('='))).pairs) }
}

/** A JSON text that is sent as JSON, as cases send it: a drawn text and a drawn type may make one. */
function asJson({ contentType, body, ...rest }: RequestTemplate): readonly RequestTemplate[] {
  if (contentType !== 'application/json' || body === undefined) return []
  try {
    return [{ ...rest, json: JSON.parse(body) }]
  } catch {
    return []
  }
}

/** First an unknown one, since a known one may be read for a reason of its own; then the same in its usual spelling. */
function smallerMediaTypes(contentType: string | undefined): readonly string[] {
  if (contentType === undefined || contentType === 'x/x') return []
  const [type = '', ...parameters] = contentType.split(';')
  const essence = type.trim().toLowerCase()
  const usual =
    essence !== FORM ? essence : parameters.length > 0 ? `${FORM}; charset=UTF-8` : FORM.toUpperCase()
  return usual === contentType ? ['x/x'] : ['x/x', usual]
}

function smallerForms(pairs: readonly FormPair[]): readonly (readonly FormPair[])[] {
  const known: readonly string[] = PLAIN_FORM.map(([name]) => name)
  // One parameter as in the plain form.
  const restored = PLAIN_FORM.flatMap((plain): readonly (readonly FormPair[])[] => {
    const own = pairs.filter(([name]) => name === plain[0])
    if (own.length === 1 && own[0]?.[1] === plain[1]) return []
    return [inUsualOrder([...pairs.filter(([name]) => name !== plain[0]), plain])]
  })
  const removed = pairs.flatMap((pair, at): readonly (readonly FormPair[])[] => {
    const isOnly = pairs.filter(([name]) => name === pair[0]).length === 1
    return known.includes(pair[0]) && isOnly ? [] : [pairs.toSpliced(at, 1)]
  })
  const values = pairs.flatMap(([name, value], at) => {
    const plain = PLAIN_FORM.find(([own]) => own === name)?.[1]
    if (plain === undefined || value === plain || value === '') return []
    return relatedValues(value, plain).map((smaller) => pairs.with(at, [name, smaller]))
  })
  return [...restored, ...removed, inUsualOrder(pairs), ...values]
}

function inUsualOrder(pairs: readonly FormPair[]): readonly FormPair[] {
  const names: readonly string[] = PLAIN_FORM.map(([name]) => name)
  const rank = ([name]: FormPair): number => (names.includes(name) ? names.indexOf(name) : names.length)
  return pairs.toSorted((a, b) => rank(a) - rank(b))
}

/** The most usual values that relate to the plain one as this value does, or may: of those, the ones before it. */
function relatedValues(value: string, plain: string): readonly string[] {
  const at = value.indexOf(plain)
  const isDrawn = /^\$[a-z]\w*$/i.test(value)
  const [before, after] = at < 0 ? ['', ''] : [value.slice(0, at), value.slice(at + plain.length)]
  const otherCase = {
    '$account.userName': '$account.otherCase',
    '$account.password': '$account.passwordInOtherCase',
  }[plain]
  const usual = [
    ...(plain.startsWith('$fresh.') ? [] : ['x']),
    ...(isOtherCase(value, plain) || isDrawn
      ? [otherCase ?? plain.toUpperCase()].filter((own) => !own.startsWith('$FRESH'))
      : []),
    ...(after !== '' || isDrawn ? [`${plain}!`] : []),
    ...(before !== '' || isDrawn ? [`x${plain}`] : []),
    ...(/^\s/.test(after) || /\s$/.test(before) ? [` ${plain} `] : []),
    ...(/^\s/.test(after) ? [`${plain} `] : []),
    ...(/\s$/.test(before) ? [` ${plain}`] : []),
  ]
  return usual.includes(value) ? usual.slice(0, usual.indexOf(value)) : usual
}
