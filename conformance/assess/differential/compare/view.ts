import type { Asked } from '../../../drivers/pair/side.js'
import { isAccepted } from '../../../drivers/send/session/send.js'
import type { SentRequest, Session } from '../../../drivers/send/session/session.js'
import type { FailureKind } from '../../../exchange/exchange.js'
import { canonicalMediaType } from '../../../exchange/headers.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { membersOf } from '../../../exchange/template.js'
import { type Known, Normaliser, type Seen } from './normalise.js'

/** What became of a request, as a client would put it. */
export type Fate = 'granted' | 'registered' | 'done' | 'refused'

/** An answer as clients see it. */
export interface View {
  readonly isRegistration: boolean
  readonly fate: Fate
  /** Or how the connection ended. */
  readonly status: string
  readonly mediaType: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Seen
  /** Why the body is no strict JSON, where it is JSON at all. */
  readonly problems: string
}

/** The answers to a probe, or why there is nothing to compare. */
export type Views = readonly View[] | { readonly trouble: string }

/** A client sees these as it sees an answer: the service does it each time. The other failures are trouble on the way. */
const ENDS: Partial<Readonly<Record<FailureKind, string>>> = {
  reset: 'closed',
  incomplete: 'cut off',
  protocol: 'not HTTP',
  encoding: 'undecodable',
}

/** How an answer travels, what follows from its body, and what names the software: no client goes by it. */
const UNSEEN =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|content-type|server|x-powered-by|via|age|etag|last-modified|date|trailer|x-(?:request|correlation|trace)-id|traceparent)$/

export function viewsOf(asked: Asked): Views {
  const { session } = asked.run
  const judged = asked.sent.filter(({ label }) => label !== 'prepare')
  const normaliser = new Normaliser(knownOf(asked))
  const views: View[] = []
  for (const sent of judged) {
    const { failure } = sent.exchange
    if (failure !== undefined && ENDS[failure.kind] === undefined) return { trouble: failure.message }
    if (failure === undefined && !(sent.response instanceof HttpResponse))
      return { trouble: sent.response.reason }
    views.push(viewOf(sent, session, normaliser))
  }
  return asked.lost ? { trouble: 'a registration was lost with its connection' } : views
}

const EMPTY: Seen = { kind: 'leaf', type: 'empty', text: '' }

function viewOf(sent: SentRequest, session: Session, normaliser: Normaliser): View {
  const { response, exchange } = sent
  const isRegistration = sent.candidate !== undefined
  if (!(response instanceof HttpResponse)) {
    const status = ENDS[exchange.failure?.kind ?? 'reset'] ?? 'closed'
    return {
      isRegistration,
      fate: 'refused',
      status,
      mediaType: '',
      headers: new Map(),
      body: EMPTY,
      problems: '',
    }
  }
  const { raw, json, text } = response
  const contentType = response.header('content-type')
  const isJson = json.root !== undefined && json.root.kind !== 'number'
  return {
    isRegistration,
    fate: fateOf(sent, response, session),
    status: String(raw.status),
    mediaType: contentType === undefined ? 'none' : (canonicalMediaType(contentType) ?? contentType),
    headers: headersOf(raw.headers, normaliser),
    body:
      isJson && json.root !== undefined
        ? normaliser.json(json.root, response.time.instant)
        : textOf(text, normaliser),
    problems: isJson ? json.problems.join('; ').replace(/\d+/g, 'n') : '',
  }
}

function fateOf(sent: SentRequest, response: HttpResponse, session: Session): Fate {
  if (response.yieldsToken) return 'granted'
  if (sent.candidate !== undefined) return isAccepted(sent, session) ? 'registered' : 'refused'
  return response.status < 300 && response.member('error') === undefined ? 'done' : 'refused'
}

/** Longer texts are compared so far. */
const MAX_WORDS = 2000

/** A text by its words and signs. */
function textOf(text: string, normaliser: Normaliser): Seen {
  if (text === '') return EMPTY
  const words =
    normaliser.text(text.slice(0, 100_000)).match(/‹[^›]*›|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  const items = words.slice(0, MAX_WORDS).map((word): Seen => ({ kind: 'leaf', type: 'text', text: word }))
  return { kind: 'array', items }
}

function headersOf(raw: HttpResponse['raw']['headers'], normaliser: Normaliser): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of raw) {
    const lower = name.toLowerCase()
    // Whether there is one at all is seen: clients take the time from it.
    const shown =
      lower === 'date' ? '‹date›' : UNSEEN.test(lower) ? undefined : headerValue(lower, value, normaliser)
    if (shown === undefined) continue
    const before = headers.get(lower)
    headers.set(lower, before === undefined ? shown : `${before}, ${shown}`)
  }
  return headers
}

function headerValue(name: string, value: string, normaliser: Normaliser): string {
  if (/^set-cookie2?$/.test(name))
    return value.replace(/=[^;]*/, '=‹value›').replace(/(expires=)[^;]*/i, '$1‹date›')
  return normaliser.text(value.replace(/(access_token=)[^&#\s]+/g, '$1‹access token›'))
}

/** A side's own names, and what may stand in the place of them on the other side. */
function knownOf({ run, sent }: Asked): Known {
  const { origin, basePath } = run.session
  const fresh = (['fresh', 'second', 'each'] as const).flatMap((name) => {
    const bound = membersOf(run.bindings[name])
    return (['email', 'userName', 'loginName'] as const).flatMap(
      (part): readonly (readonly [string, string])[] => {
        const text = bound[part]
        return text !== undefined && 'wire' in text ? variants(text.wire, `‹${part} of ${name}›`) : []
      },
    )
  })
  const registered = sent.flatMap(({ candidate }) =>
    candidate === undefined
      ? []
      : [...variants(candidate.email.wire, '‹email›'), ...variants(candidate.userName.wire, '‹userName›')],
  )
  const { accounts } = run.session.deployment
  const isDeclared = accounts.some(({ userName }) => userName === run.account.userName)
  const own: Known = isDeclared ? [] : variants(run.account.userName, '‹userName of the account›')
  const nonce = run.session.run.nonce
  const all: Known = [
    ...own,
    ...registered,
    ...fresh,
    ...variants(nonce, '‹run›'),
    [`${origin}${basePath}`, '‹base›'],
    [origin, '‹origin›'],
    [new URL(origin).host, '‹host›'],
  ]
  return all.filter(([text]) => text.length > 3).sort(([a], [b]) => b.length - a.length)
}

function variants(text: string, label: string): Known {
  return [
    [text, label],
    [text.toUpperCase(), label],
  ]
}
