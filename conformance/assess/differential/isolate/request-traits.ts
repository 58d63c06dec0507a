import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import { isMap, type Json } from '../../../../spec/model/json.js'
import { type PairProbe, PLAIN_FORM, plainParameter, probeKey } from '../../../drivers/pair/probe.js'
import { type FormPair, holdsCredentials, pairsOf } from '../../../exchange/form-pairs.js'
import { type NewName, putInto, whatIsPut } from '../../../generators/new-accounts.js'
import { isBeyondAscii, isOfOtherCase } from '../../../generators/unusual-passwords.js'
import { NAMED_PROBES } from '../ask/named-probes.js'
import type { Witness } from '../compare/comparer.js'

/** One way in which a request differs from the plain login, or from the plain registration. */
export interface RequestTrait {
  /** What a service makes of one place is one decision: which paths it serves, how it compares user names. */
  readonly place: string
  /** How the place differs, and the wider kinds that this one belongs to: a service that takes all of those takes this one. */
  readonly kinds: readonly string[]
  readonly phrase: string
  /** Parameters that a service may take for others, or not see, if it reads the request so. */
  readonly implies?: readonly string[]
  /** Said of all of the kind; of several with one `noun`, their items are listed. */
  readonly noun?: string
  readonly item?: string
}

export const ANY = 'any'
export const FORM = 'application/x-www-form-urlencoded'
const SIZES: Readonly<Record<string, string>> = { k16: '16 KiB', k64: '64 KiB', k256: '256 KiB', m1: '1 MiB' }
const PLAIN_NAMES: readonly string[] = PLAIN_FORM.map(([name]) => name)
const NAMED = new Map(NAMED_PROBES.map((named) => [probeKey(named.probe), named]))

/** In what a request differs from the plain one; after a registration, in what the new account does too. */
export function traitsOf(probe: PairProbe, at: number): readonly RequestTrait[] {
  const { steps } = probe.testCase
  const named = NAMED.get(probeKey(probe))
  if (named !== undefined && at === steps.length - 1) return [named]
  const { signIn, register, send = {} } = steps[at] ?? {}
  if (signIn !== undefined) return [trait('provider', [signIn], `sign-in through a provider (${signIn})`)]
  if (register !== undefined) return registrationTraits(probe, at)
  const before = steps
    .slice(0, at)
    .flatMap((_, earlier) => (steps[earlier]?.register ? registrationTraits(probe, earlier) : []))
  const hasSpaces = / /.test(
    JSON.stringify([steps.map(({ register }) => register), Object.values(probe.values)]),
  )
  // A named probe has such a password too.
  const unusual = Object.entries(probe.testCase.forall ?? {}).flatMap(([name, generator]) =>
    generator === 'password-unusual' ? [String(probe.values[name])] : [],
  )
  const isUnusual = unusual.some(isBeyondAscii)
  const cases = unusual.some(isOfOtherCase) ? ['letter case'] : []
  return [
    ...(before.length > 0 && hasSpaces ? [trait('space as +', ['space'], '')] : []),
    ...before.map((one) => ({
      ...one,
      place: `registered ${one.place}`,
      kinds: isUnusual ? ['beyond ASCII', ...one.kinds] : one.kinds,
      phrase: `account registered with ${one.phrase}`,
    })),
    ...lineTraits(send),
    ...bodyTraits(send),
    ...formTraits(steps, at, send).map((one) =>
      one.place === 'password' ? { ...one, kinds: [...cases, ...one.kinds] } : one,
    ),
  ]
}

/** Whether a request differs from the plain one in all that another does. */
export function hasTraits(own: readonly RequestTrait[], known: readonly RequestTrait[]): boolean {
  return known.every(({ place, kinds: [kind = ''] }) =>
    own.some((other) =>
      other.place === place ? other.kinds.includes(kind) : (other.implies?.includes(place) ?? false),
    ),
  )
}

export function isNamed(probe: PairProbe): boolean {
  return NAMED.has(probeKey(probe))
}

