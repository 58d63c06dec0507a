import type { Fields, RequestTemplate } from '../../spec/model/case.js'
import type { Json } from '../../spec/model/json.js'
import type { Binding } from '../generators/generator.js'
import { encodeFormText, type FormSpelling, orderPairs, USUAL_SPELLING } from '../wire/form.js'
import type { PreparedRequest, SpelledPair } from '../wire/prepared-request.js'
import { plain, type RedactableText } from '../wire/redactable-text.js'

const FORM = 'application/x-www-form-urlencoded'
const WHOLE_REFERENCE = /^\$([A-Za-z]\w*(?:\.\w+)*)$/
const REFERENCE = /\$\$|\$([A-Za-z]\w*(?:\.\w+)*)/g

/** In place of a secret. */
const LABEL = /‹[^‹›]*›/

export type Bindings = Readonly<Record<string, Binding>>

/**
 * Fills in a template.
 * @param shownTemplate the same with labels, where what is shown of it differs
 * @throws TypeError on a reference that nothing is bound to: the spec check rules that out
 */
export function prepareRequest(
  template: RequestTemplate,
  bindings: Bindings,
  basePath: string,
  shownTemplate?: RequestTemplate,
): PreparedRequest {
  const prepared = prepare(template, bindings, basePath)
  if (shownTemplate === undefined) return prepared
  const { shownPath, headers, shownBody, form } = prepare(shownTemplate, bindings, basePath)
  const pairs = prepared.form?.map((pair, index): SpelledPair => {
    const shown = form?.[index] ?? pair
    return {
      name: pair.name,
      value: { ...pair.value, shown: shown.value.shown },
      spelled: { wire: pair.spelled.wire, shown: shown.spelled.shown },
    }
  })
  return {
    ...prepared,
    shownPath,
    headers,
    ...(shownBody === undefined ? {} : { shownBody }),
    ...(pairs === undefined ? {} : { form: pairs }),
  }
}

/** Fills in a template. @throws TypeError on a reference that nothing is bound to: the spec check rules that out. */
function prepare(template: RequestTemplate, bindings: Bindings, basePath: string): PreparedRequest {
  const method = template.method ?? 'POST'
  const query =
    template.query === undefined ? undefined : spellPairs(template.query, bindings, USUAL_SPELLING)
  const path = fill(template.path ?? '/Token', bindings, inPath)
  const target = concat([
    // What is shown of it is known by the channel.
    { wire: basePath, shown: '' },
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
  // Beside a form a query names no one, whatever a service makes of it.
  const userName = (form ?? query)?.find(({ name }) => name.wire === 'username')?.value.wire
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
    ...(form === undefined && template.json !== undefined ? { isJson: true } : {}),
    ...(form === undefined ? {} : { form }),
    ...(userName === undefined ? {} : { userName }),
    namesUser: form !== undefined || query !== undefined,
  }
}

/** Replaces the `$references` of one string; `$$` is a dollar sign. */
export function fill(
  template: string,
  bindings: Bindings,
  spell: (text: RedactableText) => RedactableText = (text) => text,
): RedactableText {
  if (!template.includes('$')) return plain(template)
  // By far the most are one reference and nothing else.
  const whole = WHOLE_REFERENCE.exec(template)?.[1]
  if (whole !== undefined) return spell(lookUp(whole, bindings))
  const parts: RedactableText[] = []
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
function inPath({ wire, shown }: RedactableText): RedactableText {
  return { wire: encodeURIComponent(wire.toWellFormed()), shown }
}

function bodyOf(
  template: RequestTemplate,
  form: readonly SpelledPair[] | undefined,
  bindings: Bindings,
): RedactableText | undefined {
  if (form !== undefined) return joinPairs(form)
  if (template.json !== undefined) return jsonText(template.json, bindings)
  return template.body === undefined ? undefined : fill(template.body, bindings)
}

function headersOf(
  template: RequestTemplate,
  body: RedactableText | undefined,
  bindings: Bindings,
): readonly (readonly [string, RedactableText])[] {
  const usual = template.form !== undefined ? FORM : template.json !== undefined ? 'application/json' : null
  const contentType = template.contentType === undefined ? usual : template.contentType
  const headers: [string, RedactableText][] = []
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
        shown: `${spelledName}=${value.shown === value.wire && !LABEL.test(value.shown) ? encodeFormText(value.shown, spelling) : value.shown}`,
      },
    }
  })
}

function joinPairs(pairs: readonly SpelledPair[]): RedactableText {
  return {
    wire: pairs.map(({ spelled }) => spelled.wire).join('&'),
    shown: pairs.map(({ spelled }) => spelled.shown).join('&'),
  }
}

function jsonText(json: Json, bindings: Bindings): RedactableText {
  const wire = (text: RedactableText): string => text.wire
  const shown = (text: RedactableText): string => text.shown
  const render = (form: (text: RedactableText) => string): string =>
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

function lookUp(reference: string, bindings: Bindings): RedactableText {
  const [variable = '', member] = reference.split('.')
  const bound = bindings[variable]
  // A text has no members: in `$userName.json` the rest is literal.
  if (bound !== undefined && isText(bound) && member !== undefined)
    return concat([bound, plain(reference.slice(variable.length))])
  const text = member === undefined ? bound : membersOf(bound)[member]
  if (text === undefined || !isText(text)) throw new TypeError(`nothing is bound to $${reference}`)
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

function isPairList(fields: Fields): fields is readonly (readonly [string, string])[] {
  return Array.isArray(fields)
}

function concat(parts: readonly RedactableText[]): RedactableText {
  return { wire: parts.map(({ wire }) => wire).join(''), shown: parts.map(({ shown }) => shown).join('') }
}
