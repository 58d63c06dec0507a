import { readJson } from '../../spec/load/read-json.js'
import type { JsonMember, JsonNode } from '../../spec/model/json.js'
import type { Specification } from '../../spec/model/specification.js'
import type { HttpResponse } from '../exchange/http-response.js'
import type { Secret } from '../target/deployment.js'
import { ownCopy, SHORTEST_IN_TEXT, type Vocabulary } from './redact.js'

const LONGEST = 200
/** Of what a judgement describes. It is cut for the report when its secrets are out: a cut through one would leave half of it. */
const LONGEST_DESCRIBED = 64 * 1024

/** A member's raw text as it may be shown. */
export function describeMember(response: HttpResponse, member: JsonMember): string {
  const { value } = member
  const isSaid = value.kind === 'string' && isMessage(member.name, value.value)
  if (isSecretMember(member.name) && value.kind !== 'literal' && !isSaid) {
    if (value.kind !== 'string')
      return `‹${member.name}, ${value.kind === 'number' ? 'a' : 'an'} ${value.kind}›`
    return value.value === '' ? '""' : `‹${member.name} of ${value.value.length} characters›`
  }
  return described(response.text.replace(/^\ufeff/, '').slice(value.start, value.end))
}

export function describeBody(response: HttpResponse): string {
  return response.text === '' ? 'an empty body' : described(response.text)
}

function described(text: string): string {
  // Of its own: a judgement is kept for longer than the answer.
  return ownCopy(withoutSecretMembers(text.slice(0, LONGEST_DESCRIBED)))
}

/** The names of the body's members, where it is an object: what there is in place of one that is missing. */
export function describeMembers(response: HttpResponse): string {
  const { root } = response.json
  if (root?.kind !== 'object') return describeBody(response)
  if (root.members.length === 0) return 'an object without members'
  return cut(`the members ${root.members.map(({ name }) => name).join(', ')}`)
}

export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}

/** Members whose values are credentials, and never shown. */
export function isSecretMember(name: string): boolean {
  return /token$|password|secret/i.test(name)
}

/**
 * Whether the value is a message about a password, such as Web API's under `model.Password`: the reason for a refusal must
 * be shown. A password that the suite sent is found in it all the same, by its text.
 */
function isMessage(name: string, value: string): boolean {
  if (!/password$/i.test(name)) return false
  return /^\S+(?: \S+){3,}$/.test(value) || /^\S+(?: \S+)+[.!]$/.test(value) || SPEAKS_OF_ITSELF.test(value)
}

const SPEAKS_OF_ITSELF = /^(?=.*\b(?:passwords?|required|invalid|missing|short|weak)\b)\S+(?: \S+)+$/i

/**
 * A body's text with the values of its secret members replaced, and every other character as it came. What is cut must
 * come from here: half a token is found by no later look.
 */
export function withoutSecretMembers(text: string): string {
  const { root } = readJson(text.replace(/^\ufeff/, ' '))
  if (root === undefined) return text.replace(LOOSE_SECRET, hideValue)
  const places: { start: number; end: number; name: string }[] = []
  // Below a secret member every value is one: `"access_token": ["…"]` is wrong, and a token all the same.
  const pending: { readonly node: JsonNode; readonly secret?: string }[] = [{ node: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, secret } = next
    if (node.kind === 'array') {
      for (const item of node.items.slice(0, 1000)) pending.push({ node: item, ...(secret && { secret }) })
    } else if (node.kind === 'object') {
      for (const { name, value } of node.members) {
        const own = secret ?? (isSecretMember(name) ? name : undefined)
        pending.push({ node: value, ...(own && { secret: own }) })
      }
    } else if (
      secret !== undefined &&
      node.kind === 'string' &&
      node.value !== '' &&
      !isMessage(secret, node.value)
    ) {
      places.push({ start: node.start + 1, end: node.end - 1, name: secret })
    } else if (secret !== undefined && node.kind === 'number') {
      places.push({ start: node.start, end: node.end, name: secret })
    }
  }
  let shown = ''
  let from = 0
  for (const { start, end, name } of places.sort((a, b) => a.start - b.start)) {
    shown += `${text.slice(from, start)}‹${name}›`
    from = end
  }
  return (shown + text.slice(from)).replace(NESTED_SECRET, '$1‹$2›')
}

