import type { RequestTemplate, Step } from '../../../../spec/model/case.js'
import { PLAIN_FORM, pairsOf } from '../../../drivers/pair/probe.js'

const FORM = 'application/x-www-form-urlencoded'

type Pair = readonly [name: string, value: string]

/** Under which place a parameter, or a member of a registration, is counted. */
const FIELDS: Readonly<Record<string, string>> = {
  grant_type: 'grant type',
  username: 'user name',
  userName: 'user name',
  password: 'password',
  email: 'e-mail',
}

/**
 * Where a request is not the plain one. What a service makes of one place is one decision: which paths it serves, which
 * media types it reads, how it compares user names.
 */
export function placesOf(steps: readonly Step[], at: number): readonly string[] {
  const { send, register, signIn } = steps[at] ?? {}
  if (signIn !== undefined) return ['provider']
  if (register !== undefined)
    return Object.entries(register).flatMap(([name, value]) =>
      isPlainValue(steps, at, name, value) ? [] : [FIELDS[name] ?? name],
    )
  const { method, path, query, headers, contentType, form, spelling } = send ?? {}
  const places = [
    ...(method === undefined || method === 'POST' ? [] : ['method']),
    ...(path === undefined || path === '/Token' ? [] : ['path']),
    // A body that is no form is not sent as one.
    ...(contentType === undefined && form !== undefined ? [] : ['media type']),
    ...Object.keys(headers ?? {}).map((name) => `header ${name.toLowerCase()}`),
    ...(pairsOf(query) ?? []).map(([name]) => (name in FIELDS ? 'parameters in the query' : 'query')),
    ...(spelling === undefined ? [] : ['spelling']),
    ...(form === undefined ? ['body'] : formPlaces(steps, at, pairsOf(form) ?? [], pairsOf(query) ?? [])),
  ]
  return [...new Set(places)].sort()
}

function formPlaces(
  steps: readonly Step[],
  at: number,
  pairs: readonly Pair[],
  query: readonly Pair[],
): readonly string[] {
  const renames = pairs.flatMap(([name]) => renameOf(name) ?? [])
  const own = PLAIN_FORM.flatMap(([name]) => {
    const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
    if (values.length > 1) return ['repeated parameters']
    const [value] = values
    if (value !== undefined) return isPlainValue(steps, at, name, value) ? [] : [FIELDS[name] ?? name]
    const isElsewhere = query.some(([other]) => other === name) || renames.some(({ of }) => of === name)
    return isElsewhere ? [] : [FIELDS[name] ?? name]
  })
  const further = pairs.some(([name]) => !(name in FIELDS) && renameOf(name) === undefined)
  return [
    ...own,
    ...renames.map(({ how }) => `names of parameters ${how}`),
    ...(further ? ['further parameters'] : []),
    ...(isUsualOrder(pairs) ? [] : ['order of the parameters']),
  ]
}

/** A parameter that a service may take for one of the plain ones. */
function renameOf(name: string): { readonly of: string; readonly how: string } | undefined {
  const of = name
    .toLowerCase()
    .replace(/\[.*\]$/, '')
    .trim()
    .replace('.', '_')
  if (name === of || !PLAIN_FORM.some(([plain]) => plain === of)) return undefined
  return { of, how: name.toLowerCase() === of ? 'in other letter case' : name.replace(of, '…') }
}

export function isUsualOrder(pairs: readonly Pair[]): boolean {
  const known = PLAIN_FORM.map(([name]) => name as string)
  const places = pairs.map(([name]) => known.indexOf(name)).filter((place) => place >= 0)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}

