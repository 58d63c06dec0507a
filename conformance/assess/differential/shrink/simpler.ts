import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import { keyOf, PLAIN, PLAIN_FORM, type Probe, pairsOf, withSteps } from '../../../drivers/pair/probe.js'

type Pair = readonly [name: string, value: string]

/**
 * Smaller probes than this one, the smallest first: on each the sides may differ still. The same causes lead to the same
 * smallest probe, since of each value the most usual wrong one of its kind is tried first.
 * @param at the step whose answers differ
 */
export function simplerThan(probe: Probe, at: number): readonly Simpler[] {
  const { steps } = probe.testCase
  const step = steps[at]
  if (step === undefined) return []
  const own = simplerSteps(step)
  const alone: readonly Simpler[] = steps.length === 1 ? [] : [{ probe: withSteps(probe, [step]), at: 0 }]
  const plainAlone = own.slice(0, 1).map((one): Simpler => ({ probe: withSteps(probe, [one]), at: 0 }))
  const fewer =
    steps.length <= 1
      ? []
      : steps.flatMap((_, index): readonly Simpler[] => {
          if (index === at) return []
          const rest = steps.filter((_, other) => other !== index)
          return [{ probe: withSteps(probe, rest), at: index < at ? at - 1 : at }]
        })
  const changed = own.map(
    (one): Simpler => ({
      probe: withSteps(
        probe,
        steps.map((other, index) => (index === at ? one : other)),
      ),
      at,
    }),
  )
  const key = keyOf(probe)
  return [...plainAlone, ...alone, ...fewer, ...changed].filter((one) => keyOf(one.probe) !== key)
}

export interface Simpler {
  readonly probe: Probe
  readonly at: number
}

function simplerSteps(step: Step): readonly Step[] {
  const { register, send } = step
  if (register !== undefined) return simplerRegistrations(register).map((one) => ({ ...step, register: one }))
  if (send !== undefined) return simplerRequests(send).map((one) => ({ ...step, send: one }))
  return []
}

function simplerRegistrations(
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
      ...(name === 'password' ? simplerText(register.password, SIMPLE_PASSWORDS) : []),
      ...(SIMPLE_PASSWORDS.includes(register[name] ?? '')
        ? []
        : simplerValues(register[name] ?? '', `$fresh.${name}`)),
    ]
      // A name that is not fresh is taken when it is asked for again.
      .filter((value) => name === 'password' || value.includes('$'))
      .map((value) => ({ ...register, [name]: value })),
  )
  return [{}, ...without, ...values]
}

/** One that has nothing right, then such as break one listed rule each (8). */
const SIMPLE_PASSWORDS = ['x', 'Abcdef!x', 'abcdef1!', 'ABCDEF1!', 'Abcdef12']

function simplerRequests(send: RequestTemplate): readonly RequestTemplate[] {
  const { form, query, headers, ...rest } = send
  const pairs = pairsOf(form)
  const withoutKey = (key: keyof RequestTemplate): readonly RequestTemplate[] => {
    if (send[key] === undefined) return []
    const { [key]: _, ...others } = send
    return [others]
  }
  const asForm = (own: readonly Pair[]): RequestTemplate => ({ ...send, form: own })
  const queryPairs = pairsOf(query) ?? []
  return [
    PLAIN,
    // Without its body it is the plain form.
    ...(pairs === undefined ? [{ ...withoutBody(send), form: PLAIN_FORM }] : []),
    ...(['method', 'path', 'contentType', 'spelling', 'query', 'headers'] as const).flatMap(withoutKey),
    ...Object.keys(headers ?? {}).map((name) => ({
      ...send,
      headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([own]) => own !== name)),
    })),
    ...queryPairs.map((_, at) => ({ ...send, query: queryPairs.filter((_, other) => other !== at) })),
    ...(pairs === undefined ? [] : simplerPairs(pairs).map(asForm)),
    ...(send.body === undefined
      ? []
      : [
          { ...send, body: '' },
          { ...send, body: 'x' },
        ]),
    ...(send.json === undefined ? [] : [{ ...send, json: {} }]),
    ...simplerMediaTypes(send.contentType ?? undefined).map((contentType) => ({ ...send, contentType })),
    ...simplerText(rest.method, ['GET']).map((method) => ({ ...send, method })),
    ...(rest.path?.toLowerCase() === '/token' ? simplerText(rest.path, ['/token']) : []).map((path) => ({
      ...send,
      path,
    })),
  ]
}

/** One that no one knows: another one that is known may be read for a reason of its own. Then the same in its usual spelling. */
function simplerMediaTypes(contentType: string | undefined): readonly string[] {
  if (contentType === undefined) return []
  const [type = '', ...parameters] = contentType.split(';')
  const essence = type.trim().toLowerCase()
  // Without its parameters a form's media type is the plain one.
  const usual = essence === FORM ? [`${FORM}; charset=UTF-8`, [FORM, ...parameters].join(';')] : [essence]
  return simplerText(contentType, ['x/x', ...usual])
}