const hideValue = (_: string, before: string, name: string, value: string): string => {
  const quote = /^["']/.exec(value)?.[0] ?? ''
  const end = quote !== '' && value.length > 1 && value.endsWith(quote) ? quote : ''
  return `${before}${quote}‹${name}›${end}`
}

/*
 * Both take time in proportion to the text, also a hostile one: a name's beginning is a closed list, and runs of
 * backslashes are bounded.
 */

/** In a text that is no JSON, such as half an object or a form: a name that ends in a secret's, and what follows it. */
const LOOSE_SECRET =
  /(((?:access_?|refresh_?|id_?)?(?:token|password|secret))["']?\s*[:=]\s*)("(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|[^"'&\s]+)/gi

/** In a string that holds JSON of its own. */
const NESTED_SECRET =
  /(((?:access_?|refresh_?|id_?)?(?:token|password|secret))\\{1,9}"\s*:\s*\\{1,9}").*?(?=\\{1,9}")/gi

/** Of messages, and of HTTP: what the specification's rules and cases do not name. */
const OF_REPORTS = `
  account accounts actual again another answer answered because bytes cantTell case character characters close closed
  connection Content-Length control curl date deployment deployments digit empty environment exchange expected failed false
  found given gmt header headers host html http https inconclusive inapplicable json keep-alive localhost login main message
  missing names none null object passed prepare reason refused registered registration request requests response result
  results rule rules secret send sent server service sign-in status string text text/html text/plain times transfer-encoding
  true untested value x-powered-by`

const FEW_SEARCHES = 50

const vocabularies = new WeakMap<Specification, Vocabulary>()

/** The words that the reports of a specification are written in, which a process looks for once: there may be many runs. */
export function vocabularyOf(specification: Specification): Vocabulary {
  const vocabulary = vocabularies.get(specification) ?? createVocabulary(specification)
  vocabularies.set(specification, vocabulary)
  return vocabulary
}

/**
 * The words that reports are written in: of rules, cases and messages. A secret that is one of them is not looked for in
 * texts: a label in the place of a word that everyone knows to be there would give it away. Made when first asked.
 */
function createVocabulary({ requirements, cases, observations }: Specification): Vocabulary {
  let text: string | undefined
  let words: ReadonlySet<string> | undefined
  let searches = 0
  const hasPart = (word: string): boolean => {
    text ??= (OF_REPORTS + JSON.stringify([requirements, cases, observations])).toLowerCase()
    return text.includes(word.toLowerCase())
  }
  return {
    has: (word) => {
      // Dividing the text into words takes as long as some hundred searches, and a run of one case asks for few words.
      if (words === undefined && searches++ < FEW_SEARCHES && !hasPart(word)) return false
      words ??= wordsOf(text ?? '')
      return words.has(word.toLowerCase())
    },
    hasPart,
  }
}

/** In lowercase: each run of what names are made of, and the parts of it. Thousands of cases repeat the same few runs. */
function wordsOf(text: string): ReadonlySet<string> {
  const runs = [...new Set(text.match(/[\w.+/-]+/g))]
  return new Set([
    ...runs,
    ...runs.flatMap((run) => [/\w+/g, /[a-z\d]+/g].flatMap((part) => run.match(part) ?? [])),
  ])
}

/** What the user should know of the secrets that no text is searched for, whatever a service repeats. */
export function secretWarnings(secrets: readonly Secret[], vocabulary: Vocabulary): readonly string[] {
  const list = (chosen: readonly Secret[]): string =>
    [...new Set(chosen.map(({ label }) => label))].join(', ')
  const short = secrets.filter(({ value }) => value.length < SHORTEST_IN_TEXT)
  const words = secrets.filter(({ value }) => value.length >= SHORTEST_IN_TEXT && vocabulary.has(value))
  return [
    ...(short.length === 0
      ? []
      : [
          `${list(short)}: shorter than ${SHORTEST_IN_TEXT} characters, so not hidden inside what the service repeats`,
        ]),
    ...(words.length === 0
      ? []
      : [`${list(words)}: a word of the reports themselves, so not hidden in what the service repeats`]),
  ]
}