/** What a plain request has there: the account's, or, after a registration, the new account's. */
export function isPlainValue(steps: readonly Step[], at: number, name: string, value: string): boolean {
  if (steps[at]?.register !== undefined) return value === `$fresh.${name}`
  if (value === PLAIN_FORM.find(([own]) => own === name)?.[1]) return true
  const made = steps.slice(0, at).flatMap(({ register }) => register ?? [])
  if (made.length === 0) return false
  if (name === 'username')
    return /^\$fresh\.(?:userName|loginName)$/.test(value) || made.some(({ userName }) => userName === value)
  return name === 'password' && made.some(({ password = '$fresh.password' }) => password === value)
}

/** What a request has in a place that holds one text. */
export function valueAt({ send, register }: Step, place: string): string | undefined {
  if (register !== undefined) return Object.entries(register).find(([name]) => FIELDS[name] === place)?.[1]
  if (place === 'path') return send?.path
  if (place === 'media type') return send?.contentType ?? undefined
  return (pairsOf(send?.form) ?? []).find(([name]) => FIELDS[name] === place)?.[1]
}

/** The same request with another text there. */
export function withValue(step: Step, place: string, value: string): Step {
  const { send, register } = step
  if (register !== undefined)
    return {
      ...step,
      register: Object.fromEntries(
        Object.entries(register).map(([name, own]) => [name, FIELDS[name] === place ? value : own]),
      ),
    }
  if (place === 'path') return { ...step, send: { ...send, path: value } }
  if (place === 'media type') return { ...step, send: { ...send, contentType: value } }
  const form = (pairsOf(send?.form) ?? []).map(
    ([name, own]): Pair => [name, FIELDS[name] === place ? value : own],
  )
  return { ...step, send: { ...send, form } }
}

/** The text that a plain request has there. */
export function plainValue({ register }: Step, place: string): string | undefined {
  const name = Object.keys(FIELDS).find((own) => FIELDS[own] === place)
  if (register !== undefined) return `$fresh.${place === 'user name' ? 'userName' : name}`
  if (place === 'path') return '/Token'
  if (place === 'media type') return FORM
  return PLAIN_FORM.find(([own]) => own === name)?.[1]
}

/** The same request with the plain thing in that place: one for each parameter that is there more than once. */
export function restorations(step: Step, place: string): readonly Step[] {
  const pairs = pairsOf(step.send?.form) ?? []
  const of = pairs.filter(([name]) => FIELDS[name] === place)
  const plain = plainValue(step, place)
  if (of.length < 2 || plain === undefined) return [restored(step, place) ?? []].flat()
  return of.map((own) => ({
    ...step,
    send: { ...step.send, form: pairs.map((pair): Pair => (pair === own ? [own[0], plain] : pair)) },
  }))
}

function restored(step: Step, place: string): Step | undefined {
  const { send, register } = step
  const plain = plainValue(step, place)
  if (register !== undefined) return plain === undefined ? undefined : withValue(step, place, plain)
  if (send === undefined) return undefined
  const omitted = (key: keyof RequestTemplate): Step => {
    const { [key]: _, ...rest } = send
    return { ...step, send: rest }
  }
  if (place === 'method' || place === 'path' || place === 'spelling') return omitted(place)
  if (place === 'media type')
    return send.form === undefined ? withValue(step, place, FORM) : omitted('contentType')
  if (place === 'query') return omitted('query')
  const [, header] = /^header (.*)$/.exec(place) ?? []
  if (header !== undefined) {
    const headers = Object.entries(send.headers ?? {}).filter(([name]) => name.toLowerCase() !== header)
    return { ...step, send: { ...send, headers: Object.fromEntries(headers) } }
  }
  const pairs = pairsOf(send.form)
  const field = PLAIN_FORM.find(([name]) => FIELDS[name] === place)
  if (pairs === undefined || field === undefined) return undefined
  const rest = pairs.filter(([name]) => name !== field[0])
  return { ...step, send: { ...send, form: [...rest, field].toSorted(byOrder) } }
}

function byOrder([a]: Pair, [b]: Pair): number {
  const known = PLAIN_FORM.map(([name]) => name as string)
  const rank = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length)
  return rank(a) - rank(b)
}
