import { pointerTo } from '../../../../spec/model/json.js'
import { isAccepted } from '../../../drivers/send/session/send.js'
import type { SentRequest, Session } from '../../../drivers/send/session/session.js'
import { hideSecrets, hideTokenParameter, isSecretMember } from '../../../evidence/hidden-fields.js'
import type { FailureKind } from '../../../exchange/exchange.js'
import { canonicalList, canonicalMediaType, instantOf } from '../../../exchange/headers.js'
import { HttpResponse, textIn } from '../../../exchange/http-response.js'
import { membersOf } from '../../../exchange/template.js'
import { type ServiceAnswers, sentForSteps } from '../ask/service-side.js'
import { type KnownTexts, Normaliser, type NormalValue, tooMuchToCompare } from './normalise-body.js'

export type Fate = 'granted' | 'registered' | 'done' | 'refused'

export interface AnswerView {
  readonly isRegistration: boolean
  readonly fate: Fate
  /** The status code, or how the connection ended without an answer. */
  readonly status: string
  readonly mediaType: string
  /** As it is spelled. */
  readonly contentType: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: NormalValue
  /** Why a JSON body is not strict JSON. */
  readonly problems: string
  /** Where time passed since the request before: whether its token was issued later. */
  readonly issue?: 'later than before' | 'no later than before'
}

/** The answers to a probe, or why there is nothing to compare. */
export type AnswerViews = readonly AnswerView[] | { readonly trouble: string }

/** Failures that a client sees as it sees an answer, because the service causes them each time. Others are network trouble. */
const ENDS: Partial<Readonly<Record<FailureKind, string>>> = {
  reset: 'closed',
  incomplete: 'cut off',
  protocol: 'not HTTP',
  encoding: 'undecodable',
}

const UNREAD = [ENDS.incomplete, ENDS.protocol, ENDS.encoding]

/** Whether there was an answer that could not be read as a whole. */
export function isUnread({ status }: AnswerView): boolean {
  return UNREAD.includes(status)
}

/** Headers about the transport, the body or the server software: no client depends on them. */
const IGNORED_HEADERS =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|content-type|server|x-powered-by|via|age|etag|last-modified|date|trailer|x-(?:request|correlation|trace)-id|traceparent)$/

/** @param redact hides the secrets of both services */
export function viewsOf(asked: ServiceAnswers, redact: (text: string) => string): AnswerViews {
  const { session } = asked.run
  const normaliser = new Normaliser(knownTextsOf(asked), redact)
  const views: AnswerView[] = []
  let before: SentRequest | undefined
  for (const sent of sentForSteps(asked)) {
    const { failure } = sent.exchange
    if (failure !== undefined && ENDS[failure.kind] === undefined) return { trouble: failure.message }
    if (failure === undefined && !(sent.response instanceof HttpResponse))
      return { trouble: sent.response.reason }
    const root = sent.response instanceof HttpResponse ? sent.response.json.root : undefined
    const trouble = root && tooMuchToCompare(root)
    if (trouble !== undefined) return { trouble }
    const { waitMs = 0 } = asked.run.testCase.steps[views.length] ?? {}
    const view = viewOf(sent, session, normaliser)
    views.push({ ...view, ...(waitMs > SECOND_MS && issueOf(sent, before)) })
    before = sent
  }
  return asked.lost ? { trouble: 'a registration was lost with its connection' } : views
}

/** To the second, as `.issued` is written. */
const SECOND_MS = 1000

function issueOf(sent: SentRequest, before: SentRequest | undefined): Pick<AnswerView, 'issue'> {
  const [first, second] = [before, sent].map((one) => instantOf(textIn(one?.response, '.issued') ?? ''))
  if (first === undefined || second === undefined) return {}
  return { issue: second - first >= SECOND_MS ? 'later than before' : 'no later than before' }
}

const EMPTY: NormalValue = { kind: 'leaf', type: 'empty', text: '' }

function viewOf(sent: SentRequest, session: Session, normaliser: Normaliser): AnswerView {
  const { response, exchange } = sent
  const isRegistration = sent.candidate !== undefined
  if (!(response instanceof HttpResponse)) {
    const status = ENDS[exchange.failure?.kind ?? 'reset'] ?? 'closed'
    const nothing = { mediaType: '', contentType: '', headers: new Map(), body: EMPTY, problems: '' }
    return { isRegistration, fate: 'refused', status, ...nothing }
  }
  const { raw, json, text } = response
  const type = response.header('content-type')
  const contentType = type && normaliser.redact(type)
  const isJson = json.root !== undefined && json.root.kind !== 'number'
  return {
    isRegistration,
    fate: fateOf(sent, response, session),
    status: exchange.unread === undefined ? String(raw.status) : `${raw.status} and bytes of no answer`,
    mediaType: contentType === undefined ? 'none' : (canonicalMediaType(contentType) ?? contentType),
    contentType: contentType ?? 'none',
    headers: headersOf(raw.headers, normaliser),
    body:
      isJson && json.root !== undefined
        ? normaliser.json(json.root, response.time.instant)
        : textOf(text, normaliser),
    problems: isJson ? normaliser.redact(json.problems.join('; ')).replace(/\d+/g, 'n') : '',
  }
}

