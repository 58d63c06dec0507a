import type { Fields, RequestTemplate } from '../../spec/model/case.js'
import { CaseError } from '../../spec/model/case-error.js'
import type { Json } from '../../spec/model/json.js'
import type { HeaderList } from '../../spec/model/report.js'
import type { WireRequest } from './exchange.js'
import { encodeFormText, type FormSpelling, namedSpelling, orderPairs, USUAL_SPELLING } from './form.js'
import { parseForm } from './parse-form.js'
import { isSecret, plain, type RedactableText } from './redactable-text.js'
import { encodeUtf8 } from './utf8.js'

export const FORM = 'application/x-www-form-urlencoded'
/** Without `toWellFormed`, which k6 has not. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu
const REFERENCE = /\$\$|\$([A-Za-z]\w*(?:\.\w+)*)/g

/** In place of a secret: ‹label›. In ASCII, as a k6 script is. */
const LABEL = /(\u2039[^\u2039\u203a]*\u203a)/

/** The value of `$variable`: a text, or several under `$variable.name`. */
export type Binding = RedactableText | { readonly [name: string]: RedactableText | FormSpelling }

export type Bindings = Readonly<Record<string, Binding>>

type TextForm = 'wire' | 'shown'

/** A name and a value of a form: as texts, and as spelled. */
export interface SpelledPair {
  readonly name: string
  readonly value: RedactableText
  readonly spelled: RedactableText
}

/** A request in its two forms: the bytes, and what may be shown of them. */
export type PreparedRequest = Readonly<ReturnType<typeof prepareRequest>>

/**
 * Fills in a template. What is shown of it is made when it is asked for: of most requests no one asks.
 * @param shownTemplate the same with labels, where what is shown of it differs
 * @throws TypeError on a reference that nothing is bound to: the spec check rules that out
 */
export function prepareRequest(
  template: RequestTemplate,
  bindings: Bindings,
  basePath: string,
  shownTemplate: RequestTemplate = template,
) {
  const { method = 'POST' } = template
  const query = template.query && spellPairs(template.query, bindings, USUAL_SPELLING)
  const pairs = formOf(template, bindings)
  const body = bodyOf(template, pairs, bindings, 'wire')
  const wire: WireRequest = {
    method,
    // What is shown of the base path is known by the channel.
    path: basePath + pathOf(template, query, bindings, 'wire'),
    headers: headersOf(template, bindings, 'wire'),
    ...(body === undefined ? {} : { body: encodeUtf8(body) }),
  }
  // Beside a form a query names no one, whatever a service makes of it.
  const named = pairs ?? query
  const form =
    pairs === undefined || shownTemplate === template
      ? pairs
      : shownAs(pairs, formOf(shownTemplate, bindings))
  return {
    wire,
    method,
    /** The form's pairs in the order in which they are sent, where the body is a form. */
    form,
    /** Whether the body was written as JSON. */
    isJson: pairs === undefined && template.json !== undefined,
    /** The user name in the form, or in the query where there is no form. */
    userName: named?.find(({ name }) => name === 'username')?.value.wire,
    /** Whether the body could have named a user at all, but for being a form. */
    namesUser: named !== undefined,
    /** Path and query below the base URL. */
    get shownPath(): string {
      const shown = shownTemplate.query && spellPairs(shownTemplate.query, bindings, USUAL_SPELLING)
      return pathOf(shownTemplate, shown, bindings, 'shown')
    },
    get headers(): HeaderList {
      return headersOf(shownTemplate, bindings, 'shown')
    },
    get shownBody(): string | undefined {
      return bodyOf(shownTemplate, form, bindings, 'shown')
    },
  }
}

/** A text of a template, taken apart: what it says itself, and what it refers to. */
type TemplatePart = RedactableText | VariableReference

interface VariableReference {
  readonly variable: string
  readonly member: string | undefined
  /** As it is written after the variable. */
  readonly rest: string
}