const FORM = 'application/x-www-form-urlencoded'

function withoutBody({ form: _, json: __, body: ___, ...rest }: RequestTemplate): RequestTemplate {
  return rest
}

/** The usual ones of its kind, in the place of an unusual one. */
function simplerText(text: string | undefined, usual: readonly string[]): readonly string[] {
  if (text === undefined) return []
  const at = usual.indexOf(text)
  return at < 0 ? usual : usual.slice(0, at)
}

function simplerPairs(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const known = PLAIN_FORM.map(([name]) => name as string)
  const plainOf = (name: string): string => PLAIN_FORM.find(([own]) => own === name)?.[1] ?? ''
  // One parameter as in the plain form: first, so that few remain.
  const restored = PLAIN_FORM.flatMap((plain): readonly (readonly Pair[])[] => {
    const own = pairs.filter(([name]) => name === plain[0])
    if (own.length === 1 && own[0]?.[1] === plain[1]) return []
    const at = pairs.findIndex(([name]) => name === plain[0])
    const others = pairs.filter(([name]) => name !== plain[0])
    const place = at < 0 ? known.indexOf(plain[0]) : Math.min(at, others.length)
    return [[...others.slice(0, place), plain, ...others.slice(place)]]
  })
  const removed = pairs.flatMap((pair, at): readonly (readonly Pair[])[] => {
    const isOnly = pairs.filter(([name]) => name === pair[0]).length === 1
    return known.includes(pair[0]) && isOnly ? [] : [pairs.filter((_, other) => other !== at)]
  })
  const sorted = pairs.toSorted(([a], [b]) => rank(known, a) - rank(known, b))
  const values = pairs.flatMap(([name, value], at) =>
    simplerValues(value, known.includes(name) ? plainOf(name) : 'x').map((simpler) =>
      pairs.map((pair, other): Pair => (other === at ? [name, simpler] : pair)),
    ),
  )
  return [...restored, ...removed, sorted, ...values]
}

function rank(known: readonly string[], name: string): number {
  const at = known.indexOf(name)
  return at < 0 ? known.length : at
}

/** More usual values of the same kind, then shorter ones. The kind is how it relates to the plain value. */
function simplerValues(value: string, plain: string): readonly string[] {
  if (value === plain || value === '') return []
  // Of a reference nothing is known here.
  const usual = ['x', ...kinsOf(value, plain), ...longOf(value, plain)]
  const at = usual.indexOf(value)
  if (at >= 0) return usual.slice(0, at)
  return [...usual, ...shorter(value, plain)]
}

function kinsOf(value: string, plain: string): readonly string[] {
  const place = value.indexOf(plain)
  if (place >= 0) {
    const [before, after] = [value.slice(0, place), value.slice(place + plain.length)]
    return [
      ...(after === '' ? [] : [`${plain}!`]),
      ...(before === '' ? [] : [`x${plain}`]),
      ...(/^\s/.test(after) || /\s$/.test(before) ? [` ${plain} `] : []),
      ...(/^\s/.test(after) ? [`${plain} `] : []),
      ...(/\s$/.test(before) ? [` ${plain}`] : []),
    ]
  }
  const isText = !plain.includes('$') && !value.includes('$')
  if (!isText) return []
  if (value.toLowerCase() === plain.toLowerCase()) return [plain.toUpperCase()]
  const chars = [...value]
  if (chars.length === [...plain].length && chars.filter((char, at) => char !== [...plain][at]).length === 1)
    return [`x${plain.slice(1)}`]
  if (plain.startsWith(value)) return [plain.slice(0, -1)]
  return []
}

const LONG = 40

/** Of a long text only the length may count. */
function longOf(value: string, plain: string): readonly string[] {
  const isLong = value.length > LONG && !value.includes('$')
  return isLong ? [`${'xy'.repeat(Math.ceil(value.length / 2))}${plain}`] : []
}

/** Without halves and single characters, or with an `x` in the place of each. References stay whole. */
function shorter(value: string, plain: string): readonly string[] {
  const parts = partsOf(value)
  const { length } = parts
  if (length < 2) return []
  const half = Math.ceil(length / 2)
  const cut = [parts.slice(0, half), parts.slice(half)]
  const some = Array.from({ length: Math.min(length, 24) }, (_, at) => at)
  const dropped = some.map((at) => parts.filter((_, other) => other !== at))
  const plainer = some
    .filter((at) => parts[at] !== 'x' && !parts[at]?.startsWith('$'))
    .map((at) => parts.map((part, other) => (other === at ? 'x' : part)))
  return [...cut, ...dropped, ...plainer]
    .filter((each) => partsOf(each.join('')).length === each.length)
    .map((each) => each.join(''))
    .filter((text) => text !== plain && text !== '')
}

/** Characters and references. A letter after a reference would be a part of its name. */
function partsOf(value: string): readonly string[] {
  return value.match(/\$\$|\$[A-Za-z]\w*(?:\.\w+)*|[^$]/gu) ?? []
}
