import type { Step } from '../../../../spec/model/case.js'
import { isMap, type Json } from '../../../../spec/model/json.js'
import { PLAIN_FORM, type Probe, pairsOf } from '../../../drivers/pair/probe.js'
import { isOtherCase } from '../compare/kind-of-change.js'
import { isPlainValue, isUsualOrder } from '../shrink/places.js'

/** In what a request differs from the plain login, or from the plain registration: a phrase for each. */
export function traitsOf(steps: readonly Step[], at: number): readonly string[] {
  const step = steps[at]
  if (step?.signIn !== undefined) return [`a sign-in through a provider (${step.signIn})`]
  if (step?.register !== undefined) return registrationTraits(steps, at, step.register)
  const { method, path, query, headers, contentType, form, spelling, json, body } = step?.send ?? {}
  return [
    ...(method === undefined || method === 'POST' ? [] : [`method ${method}`]),
    ...(path === undefined || path === '/Token' ? [] : [`path \`${path}\``]),
    ...(contentType === undefined ? [] : [contentTypeTrait(contentType)]),
    ...Object.entries(headers ?? {}).map(([name, value]) => `header \`${name}: ${value}\``),
    ...(pairsOf(query) ?? []).map(([name]) => `\`${name}\` in the query`),
    ...(spelling === undefined ? [] : ['the spelling of the form']),
    ...(json === undefined ? [] : ['a JSON body']),
    ...(body === undefined ? [] : [body === '' ? 'an empty body' : 'another body']),
    ...(form === undefined ? [] : formTraits(steps, at, pairsOf(form) ?? [])),
    ...(form === undefined && json === undefined && body === undefined ? ['no body'] : []),
  ]
}

/** All of a probe in one phrase. */
export function describeProbe({ testCase: { steps, forall = {} }, values }: Probe, at: number): string {
  const traits = traitsOf(steps, at).map((trait) =>
    Object.entries(forall).reduce(
      (text, [name, generator]) => text.replace(`"$${name}"`, () => drawn(generator, values[name])),
      trait,
    ),
  )
  const before = steps.length === 1 ? '' : `, request ${at + 1} of ${steps.length}`
  const isLogin = steps[at]?.register === undefined
  const plain = isLogin ? 'the plain login' : 'a plain registration'
  const whole = isLogin ? traits.join(', ') : `a registration with ${traits.join(', ')}`
  return (traits.length === 0 ? plain : whole) + before
}

/** A value that a generator made: what it is made from may be secret. */
function drawn(generator: string, value: Json | undefined): string {
  return `(${generator}: ${isMap(value) ? Object.values(value).join(' ') : JSON.stringify(value)})`
}

function contentTypeTrait(contentType: string | null): string {
  return contentType === null ? 'no `Content-Type`' : `\`Content-Type: ${contentType}\``
}

function formTraits(
  steps: readonly Step[],
  at: number,
  pairs: readonly (readonly [string, string])[],
): readonly string[] {
  const known = PLAIN_FORM.map(([name]) => name as string)
  return [
    ...PLAIN_FORM.flatMap(([name, plain]) => {
      const values = pairs.filter(([own]) => own === name).map(([, value]) => value)
      if (values.length === 0) return [`no \`${name}\``]
      if (values.length > 1) return [`\`${name}\` ${values.length} times`]
      const [value = ''] = values
      return isPlainValue(steps, at, name, value) ? [] : [`\`${name}\` ${relation(value, plain)}`]
    }),
    ...pairs.filter(([name]) => !known.includes(name)).map(([name]) => `a parameter \`${name}\``),
    ...(isUsualOrder(pairs) ? [] : ['another order of the parameters']),
  ]
}

function registrationTraits(
  steps: readonly Step[],
  at: number,
  register: NonNullable<Step['register']>,
): readonly string[] {
  return Object.entries(register).flatMap(([name, value]) =>
    isPlainValue(steps, at, name, value) ? [] : [`\`${name}\` ${relation(value, `$fresh.${name}`)}`],
  )
}

/** How a value relates to the plain one. */
function relation(value: string, plain: string): string {
  if (value === '') return 'empty'
  if (value === `${plain} `) return 'with a space after it'
  if (value === ` ${plain}`) return 'with a space before it'
  if (value === ` ${plain} `) return 'with spaces around it'
  if (value === `${plain}!`) return 'with a sign after it'
  if (value === `x${plain}`) return 'with a letter before it'
  if (value === 'x' || value.startsWith('$second.')) return 'another'
  if (value.startsWith('$utf16.')) return 'of the minimum length in UTF-16 units'
  if (isOtherCase(value, plain)) return 'in other letter case'
  const at = value.indexOf(plain)
  if (at >= 0) {
    const rest = value.slice(0, at) + value.slice(at + plain.length)
    return `with ${quote(rest)} ${at === 0 ? 'after' : 'before'} it`
  }
  return quote(value)
}

function quote(value: string): string {
  const text = value.length > 60 ? `${value.slice(0, 60)}… (${value.length} characters)` : value
  return JSON.stringify(text)
}
