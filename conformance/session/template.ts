import type { Fields, HeaderList, Json, RequestTemplate } from '../../spec/types.js'
import type { WireRequest } from '../exchange.js'
import type { Binding } from '../generators/generator.js'
import { encodeFormText, type FormSpelling, orderPairs, USUAL_SPELLING } from '../wire/form.js'
import { plain, type Text } from './text.js'

const FORM = 'application/x-www-form-urlencoded'
const WHOLE_REFERENCE = /^\$([A-Za-z]\w*(?:\.\w+)*)$/
const REFERENCE = /\$\$|\$([A-Za-z]\w*(?:\.\w+)*)/g

export type Bindings = Readonly<Record<string, Binding>>

/** A name and a value of a form: as texts, and as spelled. */
export interface SpelledPair {
  readonly name: Text
  readonly value: Text
  readonly spelled: Text
}

/** A request in its two forms: the bytes, and what may be shown of them. */
export interface PreparedRequest {
  readonly wire: WireRequest
  readonly method: string
  /** Path and query as they may be shown. */
  readonly shownPath: string
  /** As they may be shown. */
  readonly headers: HeaderList
  readonly shownBody?: string
  /** The form's pairs in the order in which they are sent, where the body is a form. */
  readonly form?: readonly SpelledPair[]
  /** The user name in the form, where it has one. */
  readonly userName?: string
  /** Whether the body could have named a user at all, but for being a form. */
  readonly namesUser: boolean
}

/**
 * What was prepared for some bindings last: a generated request is first held to what its generators promise, and then
 * sent.
 */
const latest = new WeakMap<
  Bindings,
  { readonly template: RequestTemplate; readonly basePath: string; readonly prepared: PreparedRequest }
>()

/** Fills in a template. @throws TypeError on a reference that nothing is bound to: the spec check rules that out. */
export function prepareRequest(
  template: RequestTemplate,
  bindings: Bindings,
  basePath: string,
): PreparedRequest {
  const before = latest.get(bindings)
  if (before?.template === template && before.basePath === basePath) return before.prepared
  const prepared = prepare(template, bindings, basePath)
  latest.set(bindings, { template, basePath, prepared })
  return prepared
}

function prepare(template: RequestTemplate, bindings: Bindings, basePath: string): PreparedRequest {
  const method = template.method ?? 'POST'
  const query =
    template.query === undefined ? undefined : spellPairs(template.query, bindings, USUAL_SPELLING)
  const path = fill(template.path ?? '/Token', bindings, inPath)
  const target = concat([
    plain(basePath),
    path,
    ...(query === undefined ? [] : [plain('?'), joinPairs(query)]),
  ])
  const spelling = template.spelling === undefined ? USUAL_SPELLING : spellingOf(template.spelling, bindings)
  const form =
    template.form === undefined
      ? undefined
      : orderPairs(spellPairs(template.form, bindings, spelling), spelling.order)
  const body = bodyOf(template, form, bindings)
  const headers = headersOf(template, body, bindings)
  const shownHeaders = headers.map(([name, value]) => [name, value.shown] as const)
  const userName = [...(form ?? []), ...(query ?? [])].find(({ name }) => name.wire === 'username')?.value
    .wire
  return {
    wire: {
      method,
      path: target.wire,
      headers: headers.map(([name, value]) => [name, value.wire] as const),
      ...(body === undefined ? {} : { body: Buffer.from(body.wire, 'utf8') }),
    },
    method,
    shownPath: target.shown,
    headers: shownHeaders,
    ...(body === undefined ? {} : { shownBody: body.shown }),
    ...(form === undefined ? {} : { form }),
    ...(userName === undefined ? {} : { userName }),
    namesUser: form !== undefined || query !== undefined,
  }
}

/** Replaces the `$references` of one string; `$$` is a dollar sign. */
export function fill(
  template: string,
  bindings: Bindings,
  spell: (text: Text) => Text = (text) => text,
): Text {
  if (!template.includes('$')) return plain(template)
  // By far the most are one reference and nothing else.
  const whole = WHOLE_REFERENCE.exec(template)?.[1]
  if (whole !== undefined) return spell(lookUp(whole, bindings))
  const parts: Text[] = []
  let from = 0
  for (const match of template.matchAll(REFERENCE)) {
    parts.push(plain(template.slice(from, match.index)))
    parts.push(match[1] === undefined ? plain('$') : spell(lookUp(match[1], bindings)))
    from = match.index + match[0].length
  }
  parts.push(plain(template.slice(from)))
  const filled = parts.filter(({ wire }) => wire !== '')
  return filled.length === 1 && filled[0] !== undefined ? filled[0] : concat(filled)
}