function trait(place: string, kinds: readonly string[], phrase: string): RequestTrait {
  return { place, kinds, phrase }
}

function listed(place: string, kind: string, noun: string, item: string): RequestTrait {
  return { place, kinds: [kind], phrase: `${noun} ${item}`, noun, item }
}

const TAKEN = { email: 'an address', userName: 'a user name' } as const

/** Of a second registration, `$second` is fresh, and what the first one has is taken. */
function registrationTraits({ testCase: { steps }, values }: PairProbe, at: number): readonly RequestTrait[] {
  const earlier = steps.slice(0, at).flatMap(({ register }) => register ?? [])
  const own = steps[at]?.register ?? {}
  return (['userName', 'email', 'password'] as const).flatMap((name) => {
    const value = own[name] ?? `$fresh.${name}`
    if (name !== 'password' && earlier.some((other) => (other[name] ?? `$fresh.${name}`) === value))
      return [trait(name, ['taken', ANY], `a taken \`${name}\``)]
    const isAgain = earlier.length > 0
    const isFresh = value === `$fresh.${name}` || (isAgain && /^\$(?:second|each)\./.test(value))
    if (isFresh) return []
    const written = valueTrait(name, value, `$fresh.${name}`, true)
    const isOuter = hasOuterSpace(values[/^\$(\w+)/.exec(value)?.[1] ?? ''])
    const unusual = isOuter ? { ...written, kinds: [...written.kinds, 'white space'] } : written
    if (!isAgain) return [unusual]
    const taken = { ...unusual, kinds: [...unusual.kinds, 'taken'] }
    const inOtherCase = name !== 'password' && unusual.kinds[0] === 'letter case'
    return [
      inOtherCase ? { ...taken, phrase: `${TAKEN[name]} already taken, in another letter case` } : taken,
    ]
  })
}

/** Of the request line and the headers. */
function lineTraits({
  method,
  path,
  query,
  headers,
  contentType,
  spelling,
}: RequestTemplate): readonly RequestTrait[] {
  const isForm = contentType?.toLowerCase().startsWith(FORM) === true
  // Spelled otherwise, it is a header as any other.
  const isHeader = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'content-type')
  return [
    ...(method === undefined || method === 'POST' ? [] : [listed('method', 'method', 'method', method)]),
    ...(path === undefined || path === '/Token' ? [] : [listed('path', 'path', 'path', `\`${path}\``)]),
    ...(contentType === undefined || (contentType === null && isHeader)
      ? []
      : [
          contentType === null
            ? trait('media type', ['none', ANY], 'no `Content-Type`')
            : {
                ...trait('media type', mediaTypeKinds(contentType), `\`Content-Type: ${contentType}\``),
                ...(isForm ? {} : { noun: '`Content-Type`', item: `\`${contentType}\`` }),
              },
        ]),
    ...Object.entries(headers ?? {}).map(([name, value]) =>
      trait(`header ${name.toLowerCase()}`, ['header'], `header \`${name}: ${value}\``),
    ),
    ...queryTraits(pairsOf(query)),
    ...(spelling === undefined ? [] : [trait('spelling', ['spelling'], 'form encoded differently')]),
  ]
}

/** A service that refuses every query refuses one with a parameter of the form too. */
function queryTraits(pairs: readonly FormPair[] | undefined): readonly RequestTrait[] {
  if (pairs?.length === 0) return [trait('query', ['query'], 'an empty query')]
  return (pairs ?? []).flatMap(([name]) => {
    const one = listed('query', 'query', 'query with', `\`${name}\``)
    return PLAIN_NAMES.includes(name)
      ? [{ ...one, place: 'parameters in the query' }, trait('query', ['query'], '')]
      : one
  })
}

function mediaTypeKinds(contentType: string): readonly string[] {
  const [essence = '', ...parameters] = contentType.split(';')
  if (essence.trim().toLowerCase() !== FORM)
    return ARBITRARY.has(contentType)
      ? [ANY]
      : [`value ${essence}`, ...(parameters.length > 0 ? ['parameters'] : []), ANY]
  return parameters.length > 0 ? ['parameters', ANY] : ['letter case', ANY]
}

