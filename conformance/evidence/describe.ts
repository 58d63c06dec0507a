import type { JsonMember } from '../../spec/model/json.js'
import type { Specification } from '../../spec/model/specification.js'
import type { HttpResponse } from '../exchange/http-response.js'
import { namesInClear } from '../target/account-binding.js'
import type { Account, Deployment, Secret } from '../target/deployment.js'
import { hideMembersOfJson, isMessage, isSecretMember } from './hidden-fields.js'
import { ownCopy } from './own-copy.js'
import { MIN_IN_TEXT, type Vocabulary } from './redact.js'

/** Of the cases and observations that a recording adds. */
export const RECORDED_SECTION = 'har:request'
/** Of a case with a request that someone wrote. */
export const EDITED_SECTION = 'edited'
const NO_WORDS_OF: readonly string[] = [RECORDED_SECTION, EDITED_SECTION]
const MAX_SHOWN = 200
/**
 * Of what a judgement describes, with what only a name says to be a secret. It is cut for the report when that is out: a cut
 * through one would leave half of it.
 */
const MAX_DESCRIBED = 64 * 1024

export function describeMember(response: HttpResponse, member: JsonMember): string {
  const { value } = member
  const saysWhy = value.kind === 'string' && isMessage(member.name, value.value)
  if (isSecretMember(member.name) && value.kind !== 'literal' && !saysWhy) {
    if (value.kind !== 'string')
      return `‹${member.name}, ${value.kind === 'number' ? 'a' : 'an'} ${value.kind}›`
    return value.value === '' ? '""' : `‹${member.name} of ${value.value.length} characters›`
  }
  return described(response.text.replace(/^\ufeff/, '').slice(value.start, value.end))
}

/** Before it is shown, it is redacted, and then `hideSecretMembers` is applied: see `hideSecrets`. */
export function describeBody(response: HttpResponse): string {
  return response.text === '' ? 'an empty body' : described(response.text)
}

function described(text: string): string {
  // Of its own: a judgement is kept for longer than the answer.
  return ownCopy(hideMembersOfJson(text.slice(0, MAX_DESCRIBED)))
}

/** The names of the body's members, where it is an object: what there is in place of one that is missing. */
export function describeMembers(response: HttpResponse): string {
  const { root } = response.json
  if (root?.kind !== 'object') return describeBody(response)
  if (root.members.length === 0) return 'an object without members'
  return cut(`the members ${root.members.map(({ name }) => name).join(', ')}`)
}

export function cut(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`
}

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

type ShownDeployment = Pick<Deployment, 'shownBaseUrl' | 'rehearsal' | 'tokenRequest'> & {
  readonly accounts: readonly Account[]
}

/**
 * The same and what reports show of deployments: a password that is a user name, or a word of one or of a base URL, would be
 * given away there.
 */
export function vocabularyWith(
  deployments: readonly ShownDeployment[],
  specification: Specification,
): Vocabulary {
  const { has, hasPart } = vocabularyOf(specification)
  const names = deployments.flatMap((one) => [...baseUrlsOf(one), ...namesInClear(one.accounts)])
  const shown = [...new Set(names.map((name) => name.toLowerCase()))]
  const isShown = (word: string): boolean => shown.some((name) => isWordOf(name, word.toLowerCase()))
  return {
    isShown,
    has: (word) => isShown(word) || has(word),
    hasPart: (word) => shown.some((name) => name.includes(word.toLowerCase())) || hasPart(word),
  }
}

/** With the path of the token endpoint: a `Referer` may be any part of it. */
function baseUrlsOf({ shownBaseUrl, rehearsal, tokenRequest }: ShownDeployment): readonly string[] {
  const { path = '/Token' } = tokenRequest?.shown ?? tokenRequest ?? {}
  const { instances = [], resources = [] } = rehearsal ?? {}
  const others = [...instances, ...resources.flatMap(({ baseUrls = [] }) => baseUrls)]
  return [shownBaseUrl + path, ...others.map((other) => other.shownBaseUrl)]
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
    text ??= (
      OF_REPORTS + JSON.stringify([requirements, ...[cases, observations].map(ofReports)])
    ).toLowerCase()
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
    isShown: () => false,
  }
}

/** What a client sent, or someone wrote, is no word of reports: it may be a secret. */
function ofReports(items: readonly { readonly section: string }[]): readonly object[] {
  return items.filter(({ section }) => !NO_WORDS_OF.includes(section))
}

/** Whether a secret would be found in a name: letters and digits as a word of their own, any other text wherever it is. */
function isWordOf(name: string, text: string): boolean {
  if (text === '' || !name.includes(text)) return false
  return !/^[a-z\d]+$/.test(text) || new RegExp(`(?<![a-z\\d])${text}(?![a-z\\d])`).test(name)
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
export function secretWarnings(
  all: readonly Secret[],
  deployments: readonly ShownDeployment[],
  specification: Specification,
): readonly string[] {
  const vocabulary = vocabularyWith(deployments, specification)
  // What is said of an excerpt is not true of the whole.
  const isPart = ({ value, label }: Secret): boolean =>
    all.some((one) => one.label === label && one.value !== value && one.value.includes(value))
  const secrets = all.filter((one) => !isPart(one))
  const list = (chosen: readonly Secret[]): string =>
    [...new Set(chosen.map(({ label }) => label))].join(', ')
  const ordinary = secrets.filter(({ isOrdinary }) => isOrdinary)
  const names = secrets.filter(({ value, isOrdinary }) => !isOrdinary && vocabulary.isShown(value))
  const others = secrets.filter((secret) => !ordinary.includes(secret) && !names.includes(secret))
  const short = others.filter(({ value }) => value.length < MIN_IN_TEXT)
  const words = others.filter(({ value }) => value.length >= MIN_IN_TEXT && vocabulary.has(value))
  return [
    ...(ordinary.length === 0
      ? []
      : [`${list(ordinary)}: one or two characters, so not treated as a secret`]),
    ...(short.length === 0
      ? []
      : [
          `${list(short)}: shorter than ${MIN_IN_TEXT} characters, so not hidden inside what the service repeats`,
        ]),
    ...(names.length === 0
      ? []
      : [`${list(names)}: a word of a user name or of the base URL, so reports show it`]),
    ...(words.length === 0 ? [] : [`${list(words)}: an ordinary word of reports, so reports show it`]),
  ]
}
