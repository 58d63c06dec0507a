import type { Step } from '../spec/model/case.js'
import { PLAIN_FORM, type Probe, pairsOf } from './probe.js'

/** In what a request differs from the plain login, or from the plain registration: a phrase for each. */
export function traitsOf(step: Step | undefined): readonly string[] {
  if (step?.signIn !== undefined) return [`a sign-in through a provider (${step.signIn})`]
  if (step?.register !== undefined) return registrationTraits(step.register)
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
    ...(form === undefined ? [] : formTraits(pairsOf(form) ?? [])),
    ...(form === undefined && json === undefined && body === undefined ? ['no body'] : []),
  ]
}

/** All of a probe in one phrase. */
export function describeProbe({ testCase: { steps } }: Probe, at: number): string {
  const traits = traitsOf(steps[at])
  const before = steps.length === 1 ? '' : `, request ${at + 1} of ${steps.length}`
  const plain = steps[at]?.register === undefined ? 'the plain login' : 'a plain registration'
  return (traits.length === 0 ? plain : traits.join(', ')) + before
}

function contentTypeTrait(contentType: string | null): string {
  return contentType === null ? 'no `Content-Type`' : `\`Content-Type: ${contentType}\``
}

function formTraits(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const known = PLAIN_FORM.map(([name]) => name as string)
  return [
    ...PLAIN_FORM.flatMap(([name, plain]) => {
      const values = pairs.filter(([own]) => own === name).map(([, value]) => value)
      if (values.length === 0) return [`no \`${name}\``]
      if (values.length > 1) return [`\`${name}\` ${values.length} times`]
      const [value = ''] = values
      return value === plain ? [] : [`\`${name}\` ${relation(value, plain)}`]
    }),
    ...pairs.filter(([name]) => !known.includes(name)).map(([name]) => `a parameter \`${name}\``),
    ...(isUsualOrder(pairs, known) ? [] : ['another order of the parameters']),
  ]
}

function isUsualOrder(pairs: readonly (readonly [string, string])[], known: readonly string[]): boolean {
  const places = pairs.map(([name]) => known.indexOf(name)).filter((place) => place >= 0)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}

function registrationTraits(register: NonNullable<Step['register']>): readonly string[] {
  return Object.entries(register).map(([name, value]) => `\`${name}\` ${relation(value, `$fresh.${name}`)}`)
}

/** How a value relates to the plain one. */
export function relation(value: string, plain: string): string {
  if (value === '') return 'empty'
  if (value === `${plain} `) return 'with a space after it'
  if (value === ` ${plain}`) return 'with a space before it'
  if (value === ` ${plain} `) return 'with spaces around it'
  if (value === `${plain}!`) return 'with a sign after it'
  if (value === `x${plain}`) return 'with a letter before it'
  if (value === 'x') return 'another'
  if (value === '$account.otherCase') return 'in other letter case'
  const at = value.indexOf(plain)
  if (at >= 0) {
    const rest = value.slice(0, at) + value.slice(at + plain.length)
    return `with ${quote(rest)} ${at === 0 ? 'after' : 'before'} it`
  }
  if (value.toLowerCase() === plain.toLowerCase()) return 'in other letter case'
  return quote(value)
}

function quote(value: string): string {
  const text = value.length > 60 ? `${value.slice(0, 60)}… (${value.length} characters)` : value
  return JSON.stringify(text)
}
