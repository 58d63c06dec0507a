import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import { isMap, type Json } from '../../../../spec/model/json.js'
import { type PairProbe, PLAIN_FORM, pairsOf } from '../../../drivers/pair/probe.js'
import { FIELDS, isPlainValue, isUsualOrder, renameOf } from './request-places.js'
import { isOtherCase } from './text-changes.js'

/** One way in which a request differs from the plain login, or from the plain registration. */
export interface RequestTrait {
  /** The ids of findings are made of it, and users keep those in files: its words never change. */
  readonly key: string
  /** The same in a title. */
  readonly phrase: string
  /** What a service makes of one place is one decision: which paths it serves, how it compares user names. */
  readonly places: readonly string[]
}

function trait(places: readonly string[], key: string, phrase = key): RequestTrait {
  return { key, phrase, places }
}

export function traitsOf(steps: readonly Step[], at: number): readonly RequestTrait[] {
  const { signIn, register, send = {} } = steps[at] ?? {}
  if (signIn !== undefined)
    return [
      trait(
        ['provider'],
        `a sign-in through a provider (${signIn})`,
        `sign-in through a provider (${signIn})`,
      ),
    ]
  if (register !== undefined)
    return Object.entries(register).flatMap(([name, value]) =>
      isPlainValue(steps, at, name, value) ? [] : valueTrait(name, value, `$fresh.${name}`, true),
    )
  return [...lineTraits(send), ...bodyTraits(send), ...formTraits(steps, at, send)]
}

/** The places in which a request is not the plain one, in alphabetical order. */
export function placesOf(steps: readonly Step[], at: number): readonly string[] {
  return [...new Set(traitsOf(steps, at).flatMap(({ places }) => places))].sort()
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
  return [
    ...(method === undefined || method === 'POST' ? [] : [trait(['method'], `method ${method}`)]),
    ...(path === undefined || path === '/Token' ? [] : [trait(['path'], `path \`${path}\``)]),
    ...(contentType === undefined
      ? []
      : [
          trait(
            ['media type'],
            contentType === null ? 'no `Content-Type`' : `\`Content-Type: ${contentType}\``,
          ),
        ]),
    ...Object.entries(headers ?? {}).map(([name, value]) =>
      trait([`header ${name.toLowerCase()}`], `header \`${name}: ${value}\``),
    ),
    ...(pairsOf(query) ?? []).map(([name]) =>
      trait([name in FIELDS ? 'parameters in the query' : 'query'], `\`${name}\` in the query`),
    ),
    ...(spelling === undefined
      ? []
      : [trait(['spelling'], 'the spelling of the form', 'form encoded differently')]),
  ]
}

/** Of a body that is not a form: it is not sent as one. */
function bodyTraits({ form, json, body }: RequestTemplate): readonly RequestTrait[] {
  const places = form === undefined ? ['media type', 'body'] : []
  return [
    ...(json === undefined ? [] : [trait(places, 'a JSON body', 'JSON body')]),
    ...(body === undefined
      ? []
      : [
          body === ''
            ? trait(places, 'an empty body', 'empty body')
            : trait(places, 'another body', 'body that is not a form'),
        ]),
    ...(form === undefined && json === undefined && body === undefined ? [trait(places, 'no body')] : []),
  ]
}

function formTraits(
  steps: readonly Step[],
  at: number,
  { form, query }: RequestTemplate,
): readonly RequestTrait[] {
  const pairs = pairsOf(form)
  if (pairs === undefined) return []
  const isElsewhere = (name: string): boolean =>
    (pairsOf(query) ?? []).some(([other]) => other === name) ||
    pairs.some(([other]) => renameOf(other)?.of === name)
  return [
    ...PLAIN_FORM.flatMap(([name, plain]): readonly RequestTrait[] => {
      const values = pairs.filter(([own]) => own === name).map(([, value]) => value)
      const [value] = values
      if (value === undefined) return [trait(isElsewhere(name) ? [] : placeOf(name), `no \`${name}\``)]
      if (values.length > 1)
        return [
          trait(
            ['repeated parameters'],
            `\`${name}\` ${values.length} times`,
            `\`${name}\` sent ${values.length} times`,
          ),
        ]
      return isPlainValue(steps, at, name, value) ? [] : [valueTrait(name, value, plain, false)]
    }),
    ...pairs
      .filter(([name]) => !PLAIN_FORM.some(([own]) => own === name))
      .map(([name]) => furtherTrait(name)),
    ...(isUsualOrder(pairs)
      ? []
      : [
          trait(
            ['order of the parameters'],
            'another order of the parameters',
            'parameters in a different order',
          ),
        ]),
  ]
}