/** A value inside a path: its slashes and question marks are its own. */
function inPath({ wire, shown }: Text): Text {
  return { wire: encodeURIComponent(wire.toWellFormed()), shown }
}

function bodyOf(
  template: RequestTemplate,
  form: readonly SpelledPair[] | undefined,
  bindings: Bindings,
): Text | undefined {
  if (form !== undefined) return joinPairs(form)
  if (template.json !== undefined) return jsonText(template.json, bindings)
  return template.body === undefined ? undefined : fill(template.body, bindings)
}

function headersOf(
  template: RequestTemplate,
  body: Text | undefined,
  bindings: Bindings,
): readonly (readonly [string, Text])[] {
  const usual = template.form !== undefined ? FORM : template.json !== undefined ? 'application/json' : null
  const contentType = template.contentType === undefined ? usual : template.contentType
  const headers: [string, Text][] = []
  if (contentType !== null && (body !== undefined || template.contentType !== undefined)) {
    headers.push(['Content-Type', fill(contentType, bindings)])
  }
  for (const [name, value] of Object.entries(template.headers ?? {})) {
    headers.push([name, fill(value, bindings)])
  }
  return headers
}

function spellPairs(fields: Fields, bindings: Bindings, spelling: FormSpelling): readonly SpelledPair[] {
  const entries = isPairList(fields) ? fields : Object.entries(fields)
  return entries.map(([name, template]) => {
    const value = fill(template, bindings)
    const spelledName = encodeFormText(name, spelling)
    return {
      name: plain(name),
      value,
      spelled: {
        wire: `${spelledName}=${encodeFormText(value.wire, spelling)}`,
        // A label is for people: it is not encoded.
        shown: `${spelledName}=${value.shown === value.wire ? encodeFormText(value.shown, spelling) : value.shown}`,
      },
    }
  })
}

function joinPairs(pairs: readonly SpelledPair[]): Text {
  return {
    wire: pairs.map(({ spelled }) => spelled.wire).join('&'),
    shown: pairs.map(({ spelled }) => spelled.shown).join('&'),
  }
}

function jsonText(json: Json, bindings: Bindings): Text {
  const wire = (text: Text): string => text.wire
  const shown = (text: Text): string => text.shown
  const render = (form: (text: Text) => string): string =>
    JSON.stringify(json, (_, value: unknown) =>
      typeof value === 'string' ? form(fill(value, bindings)) : value,
    )
  return { wire: render(wire), shown: render(shown) }
}

function spellingOf(reference: string, bindings: Bindings): FormSpelling {
  const [variable = '', member = ''] = reference.slice(1).split('.')
  const bound = membersOf(bindings[variable])[member]
  if (bound === undefined || !('plusForSpace' in bound)) throw new TypeError(`${reference} is no spelling`)
  return bound
}

function lookUp(reference: string, bindings: Bindings): Text {
  const [variable = '', member] = reference.split('.')
  const bound = bindings[variable]
  // A text has no members: in `$userName.json` the rest is literal.
  if (bound !== undefined && isText(bound) && member !== undefined)
    return concat([bound, plain(reference.slice(variable.length))])
  const text = member === undefined ? bound : membersOf(bound)[member]
  if (text === undefined || !isText(text)) throw new TypeError(`nothing is bound to $${reference}`)
  return text
}

export function membersOf(bound: Binding | undefined): Readonly<Record<string, Text | FormSpelling>> {
  return bound === undefined || isText(bound) ? {} : bound
}

export function isText(bound: Binding | FormSpelling | undefined): bound is Text {
  return bound !== undefined && typeof (bound as { wire?: unknown }).wire === 'string'
}

function isPairList(fields: Fields): fields is readonly (readonly [string, string])[] {
  return Array.isArray(fields)
}

function concat(parts: readonly Text[]): Text {
  return { wire: parts.map(({ wire }) => wire).join(''), shown: parts.map(({ shown }) => shown).join('') }
}