/** More than cases and a target file have; a differential draws texts without end. */
const MAX_TEXTS = 1000
/** The texts of cases and target files, each taken apart once. */
const PARTS = new Map<string, readonly TemplatePart[]>()

function partsOf(template: string): readonly TemplatePart[] {
  const known = PARTS.get(template)
  if (known !== undefined) return known
  const parts: TemplatePart[] = []
  let from = 0
  for (const { 0: whole, 1: reference, index } of template.matchAll(REFERENCE)) {
    if (index > from) parts.push(plain(template.slice(from, index)))
    parts.push(reference === undefined ? plain('$') : referenceTo(reference))
    from = index + whole.length
  }
  if (from < template.length || from === 0) parts.push(plain(template.slice(from)))
  if (PARTS.size === MAX_TEXTS) PARTS.clear()
  PARTS.set(template, parts)
  return parts
}

function referenceTo(text: string): VariableReference {
  const [variable = '', member] = text.split('.')
  return { variable, member, rest: text.slice(variable.length) }
}

/** Replaces the `$references` of one string; `$$` is a dollar sign. */
export function fill(template: string, bindings: Bindings): RedactableText {
  const texts = partsOf(template).map((part) => textOf(part, bindings))
  const filled = texts.filter(({ wire }) => wire !== '')
  return filled.length === 1 && filled[0] !== undefined ? filled[0] : concat(filled)
}

/** The same, in one of its forms. */
function fillAs(
  form: TextForm,
  template: string,
  bindings: Bindings,
  spell: (text: string) => string = asItIs,
): string {
  let filled = ''
  for (const part of partsOf(template)) {
    const text = textOf(part, bindings)
    filled += 'rest' in part && form === 'wire' ? spell(text.wire) : text[form]
  }
  return filled
}

function asItIs(text: string): string {
  return text
}

function textOf(part: TemplatePart, bindings: Bindings): RedactableText {
  return 'rest' in part ? lookUp(part, bindings) : part
}

function pathOf(
  { path = '/Token' }: RequestTemplate,
  query: readonly SpelledPair[] | undefined,
  bindings: Bindings,
  form: TextForm,
): string {
  const filled = fillAs(form, path, bindings, inPath)
  return query === undefined ? filled : `${filled}?${joinPairs(query, form)}`
}

/** A value inside a path: its slashes and question marks are its own. */
function inPath(value: string): string {
  return encodeURIComponent(value.replace(LONE_SURROGATE, '\ufffd'))
}

function formOf(template: RequestTemplate, bindings: Bindings): readonly SpelledPair[] | undefined {
  if (template.form === undefined) return undefined
  const spelling = spellingOf(template.spelling, bindings)
  return orderPairs(spellPairs(template.form, bindings, spelling), spelling.order)
}

/** The same pairs, shown as the others are. */
function shownAs(
  pairs: readonly SpelledPair[],
  others: readonly SpelledPair[] | undefined,
): readonly SpelledPair[] {
  return pairs.map((pair, index) => {
    const { value, spelled } = others?.[index] ?? pair
    return {
      name: pair.name,
      value: { ...pair.value, shown: value.shown },
      spelled: { wire: pair.spelled.wire, shown: spelled.shown },
    }
  })
}

function bodyOf(
  { json, body }: RequestTemplate,
  pairs: readonly SpelledPair[] | undefined,
  bindings: Bindings,
  form: TextForm,
): string | undefined {
  if (pairs !== undefined) return joinPairs(pairs, form)
  if (json !== undefined) return JSON.stringify(filledJson(json, bindings, form))
  return body === undefined ? undefined : fillAs(form, body, bindings)
}

function headersOf(template: RequestTemplate, bindings: Bindings, form: TextForm): HeaderList {
  const usual = template.form !== undefined ? FORM : template.json !== undefined ? 'application/json' : null
  const contentType = template.contentType === undefined ? usual : template.contentType
  const headers: [string, string][] = []
  if (contentType !== null) headers.push(['Content-Type', fillAs(form, contentType, bindings)])
  if (template.headers !== undefined)
    for (const [name, value] of Object.entries(template.headers))
      headers.push([name, fillAs(form, value, bindings)])
  return headers
}