function fateOf(sent: SentRequest, response: HttpResponse, session: Session): Fate {
  if (response.yieldsToken) return 'granted'
  if (sent.candidate !== undefined) return isAccepted(sent, session) ? 'registered' : 'refused'
  return response.status < 300 && response.member('error') === undefined ? 'done' : 'refused'
}

/** Of a longer text, the rest is not compared. */
const MAX_WORDS = 2000

/** A text as a list of its words and punctuation marks. */
function textOf(text: string, normaliser: Normaliser): NormalValue {
  if (text === '') return EMPTY
  const words =
    normaliser
      .text(hideSecrets(text.slice(0, 100_000), { text: normaliser.redact }))
      .match(/‹[^‹›]*›|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  const items = words
    .slice(0, MAX_WORDS)
    .map((word): NormalValue => ({ kind: 'leaf', type: 'text', text: word }))
  return { kind: 'array', items }
}

function headersOf(raw: HttpResponse['raw']['headers'], normaliser: Normaliser): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of raw) {
    const lower = normaliser.redact(name.toLowerCase())
    // Clients take the time from `Date`: whether there is one counts.
    const shown =
      lower === 'date'
        ? '‹date›'
        : IGNORED_HEADERS.test(lower)
          ? undefined
          : headerValue(lower, value, normaliser)
    if (shown === undefined) continue
    const before = headers.get(lower)
    headers.set(lower, canonicalList(lower, before === undefined ? shown : `${before}, ${shown}`))
  }
  return headers
}

function headerValue(name: string, value: string, normaliser: Normaliser): string {
  if (/^set-cookie2?$/.test(name))
    return normaliser.redact(value.replace(/=[^;]*/, '=‹value›').replace(/(expires=)[^;]*/i, '$1‹date›'))
  return isSecretMember(name) ? '‹value›' : normaliser.text(hideTokenParameter(normaliser.redact(value)))
}

/** Texts that name one side, with the labels that take their places: names differ between two services. */
function knownTextsOf({ run, sent }: ServiceAnswers): KnownTexts {
  const { session, account, bindings } = run
  const { origin, basePath } = session
  const names: (readonly [text: string, label: string])[] = []
  const add = (text: string, label: string): number =>
    names.push([text, label], [text.toUpperCase(), `${label} in upper case`])
  const isDeclared = session.deployment.accounts.some(({ userName }) => userName === account.userName)
  if (!isDeclared) add(account.userName, '‹userName of the account›')
  for (const { candidate } of sent) {
    if (candidate === undefined) continue
    add(candidate.email.wire, '‹email›')
    add(candidate.userName.wire, '‹userName›')
  }
  for (const name of ['fresh', 'fresh1', 'fresh2', 'second', 'each']) {
    const bound = membersOf(bindings[name])
    for (const part of ['email', 'userName', 'loginName']) {
      const text = bound[part]
      if (text !== undefined && 'wire' in text) add(text.wire, `‹${part} of ${name}›`)
    }
  }
  add(session.run.nonce, '‹run›')
  names.push([`${origin}${basePath}`, '‹base›'], [origin, '‹origin›'], [new URL(origin).host, '‹host›'])
  return names.filter(([text]) => text.length > 3)
}

const VARIES: NormalValue = { kind: 'leaf', type: 'text', text: '‹varies›' }

/** The same without the values at these places, each a JSON pointer: what varies is no part of what an answer says. */
export function withoutValues(view: AnswerView, places: ReadonlySet<string>): AnswerView {
  if (places.size === 0) return view
  const strip = (value: NormalValue, at: string): NormalValue => {
    if (places.has(at)) return VARIES
    if (value.kind === 'array')
      return { ...value, items: value.items.map((item, index) => strip(item, pointerTo(at, index))) }
    if (value.kind !== 'object') return value
    const members = [...value.members].map(([name, own]) => [name, strip(own, pointerTo(at, name))] as const)
    return { ...value, members: new Map(members) }
  }
  return { ...view, body: strip(view.body, '') }
}

/** What an answer says: the sentences of its body, which a service may put into one text. */
export function sentencesOf({ body }: Pick<AnswerView, 'body'>): readonly string[] {
  switch (body.kind) {
    case 'leaf':
      return body.text.split(/(?<=\.) /)
    case 'array':
      return body.items.flatMap((item) => sentencesOf({ body: item }))
    case 'object':
      return [...body.members.values()].flatMap((member) => sentencesOf({ body: member }))
    case 'instant':
      return []
  }
}