function furtherTrait(name: string): RequestTrait {
  const rename = renameOf(name)
  const further = name in FIELDS ? [] : ['further parameters']
  return trait(
    rename === undefined ? further : [`names of parameters ${rename.how}`],
    `a parameter \`${name}\``,
    `extra parameter \`${name}\``,
  )
}

function placeOf(name: string): readonly string[] {
  return [FIELDS[name] ?? name]
}

/** How a value relates to the plain one. */
function valueTrait(name: string, value: string, plain: string, isNew: boolean): RequestTrait {
  const own = `\`${name}\``
  const related = (key: string, phrase = `${own} ${key}`): RequestTrait =>
    trait(placeOf(name), `${own} ${key}`, phrase)
  if (value === '') return related('empty', `empty ${own}`)
  if (value === `${plain} `) return related('with a space after it', `${own} followed by a space`)
  if (value === ` ${plain}`) return related('with a space before it', `${own} preceded by a space`)
  if (value === ` ${plain} `) return related('with spaces around it', `${own} surrounded by spaces`)
  if (value === `${plain}!`) return related('with a sign after it', `${own} followed by \`!\``)
  if (value === `x${plain}`) return related('with a letter before it', `${own} preceded by \`x\``)
  if (value === 'x') return related('another', (isNew ? undefined : WRONG[name]) ?? `${own} "x"`)
  if (value.startsWith('$second.')) return related('another', `${own} of another account`)
  if (value.startsWith('$utf16.')) return related('of the minimum length in UTF-16 units')
  if (isOtherCase(value, plain)) return related('in other letter case', `${own} in different letter case`)
  const at = value.indexOf(plain)
  if (at < 0) return related(quote(value))
  const rest = quote(value.slice(0, at) + value.slice(at + plain.length))
  return at === 0
    ? related(`with ${rest} after it`, `${own} followed by ${rest}`)
    : related(`with ${rest} before it`, `${own} preceded by ${rest}`)
}

/** A value that belongs to no account and no list. */
const WRONG: Readonly<Record<string, string>> = {
  grant_type: 'unknown `grant_type`',
  username: 'unknown user',
  password: 'wrong password',
}

function quote(value: string): string {
  const text = value.length > 60 ? `${value.slice(0, 60)}… (${value.length} characters)` : value
  return JSON.stringify(text)
}

/** A probe in one phrase. */
export function describeProbe({ testCase: { steps, forall = {} }, values }: PairProbe, at: number): string {
  const phrases = traitsOf(steps, at).map(({ phrase }) =>
    Object.entries(forall).reduce(
      (text, [name, generator]) => text.replace(`"$${name}"`, () => drawn(generator, values[name])),
      phrase,
    ),
  )
  const before = steps.length === 1 ? '' : ` (request ${at + 1} of ${steps.length})`
  const kind = steps[at]?.register === undefined ? 'login' : 'registration'
  const traits = kind === 'login' ? phrases.join(', ') : `registration with ${phrases.join(', ')}`
  return (phrases.length === 0 ? `plain ${kind}` : traits) + before
}

/** A value that a generator made: what it is made from may be secret. */
function drawn(generator: string, value: Json | undefined): string {
  return `(${generator}: ${isMap(value) ? Object.values(value).join(' ') : JSON.stringify(value)})`
}
