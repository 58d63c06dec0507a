import { readJson } from '../../spec/load/read-json.js'
import { HIDDEN } from '../../spec/model/hidden-value.js'
import type { JsonNode } from '../../spec/model/json.js'
import type { HeaderList } from '../../spec/model/report.js'
import { isCredentialHeader, SECRET_HEADER } from '../exchange/header-credentials.js'
import { isParameterName, parseForm } from '../exchange/parse-form.js'
import { hideNamedSecrets } from './named-secrets.js'
import { isKnownName, isShownName } from './parameter-names.js'
import type { Redactor } from './redact.js'

/**
 * Who wrote a message, and so what may be shown of it: the suite itself, whose secrets are labelled before they are sent; a
 * client under test, with credentials that the suite made up; or anyone, whose secrets no one has declared.
 */
export type Author = 'suite' | 'tested client' | 'anyone'

/** Headers whose values say what a message is, and are no secret: of anyone, all others are named alone. */
const HARMLESS_HEADER =
  /^(?:host|accept|accept-charset|content-type|content-length|content-encoding|transfer-encoding|connection|date|cache-control|pragma|server|vary|retry-after|allow|expires)$/i
/** Headers that a browser or a library writes by itself: of any other, the value may be a secret. */
const OF_A_LIBRARY =
  /^(?:host|accept(?:-.*)?|content-(?:type|length|language|encoding)|user-agent|origin|connection|cache-control|pragma|x-requested-with|sec-(?:fetch|ch)-.*|dnt|priority|upgrade-insecure-requests|access-control-request-.*)$/i
const SECRET_PARAMETER = /((?:^|[?&])(?:client_assertion|[^=&?]*(?:key|secret|token))=)[^&]+/gi
/** The same in what is nearly JSON. */
const LOOSE_PARAMETER =
  /((?:client_assertion|key|secret|token)["']?\s{0,9}:\s{0,9}["'])(?!\u2039)(?:[^"'\\]|\\.)+/gi

/** Whether a credential has no label: what a service names so, or what an own case sends. */
export function isBareCredential(name: string, value: string, redactor: Redactor): boolean {
  return isCredentialHeader(name) && !redactor.text(value).includes('‹')
}

/** What a recorded request has in place of a field's value. @param passwordLabel what stands for its password */
export function placeholderOf(name: string, passwordLabel: string): string {
  if (/password/i.test(name)) return `‹${passwordLabel}›`
  return /^user_?name$/i.test(name) ? '‹user name›' : HIDDEN
}

export function isHarmlessHeader(name: string): boolean {
  return HARMLESS_HEADER.test(name)
}

/** The value of a recorded header that may be shown and sent: of a `Referer` the origin, as its path may be a link that signs in. */
export function recordableHeader(name: string, value: string): string | undefined {
  if (/^referer$/i.test(name))
    return /^https?:\/\//i.test(value) && URL.canParse(value) ? `${new URL(value).origin}/` : undefined
  return OF_A_LIBRARY.test(name) ? value : undefined
}

export function hideHeaders(headers: HeaderList, author: Author, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => [redactor.text(name), hideHeader(name, value, author, redactor)])
}

function hideHeader(name: string, value: string, author: Author, redactor: Redactor): string {
  if (author === 'anyone') return isHarmlessHeader(name) ? redactor.text(value) : HIDDEN
  if (author === 'suite' && SECRET_HEADER.test(name)) return HIDDEN
  if (author === 'suite' && isBareCredential(name, value, redactor)) return HIDDEN
  // How a client sends a token that it was given is what its rules are about.
  if (author === 'tested client' && isCredentialHeader(name) && redactor.text(value) === value) return HIDDEN
  if (author === 'tested client' && /^cookie$/i.test(name)) return hidePairs(value, redactor)
  // What is known goes first: it may have `&` in it.
  return hideTokenParameter(redactor.text(value))
}