/** A service that accepts a value unlike any right one accepts every value. */
const ARBITRARY = new Set(['x', 'x/x'])

/** Of a body that is not a form: it is not sent as one. */
function bodyTraits({ form, json, body, contentType }: RequestTemplate): readonly RequestTrait[] {
  if (form !== undefined) return []
  // What is sent with it unless a request says otherwise.
  const unsaid = { place: 'media type', phrase: '' }
  const mediaType =
    contentType !== undefined
      ? []
      : json === undefined
        ? [{ ...unsaid, kinds: ['none', ANY] }]
        : [{ ...unsaid, kinds: mediaTypeKinds('application/json') }]
  const phrase =
    json !== undefined
      ? 'JSON body'
      : body === undefined
        ? 'no body'
        : body === ''
          ? 'empty body'
          : 'body that is not a form'
  return [
    trait('body', [...(body === '' || /=/.test(body ?? '') ? [] : ['no =']), phrase], phrase),
    ...mediaType,
  ]
}

function formTraits(
  steps: readonly Step[],
  at: number,
  { form, query }: RequestTemplate,
): readonly RequestTrait[] {
  const pairs = pairsOf(form)
  if (pairs === undefined) return []
  const inQuery = (pairsOf(query) ?? []).map(([name]) => name)
  const isElsewhere = (name: string): boolean =>
    inQuery.includes(name) || pairs.some(([other]) => renameOf(other)?.of === name)
  return [
    ...PLAIN_FORM.flatMap(([name, plain]): readonly RequestTrait[] => {
      const values = pairs.filter(([own]) => own === name).map(([, value]) => value)
      const [value] = values
      if (value === undefined)
        return isElsewhere(name) ? [] : [trait(name, ['missing', ANY], `no \`${name}\``)]
      if (values.length > 1) {
        const phrase = `\`${name}\` sent ${values.length} times`
        return [
          { ...trait('repeated parameters', ['repeated'], phrase), noun: 'repeated', item: `\`${name}\`` },
        ]
      }
      if (isPlainValue(steps, at, name, value)) return []
      const own = valueTrait(name, value, plain, false)
      if (name !== 'grant_type' && holdsCredentials(pairs))
        return [{ ...own, phrase: name === 'username' ? 'login of another account' : '' }]
      return [
        name === 'password' && isLikeRegistered(steps, value)
          ? { ...own, kinds: ['other end', 'longer', ...own.kinds] }
          : own,
      ]
    }),
    ...pairs
      .filter(([name]) => !PLAIN_NAMES.includes(name))
      .map(([name, value]) => furtherTrait(name, value)),
    ...(areRepeatedInOtherCase(pairs)
      ? [trait('repeated parameters', ['repeated'], 'repeated in different letter case')]
      : []),
    ...(isUsualOrder(pairs)
      ? []
      : [trait('order of the parameters', ['order'], 'parameters in a different order')]),
  ]
}

function areRepeatedInOtherCase(pairs: readonly FormPair[]): boolean {
  const further = pairs.filter(([name]) => !PLAIN_NAMES.includes(name)).map(([name]) => name.toLowerCase())
  return further.some(
    (name) => PLAIN_NAMES.includes(name) && pairs.filter(([own]) => own.toLowerCase() === name).length > 1,
  )
}

function furtherTrait(name: string, value: string): RequestTrait {
  const size =
    SIZES[/^\$padding\.(\w+)$/.exec(value)?.[1] ?? ''] ?? (value.length > 1000 ? '20 kB' : undefined)
  if (size !== undefined)
    return { ...trait('size', ['size'], `form of ${size}`), noun: 'form of', item: size }
  const rename = renameOf(name)
  if (rename === undefined) {
    const [kinds, phrase] = value === '' ? [['empty', 'parameter'], 'empty extra'] : [['parameter'], 'extra']
    return trait(`parameter ${name}`, kinds, `${phrase} parameter \`${name}\``)
  }
  const phrase = `parameter names ${rename.how}`
  return {
    ...trait('names of parameters', [rename.how], `${phrase} (\`${name}\`)`),
    noun: `${phrase}:`,
    item: `\`${name}\``,
  }
}

