import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import {
  type FormPair,
  type PairProbe,
  PLAIN,
  PLAIN_FORM,
  pairsOf,
  plainParameter,
  probeKey,
  withSteps,
} from '../../../drivers/pair/probe.js'
import { inUsualOrder } from './request-places.js'
import { smallerText, smallerValues } from './smaller-texts.js'

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
  const smaller = smallerSteps(step)
  const alone = steps.length === 1 ? [] : [step]
  const fewer = steps.flatMap((_, index): readonly SmallerProbe[] => {
    if (index === at || steps.length === 1) return []
    return [{ probe: withSteps(probe, steps.toSpliced(index, 1)), at: index < at ? at - 1 : at }]
  })
  const key = probeKey(probe)
  return [
    ...[...smaller.slice(0, 1), ...alone].map((one) => ({ probe: withSteps(probe, [one]), at: 0 })),
    ...fewer,
    ...smaller.map((one) => ({ probe: withSteps(probe, steps.with(at, one)), at })),
  ].filter((one) => probeKey(one.probe) !== key)
}

function smallerSteps(step: Step): readonly Step[] {
  const { register, send } = step
  if (register !== undefined) return smallerRegistrations(register).map((one) => ({ ...step, register: one }))
  if (send !== undefined) return smallerRequests(send).map((one) => ({ ...step, send: one }))
  return []
}

function smallerRegistrations(
  register: NonNullable<Step['register']>,
): readonly NonNullable<Step['register']>[] {
  const names = Object.keys(register) as (keyof typeof register)[]
  if (names.length === 0) return []
  const without = names.map((name) => {
    const { [name]: _, ...rest } = register
    return rest
  })
  const values = names.flatMap((name) =>
    [
      ...(name === 'password' ? smallerText(register.password, SIMPLE_PASSWORDS) : []),
      ...(SIMPLE_PASSWORDS.includes(register[name] ?? '')
        ? []
        : smallerValues(register[name] ?? '', `$fresh.${name}`)),
    ]
      // A name that is not fresh is taken the second time.
      .filter((value) => name === 'password' || value.includes('$'))
      .map((value) => ({ ...register, [name]: value })),
  )
  return [{}, ...without, ...values]
}

/** A password that has nothing right, then passwords that each break one listed rule (8). */
const SIMPLE_PASSWORDS = ['x', 'Abcdef!x', 'abcdef1!', 'ABCDEF1!', 'Abcdef12']

function smallerRequests(send: RequestTemplate): readonly RequestTemplate[] {
  const { method, path, query = {}, headers = {}, contentType, form, json, body } = send
  const pairs = pairsOf(form)
  const queryPairs = pairsOf(query) ?? []
  const without = (key: keyof RequestTemplate): readonly RequestTemplate[] => {
    const { [key]: omitted, ...others } = send
    return omitted === undefined ? [] : [others]
  }
  return [
    PLAIN,
    // A request without its body becomes the plain form.
    ...(pairs === undefined ? [{ ...withoutBody(send), form: PLAIN_FORM }] : []),
    ...(['method', 'path', 'contentType', 'spelling', 'query', 'headers'] as const).flatMap(without),
    ...Object.keys(headers).map((name) => {
      const { [name]: _, ...others } = headers
      return { ...send, headers: others }
    }),
    ...queryPairs.map((_, at) => ({ ...send, query: queryPairs.toSpliced(at, 1) })),
    ...(pairs === undefined ? [] : smallerForms(pairs)).map((own) => ({ ...send, form: own })),
    ...(body === undefined ? [] : ['', 'x'].map((text) => ({ ...send, body: text }))),
    ...(json === undefined ? [] : [{ ...send, json: {} }]),
    ...smallerMediaTypes(contentType ?? undefined).map((own) => ({ ...send, contentType: own })),
    ...smallerText(method, ['GET']).map((own) => ({ ...send, method: own })),
    ...(path?.toLowerCase() === '/token' ? smallerText(path, ['/token']) : []).map((own) => ({
      ...send,
      path: own,
    })),
  ]
}

/** First an unknown one, since a known one may be read for a reason of its own; then the same in its usual spelling. */
function smallerMediaTypes(contentType: string | undefined): readonly string[] {
  if (contentType === undefined) return []
  const [type = '', ...parameters] = contentType.split(';')
  const essence = type.trim().toLowerCase()
  // Without its parameters, a form's media type is the plain one.
  const usual = essence === FORM ? [`${FORM}; charset=UTF-8`, [FORM, ...parameters].join(';')] : [essence]
  return smallerText(contentType, ['x/x', ...usual])
}

const FORM = 'application/x-www-form-urlencoded'

function withoutBody({ form: _, json: __, body: ___, ...rest }: RequestTemplate): RequestTemplate {
  return rest
}

function smallerForms(pairs: readonly FormPair[]): readonly (readonly FormPair[])[] {
  const known = PLAIN_FORM.map(([name]) => name as string)
  // One parameter as in the plain form.
  const restored = PLAIN_FORM.flatMap((plain): readonly (readonly FormPair[])[] => {
    const own = pairs.filter(([name]) => name === plain[0])
    if (own.length === 1 && own[0]?.[1] === plain[1]) return []
    const at = pairs.findIndex(([name]) => name === plain[0])
    const others = pairs.filter(([name]) => name !== plain[0])
    const place = at < 0 ? known.indexOf(plain[0]) : Math.min(at, others.length)
    return [[...others.slice(0, place), plain, ...others.slice(place)]]
  })
  const removed = pairs.flatMap((pair, at): readonly (readonly FormPair[])[] => {
    const isOnly = pairs.filter(([name]) => name === pair[0]).length === 1
    return known.includes(pair[0]) && isOnly ? [] : [pairs.toSpliced(at, 1)]
  })
  const values = pairs.flatMap(([name, value], at) =>
    smallerValues(value, plainParameter(name) ?? 'x').map((smaller) => pairs.with(at, [name, smaller])),
  )
  return [...restored, ...removed, inUsualOrder(pairs), ...values]
}