/** Beside a cookie that holds a token there are others. */
function hidePairs(cookies: string, redactor: Redactor): string {
  const shown = cookies.split(';').map((pair) => {
    const text = redactor.text(pair)
    return text === pair ? `${pair.split('=', 1)[0]}=${HIDDEN}` : text
  })
  return shown.join(';')
}

const PARAMETER = /(?<=^|[?&#])([^?&#=\s]*)=(\u2039[^\u203a]{1,300}\u203a|[^&#\s]+)/g
const IS_LABEL = /^(["']?)\u2039[^\u203a]*\u203a\1$/
const ISSUED = /^(?:code|ticket|assertion|auth|sid|session[-_]?id|at|refresh|saml_?response)$/i

/** A URL, such as that of a `Location`, without the tokens, or the code, that it carries. */
export function hideTokenParameter(url: string): string {
  return url
    .replace(/(?<=:\/\/)[^/@?#\s]*@/g, `${HIDDEN}@`)
    .replace(PARAMETER, (pair, name: string, value: string) =>
      isIssued(name, value) ? `${name}=‹${name.replaceAll('_', ' ')}›` : pair,
    )
    .replace(/(access_token=)(?!\u2039[^\u203a]*\u203a(?:[&#\s]|$))[^&#\s]+/g, '$1‹access token›')
}

/** The tokens, or the code, that a URL carries, decoded. */
export function secretsInUrl(url: string): readonly string[] {
  return [...url.matchAll(PARAMETER)].flatMap(([, name = '', value = '']) =>
    isIssued(name, value) ? decoded(value) : [],
  )
}

function isIssued(parameter: string, value: string): boolean {
  if (IS_LABEL.test(value)) return false
  return [parameter, ...namesIn(decoded(decoded(value)))].some((name) => {
    const bare = decoded(name).replace(/^.*\[|\]$/g, '')
    return isCredentialName(bare) || ISSUED.test(bare)
  })
}

/** Of the parameters of a URL that another has as its value. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/[?&#]([^?&#=\s]*)=/g)].map(([, name = '']) => name)
}

function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

/** A cookie's value is a secret wherever it is shown. */
export function hideCookie(name: string, value: string): string {
  return /^set-cookie2?$/i.test(name) ? HIDDEN : value
}

/** The query of a URL, or a form, of a client under test. */
export function hideParameters(text: string): string {
  return text.replace(SECRET_PARAMETER, `$1${HIDDEN}`).replace(LOOSE_PARAMETER, `$1${HIDDEN}`)
}

/**
 * A path without the values of its parameters (RFC 3986, section 3.3), which may be a session: `/Token;jsessionid=…`, and
 * without a fragment, which no request has.
 */
export function hidePathParameters(path: string): string {
  return path
    .replace(/#.*/s, `#${HIDDEN}`)
    .replace(/((?:;|%3b)(?:(?!%3[bd])[^;/\\=])*(?:=|%3d))[^;/\\]+/gi, `$1${HIDDEN}`)
}

/** Of anyone's query its length alone. */
export function hideQuery(query: string): string {
  const { length } = query.split('&')
  return query === '' ? '' : `?‹${length} ${length === 1 ? 'parameter' : 'parameters'}›`
}

/** Whether the value of a parameter says who asks for what, and is no secret. */
export type IsHarmless = (name: string, value: string) => boolean

/** Anyone's form, decoded: of a parameter that may be a secret its name alone. */
export function hideForm(text: string, isHarmless: IsHarmless, redactor: Redactor): string {
  const isUncertain = hasDoubtfulNames(text, redactor)
  return text
    .split('&')
    .map((pair) => {
      const [[name, value] = ['', '']] = parseForm(Buffer.from(pair, 'latin1')).pairs
      if (pair === '') return pair
      if (isUncertain ? !isKnownName(name) : !isShownName(pair, name)) return HIDDEN
      const hidden = name === 'password' ? '‹password›' : HIDDEN
      return `${redactor.text(name)}=${isHarmless(name, value) ? redactor.text(value) : hidden}`
    })
    .join('&')
}

/** Whether what looks like a name may be none: a known secret has an `&` in it, or it is no form, such as JSON. */
export function hasDoubtfulNames(form: string, redactor: Redactor): boolean {
  const pairs = form.split('&')
  const isForm = pairs.every((pair) =>
    parseForm(Buffer.from(pair)).pairs.every(([name]) => isParameterName(name)),
  )
  return !isForm || redactor.text(form).split('&').length < pairs.length
}

/** Whether a client that sends a value by this name signs in with it. */
export function isCredentialName(name: string): boolean {
  return isSecretMember(name) || /key$|assertion$|^code(?:_verifier)?$/i.test(name)
}

/** Members whose values are credentials, and never shown. */
export function isSecretMember(name: string): boolean {
  return /tokens?$|password|secret|^jwt$|api[-_]?key$|^sid$|sess(?:ion)?[-_]?id$|[cx]srf/i.test(name)
}

const NAMES = /^(?:name|key|field|k|n)$/i
const VALUES = /^(?:values?|val|text|content|data|v)$/i

/**
 * By which name a member holds a credential, if it does: its own, or in a pair such as `{"name": "access_token", "value": "…"}`
 * the other's value.
 */
export function secretNameIn({
  members,
}: JsonNode & { readonly kind: 'object' }): (member: string) => string | undefined {
  const values = members.map(({ name, value }) =>
    NAMES.test(name) && value.kind === 'string' ? value.value : '',
  )
  const pair = values.find(isSecretMember)
  return (name) => (isSecretMember(name) ? name : VALUES.test(name) ? pair : undefined)
}

/**
 * Whether the value is a message about a password, such as Web API's under `model.Password`: the reason for a refusal must
 * be shown. A password that the suite sent is found in it all the same, by its text.
 */
export function isMessage(name: string, value: string): boolean {
  if (!/password$/i.test(name)) return false
  return /^\S+(?: \S+){3,}$/.test(value) || /^\S+(?: \S+)+[.!]$/.test(value) || SPEAKS_OF_ITSELF.test(value)
}

const SPEAKS_OF_ITSELF = /^(?=.*\b(?:passwords?|required|invalid|missing|short|weak)\b)\S+(?: \S+)+$/i

/**
 * A body's text with the values of its secret members replaced, and every other character as it came. What is cut must
 * come from here: half a token is found by no later look.
 */
export function hideSecretMembers(text: string): string {
  // UTF-16, read as UTF-8.
  if (text.includes('\0')) {
    const narrow = text.replaceAll('\0', '')
    const hidden = hideSecretMembers(narrow)
    if (hidden !== narrow) return hidden
  }
  return hideNamedSecrets(replaceSecretMembers(text, (_, name) => `‹${name}›`))
}

/**
 * A text of a service as it may be shown. What is known is looked for before what is only named: where a text is no JSON, the
 * end of a named value is a guess, and the rest of a known one would be found by no later look.
 */
export function hideSecrets(text: string, redactor: Pick<Redactor, 'text'>): string {
  return hideSecretMembers(redactor.text(hideMembersOfJson(text)))
}

/** The same as `hideSecretMembers`, but only where the text is JSON: all else, also what a string quotes, is a guess. */
export function hideMembersOfJson(text: string): string {
  return replaceSecretMembers(text, (_, name) => `‹${name}›`, true)
}

/** Of a text that is no JSON, as where its end is missing, what it is searched for. */
const MAX_SEARCHED = 64 * 1024

/** What a text names a secret, as `hideSecretMembers` finds it. */
export function secretsNamedIn(text: string, max: number): readonly { name: string; value: string }[] {
  const found: { name: string; value: string }[] = []
  replaceSecretMembers(text.slice(0, MAX_SEARCHED), (value, name) => {
    if (found.length < max) found.push({ name, value })
    return value
  })
  return found
}

type Instead = (value: string, name: string) => string

/** Of so many values of JSON, one behind the other, the members are read; of what follows they are searched for. */
const MAX_VALUES = 16

/**
 * The same with anything in their places.
 * @param instead of a value as it is spelled, without its quotes
 * @param isExact only of members of JSON
 */
export function replaceSecretMembers(text: string, instead: Instead, isExact = false): string {
  const guess = (part: string, replace: typeof replaceLoose): string =>
    isExact ? part : replace(part, instead)
  const readable = text.replace(/^\ufeff/, ' ')
  let shown = ''
  let from = 0
  for (let count = 0; count < MAX_VALUES && from < text.length; count += 1) {
    const { root } = readJson(readable.slice(from))
    // A string may be the name in half an object.
    if (root === undefined || (root.kind !== 'object' && root.kind !== 'array')) break
    shown += guess(text.slice(from, from + root.start), replaceLoose)
    shown += guess(replaceMembers(text.slice(from, from + root.end), root, instead), replaceNested)
    from += root.end
  }
  return shown + guess(text.slice(from), replaceLoose)
}

function replaceLoose(text: string, instead: Instead): string {
  const shown = text.replace(LOOSE_SECRET, (all, before: string, name: string, value: string) => {
    if (IS_LABEL.test(value)) return all
    const quote = /^["']/.exec(value)?.[0] ?? ''
    const end = quote !== '' && value.length > 1 && value.endsWith(quote) ? quote : ''
    return before + quote + instead(value.slice(quote.length, value.length - end.length), name) + end
  })
  return replaceNested(shown, instead)
}

/** @param text up to the end of the value */
function replaceMembers(text: string, root: JsonNode, instead: Instead): string {
  let shown = ''
  let from = root.start
  for (const { start, end, name } of secretMembers(root)) {
    shown += text.slice(from, start) + instead(text.slice(start, end), name)
    from = end
  }
  return shown + text.slice(from)
}

function replaceNested(text: string, instead: Instead): string {
  return text.replace(
    NESTED_SECRET,
    (_, before: string, name: string, _quote: string, value: string) =>
      before + (IS_LABEL.test(value) ? value : instead(value, name)),
  )
}

interface SecretMember {
  /** Where it is in the text, without quotes. */
  readonly start: number
  readonly end: number
  readonly name: string
  readonly value: string
}

/** In the order of the text. */
export function secretMembers(root: JsonNode): readonly SecretMember[] {
  const found: SecretMember[] = []
  // Below a secret member every value is one: `"access_token": ["…"]` is wrong, and a token all the same.
  const pending: { readonly node: JsonNode; readonly secret?: string }[] = [{ node: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, secret } = next
    if (node.kind === 'array') {
      for (const item of node.items.slice(0, 1000)) pending.push({ node: item, ...(secret && { secret }) })
    } else if (node.kind === 'object') {
      const nameOf = secretNameIn(node)
      for (const { name, value } of node.members) {
        const own = secret ?? nameOf(name)
        pending.push({ node: value, ...(own && { secret: own }) })
      }
    } else if (secret !== undefined && node.kind === 'string') {
      if (node.value !== '' && !isMessage(secret, node.value))
        found.push({ start: node.start + 1, end: node.end - 1, name: secret, value: node.value })
    } else if (secret !== undefined && node.kind === 'number') {
      found.push({ start: node.start, end: node.end, name: secret, value: node.raw })
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/*
 * Both take time in proportion to the text, also a hostile one: a name's beginning is a closed list, and runs of
 * backslashes are bounded.
 */

/** In a text that is no JSON, such as half an object or a form: a name that ends in a secret's, and what follows it. */
const LOOSE_SECRET =
  /(((?:access_?|refresh_?|id_?)?(?:token|password|secret))["']?\s*(?:=>|[:=])\s*[[(]?(?:[bru](?=["']))?)(\u2039[^\u203a]{1,300}\u203a|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|[^"'&\s]+)/gi

/**
 * In a string that holds JSON of its own, up to the quote that ends the value: with as many backslashes as the one it began
 * with, but for those in pairs that belong to the value.
 */
const NESTED_SECRET =
  /(((?:access_?|refresh_?|id_?)?(?:token|password|secret))\\{1,9}"\s*:\s*(\\{1,9})")(.*?(?<!\\)(?:\3\3\\\\)*)(?=\3")/gi