/** How a parameter is renamed that a service may still read as a plain one. */
function renameOf(name: string): { readonly of: string; readonly how: string } | undefined {
  const of = name
    .toLowerCase()
    .replace(/^([^[]*)\[.*\]$/, '$1')
    .trim()
    .replace('.', '_')
  if (name === of || !PLAIN_NAMES.includes(of)) return undefined
  return {
    of,
    how: name.toLowerCase() === of ? 'in different letter case' : `spelled \`${name.replace(of, '…')}\``,
  }
}

function isUsualOrder(pairs: readonly (readonly [string, string])[]): boolean {
  const places = pairs.map(([name]) => PLAIN_NAMES.indexOf(name)).filter((place) => place >= 0)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}

/** What a plain login has there: the account's, or, after a registration, the new account's. */
function isPlainValue(steps: readonly Step[], at: number, name: string, value: string): boolean {
  if (value === plainParameter(name)) return true
  const made = steps.slice(0, at).flatMap(({ register }) => register ?? [])
  if (made.length === 0) return false
  if (name === 'username')
    return /^\$fresh\.(?:userName|loginName)$/.test(value) || made.some(({ userName }) => userName === value)
  return name === 'password' && made.some(({ password = '$fresh.password' }) => password === value)
}

/** Whether it begins as a password that was registered before. */
function isLikeRegistered(steps: readonly Step[], value: string): boolean {
  return steps.some(({ register }) => register?.password?.slice(0, 8) === value.slice(0, 8))
}

/** The most usual kinds of change of a text, and what is said of them. The narrowest comes first. */
function valueTrait(name: string, value: string, plain: string, isNew: boolean): RequestTrait {
  const own = `\`${name}\``
  const of = (kinds: readonly string[], phrase: string): RequestTrait => trait(name, [...kinds, ANY], phrase)
  if (value === '') return of(['empty'], `empty ${own}`)
  if (value === 'x') return of([], (isNew ? undefined : WRONG[name]) ?? `${own} "x"`)
  if (value.startsWith('$second.')) return of(['another'], `${own} of another account`)
  if (value.startsWith('$utf16.')) return of(['utf16'], `${own} of the minimum length in UTF-16 units`)
  if (isOtherCase(value, plain)) return of(['letter case'], `${own} in different letter case`)
  const at = value.indexOf(plain)
  const [before, after] = at < 0 ? ['', ''] : [value.slice(0, at), value.slice(at + plain.length)]
  const wider = [...(before === '' && after !== '' ? ['longer'] : [])]
  const isOuter = value !== plain && value.replace(OUTER, '') === plain
  if (isOuter)
    return of(
      [...(/[\r\n]/.test(after) ? ['line end'] : []), 'white space', ...wider],
      outerPhrase(own, before, after),
    )
  if (at >= 0 && before === '')
    return of(
      [after === '!' ? 'longer' : `followed by ${after}`, ...wider],
      `${own} followed by ${quote(after)}`,
    )
  if (at >= 0 && after === '') return of([`preceded by ${before}`], `${own} preceded by ${quote(before)}`)
  if (isNew) return policyTrait(name, value) ?? of([`value ${value}`], `${own} ${quote(value)}`)
  return name === 'grant_type'
    ? { ...of([`value ${value}`], `${own} ${quote(value)}`), noun: own, item: quote(value) }
    : of([`value ${value}`], `${own} ${quote(value)}`)
}

/** What functions that trim remove: control characters too. */
const OUTER = /^[\s\x01-\x20]+|(?<![\s\x01-\x20])[\s\x01-\x20]+$/g

/** Whether a password that a generator made, or a new name with what it puts there, begins or ends so. */
function hasOuterSpace(drawn: Json | undefined): boolean {
  const text = isMap(drawn) && 'chars' in drawn ? putInto('x'.repeat(13), drawn as NewName) : drawn
  return typeof text === 'string' && text.replace(OUTER, '') !== text
}

function outerPhrase(own: string, before: string, after: string): string {
  if (/[\r\n]/.test(after)) return `${own} followed by ${quote(after)}`
  if (before !== '' && after !== '') return `${own} surrounded by spaces`
  return before === '' ? `${own} followed by a space` : `${own} preceded by a space`
}

const LACKS: Readonly<Record<string, string>> = {
  'Abcdef!x': 'a digit',
  'abcdef1!': 'an upper-case letter',
  'ABCDEF1!': 'a lower-case letter',
  Abcdef12: 'a character that is neither letter nor digit',
}
/** They are complete: two are shorter than the minimum length that section 8 lists, and one has just that. */
export const SHORT_PASSWORDS: readonly string[] = ['Aa1!', 'Abc1!', 'Abc1!x']

function policyTrait(name: string, value: string): RequestTrait | undefined {
  const lacks = LACKS[value]
  if (name !== 'password') return undefined
  if (SHORT_PASSWORDS.includes(value))
    return {
      ...trait(name, ['short', ANY], `a ${value.length}-character \`password\``),
      item: String(value.length),
    }
  if (lacks !== undefined)
    return trait(name, [`no ${lacks}`, ANY], `a \`password\` without ${lacks} (${quote(value)})`)
  return value.length > 100 ? trait(name, ['long', ANY], `a long \`password\` (${quote(value)})`) : undefined
}

/** In other letter case, or bound to a text that is. */
export function isOtherCase(value: string, plain: string): boolean {
  if (/^\$(?:account\.(?:otherCase|passwordInOtherCase)|upperFresh\..*)$/.test(value)) return true
  return value !== plain && value.toLowerCase() === plain.toLowerCase()
}

/** A value that belongs to no account and no list. */
const WRONG: Readonly<Record<string, string>> = {
  grant_type: 'unknown `grant_type`',
  username: 'unknown user',
  password: 'wrong password',
}

/** What a run fills in is named, not spelled as in a case. */
function quote(value: string): string {
  const named = value.replace(/\$fresh\.(\w+)/g, '‹$1›')
  const text = named.length > 60 ? `${named.slice(0, 60)}… (${named.length} characters)` : named
  return JSON.stringify(text)
}

export function describeProbe(probe: PairProbe, at: number): string {
  const {
    testCase: { steps, forall = {} },
    values,
  } = probe
  const phrases = traitsOf(probe, at).flatMap(({ phrase }) =>
    phrase === ''
      ? []
      : Object.entries(forall).reduce(
          (text, [name, generator]) =>
            text.replace(new RegExp(`"\\$${name}(?:\\.\\w+)?"`), () => drawn(generator, values[name])),
          phrase,
        ),
  )
  const kind = steps[at]?.register === undefined ? 'login' : 'registration'
  if (phrases.length === 0) return `plain ${kind}${at === 0 ? '' : ` (request ${at + 1} of ${steps.length})`}`
  return kind === 'login' ? phrases.join(', ') : `registration with ${phrases.join(', ')}`
}

/** Whether it is the commonest refusal. */
export function isFailedLogin({ probe, discrepancy }: Pick<Witness, 'probe' | 'discrepancy'>): boolean {
  const [own, ...more] = traitsOf(probe, discrepancy.step)
  return own?.phrase === 'wrong password' && more.length === 0
}

/** A value that a generator made, in words: what it is made from may be secret. */
function drawn(generator: string, value: Json = ''): string {
  if (generator.startsWith('user-name')) return whatIsPut(value as NewName)
  if (generator === 'password-unusual') return `with ${value}`
  if (!isMap(value)) return quote(String(value))
  const { kind, before, after } = value
  return kind === undefined ? quote(`${before}‹new›${after}`) : `(${kind})`
}