function spellPairs(fields: Fields, bindings: Bindings, spelling: FormSpelling): readonly SpelledPair[] {
  const entries = isPairList(fields) ? fields : Object.entries(fields)
  return entries.map(([name, template]) => {
    if (spelling.asWritten) return writtenPair(name, template, bindings, spelling)
    const value = fill(template, bindings)
    const spelledName = encodeFormText(name, spelling)
    const wire = `${spelledName}=${encodeFormText(value.wire, spelling)}`
    const isShown = value.shown === value.wire && !LABEL.test(value.shown)
    const shown = isShown ? wire : `${spelledName}=${encodeAroundLabels(value.shown, spelling)}`
    return { name, value, spelled: { wire, shown } }
  })
}

/** A label is for people: it is not encoded. */
function encodeAroundLabels(text: string, spelling: FormSpelling): string {
  const parts = text.split(LABEL)
  return parts.map((part, at) => (at % 2 === 1 ? part : encodeFormText(part, spelling))).join('')
}

/** A pair that is spelled already, but for what its references are for. */
function writtenPair(
  name: string,
  template: string,
  bindings: Bindings,
  spelling: FormSpelling,
): SpelledPair {
  const encode = (text: string): string => encodeFormText(text, spelling)
  const wire = `${name}=${fillAs('wire', template, bindings, encode)}`
  const written = fill(template, bindings)
  const shown = `${name}=${written.shown}`
  const [[decoded = name, value = ''] = []] = parseForm(encodeUtf8(wire)).pairs
  // What no label takes the place of is shown as the others are: decoded.
  return {
    name: decoded,
    value: isSecret(written) ? { ...written, wire: value } : plain(value),
    spelled: { wire, shown: isSecret(written) ? shown : wire },
  }
}

function joinPairs(pairs: readonly SpelledPair[], form: TextForm): string {
  return pairs.map(({ spelled }) => spelled[form]).join('&')
}

function filledJson(json: Json, bindings: Bindings, form: TextForm): Json {
  if (typeof json === 'string') return fillAs(form, json, bindings)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map((item: Json) => filledJson(item, bindings, form))
  const members = Object.entries(json).map(([name, value]) => [name, filledJson(value, bindings, form)])
  return Object.fromEntries(members)
}

function spellingOf(reference: string | undefined, bindings: Bindings): FormSpelling {
  if (reference === undefined) return USUAL_SPELLING
  if (!reference.startsWith('$')) return namedSpelling(reference)
  const [variable = '', member = ''] = reference.slice(1).split('.')
  const bound = membersOf(bindings[variable])[member]
  if (bound === undefined || !('plusForSpace' in bound)) throw new TypeError(`${reference} is no spelling`)
  return bound
}

function lookUp({ variable, member, rest }: VariableReference, bindings: Bindings): RedactableText {
  const bound = bindings[variable]
  // A text has no members: in `$userName.json` the rest is literal.
  if (bound !== undefined && isText(bound) && member !== undefined) return concat([bound, plain(rest)])
  const text = member === undefined ? bound : membersOf(bound)[member]
  if (text === undefined || !isText(text)) throw new CaseError(`nothing is bound to $${variable}${rest}`)
  return text
}

export function membersOf(
  bound: Binding | undefined,
): Readonly<Record<string, RedactableText | FormSpelling>> {
  return bound === undefined || isText(bound) ? {} : bound
}

export function isText(bound: Binding | FormSpelling | undefined): bound is RedactableText {
  return bound !== undefined && typeof (bound as { wire?: unknown }).wire === 'string'
}

export function isPairList(fields: Fields): fields is readonly (readonly [string, string])[] {
  return Array.isArray(fields)
}

function concat(parts: readonly RedactableText[]): RedactableText {
  return { wire: parts.map(({ wire }) => wire).join(''), shown: parts.map(({ shown }) => shown).join('') }
}
