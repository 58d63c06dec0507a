import type { Step } from '../../../../spec/model/case.js'
import { type FormPair, PLAIN_FORM, pairsOf, plainParameter } from '../../../drivers/pair/probe.js'

const FORM = 'application/x-www-form-urlencoded'
const PLAIN_NAMES: readonly string[] = PLAIN_FORM.map(([name]) => name)

/** The place under which a parameter of a login, or a member of a registration, is counted. */
export const FIELDS: Readonly<Record<string, string>> = {
  grant_type: 'grant type',
  username: 'user name',
  userName: 'user name',
  password: 'password',
  email: 'e-mail',
}

/** How a parameter is renamed that a service may still read as a plain one. */
export function renameOf(name: string): { readonly of: string; readonly how: string } | undefined {
  const of = name
    .toLowerCase()
    .replace(/\[.*\]$/, '')
    .trim()
    .replace('.', '_')
  if (name === of || !PLAIN_NAMES.includes(of)) return undefined
  return { of, how: name.toLowerCase() === of ? 'in other letter case' : name.replace(of, '…') }
}

export function inUsualOrder(pairs: readonly FormPair[]): readonly FormPair[] {
  const rank = ([name]: FormPair): number =>
    PLAIN_NAMES.includes(name) ? PLAIN_NAMES.indexOf(name) : PLAIN_NAMES.length
  return pairs.toSorted((a, b) => rank(a) - rank(b))
}

export function isUsualOrder(pairs: readonly FormPair[]): boolean {
  const places = pairs.map(([name]) => PLAIN_NAMES.indexOf(name)).filter((place) => place >= 0)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}

/** What a plain request has there: the account's, or, after a registration, the new account's. */
export function isPlainValue(steps: readonly Step[], at: number, name: string, value: string): boolean {
  if (steps[at]?.register !== undefined) return value === `$fresh.${name}`
  if (value === plainParameter(name)) return true
  const made = steps.slice(0, at).flatMap(({ register }) => register ?? [])
  if (made.length === 0) return false
  if (name === 'username')
    return /^\$fresh\.(?:userName|loginName)$/.test(value) || made.some(({ userName }) => userName === value)
  return name === 'password' && made.some(({ password = '$fresh.password' }) => password === value)
}

/** The text that a request has in a place. */
export function valueAt({ send, register }: Step, place: string): string | undefined {
  if (place === 'path' && register === undefined) return send?.path
  if (place === 'media type' && register === undefined) return send?.contentType ?? undefined
  const fields = register === undefined ? (pairsOf(send?.form) ?? []) : Object.entries(register)
  return fields.find(([name]) => FIELDS[name] === place)?.[1]
}

/** The same request with another text there. */
export function withValue(step: Step, place: string, value: string): Step {
  const { send, register } = step
  const replaced = (pairs: readonly FormPair[]) =>
    pairs.map(([name, own]): FormPair => [name, FIELDS[name] === place ? value : own])
  if (register !== undefined)
    return { ...step, register: Object.fromEntries(replaced(Object.entries(register))) }
  if (place === 'path') return { ...step, send: { ...send, path: value } }
  if (place === 'media type') return { ...step, send: { ...send, contentType: value } }
  return { ...step, send: { ...send, form: replaced(pairsOf(send?.form) ?? []) } }
}

/** The text that a plain request has there. */
export function plainValue({ register }: Step, place: string): string | undefined {
  const name = Object.keys(FIELDS).find((own) => FIELDS[own] === place)
  if (register !== undefined) return `$fresh.${place === 'user name' ? 'userName' : name}`
  if (place === 'path') return '/Token'
  if (place === 'media type') return FORM
  return name === undefined ? undefined : plainParameter(name)
}

/** The request with the plain thing in that place: one request for each parameter that is there more than once. */
export function restorations(step: Step, place: string): readonly Step[] {
  const pairs = pairsOf(step.send?.form) ?? []
  const repeated = pairs.filter(([name]) => FIELDS[name] === place)
  const plain = plainValue(step, place)
  if (repeated.length < 2 || plain === undefined) return [restored(step, place, plain) ?? []].flat()
  return repeated.map((own) => ({
    ...step,
    send: { ...step.send, form: pairs.map((pair): FormPair => (pair === own ? [own[0], plain] : pair)) },
  }))
}

/** Members of a request that are left out of a plain one, by their places. */
const OMITTED = {
  method: 'method',
  path: 'path',
  spelling: 'spelling',
  'media type': 'contentType',
  query: 'query',
} as const

function restored(step: Step, place: string, plain: string | undefined): Step | undefined {
  const { send, register } = step
  if (register !== undefined) return plain === undefined ? undefined : withValue(step, place, plain)
  if (send === undefined) return undefined
  if (place === 'media type' && send.form === undefined) return withValue(step, place, FORM)
  if (isOmitted(place)) {
    const { [OMITTED[place]]: _, ...rest } = send
    return { ...step, send: rest }
  }
  const [, header] = /^header (.*)$/.exec(place) ?? []
  if (header !== undefined) {
    const headers = Object.entries(send.headers ?? {}).filter(([name]) => name.toLowerCase() !== header)
    return { ...step, send: { ...send, headers: Object.fromEntries(headers) } }
  }
  const pairs = pairsOf(send.form)
  const field = PLAIN_FORM.find(([name]) => FIELDS[name] === place)
  if (pairs === undefined || field === undefined) return undefined
  const rest = pairs.filter(([name]) => name !== field[0])
  return { ...step, send: { ...send, form: inUsualOrder([...rest, field]) } }
}

function isOmitted(place: string): place is keyof typeof OMITTED {
  return Object.hasOwn(OMITTED, place)
}
