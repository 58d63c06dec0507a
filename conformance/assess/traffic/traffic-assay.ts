import { composeReport, startOf } from '../../../reports/model/compose-report.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { digest } from '../../../spec/model/digest.js'
import type { Judgement, Report, Trouble } from '../../../spec/model/report.js'
import { isAnswer, type SeenAnswer, type SeenExchange } from '../../drivers/relay/seen-exchange.js'
import { decode } from '../../drivers/send/transport/decode.js'
import { type ShownTraffic, showExchange } from '../../evidence/show-exchange.js'
import type { WireResponse } from '../../exchange/exchange.js'
import { codingsOf } from '../../exchange/headers.js'
import { HttpResponse, type ResponseOrReason, responseOf } from '../../exchange/http-response.js'
import { REQUEST_RULE_IDS } from '../../judge/client/judge.js'
import { clientRules } from '../../judge/client/ledger.js'
import { Tally } from '../../judge/tally.js'
import { type Declared, isTokenPath } from '../../judge/traffic/declared.js'
import { type Exercised, exercisedBy } from '../../judge/traffic/exercised.js'
import { judgeAnswer, judgeToken } from '../../judge/traffic/judge-answer.js'
import {
  findExposure,
  judgeBearer,
  judgeSecrets,
  judgeTokenRequest,
} from '../../judge/traffic/judge-client.js'
import { type Grant, KnownSecrets } from '../../judge/traffic/known-secrets.js'
import { selectionOf } from '../../plan/select.js'
import { type PlannedCase, planTraffic } from './plan-traffic.js'
import { trafficResult } from './traffic-result.js'

export interface AssayOptions {
  readonly declared: Declared
  /** Cases, results or rules whose id matches; `*` is any text. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly strict?: boolean
}

/** What a report says of the proxy itself. */
export interface Listening {
  readonly url: string
  readonly connections: number
}

const NOTHING = new Uint8Array()

/** Judges exchanges as they go by, and adds up what they show. What it keeps is bounded, however many there are. */
export class TrafficAssay {
  readonly #options: AssayOptions
  readonly #secrets: KnownSecrets
  readonly #isTokenPath: (path: string) => boolean
  readonly #planned: readonly PlannedCase[]
  readonly #tallies: ReadonlyMap<string, Tally<ShownTraffic>>
  readonly #startedAt = new Date()
  readonly #begin = performance.now()
  /** Answers whose content coding is being undone. */
  readonly #decoding = new Set<Promise<void>>()
  #emptyJson: HttpResponse | undefined
  readonly #counts = { exchanges: 0, tokenRequests: 0, granted: 0, unanswered: 0, unreadable: 0, dropped: 0 }
  readonly #statuses = new Map<number, number>()

  /** @throws AssayError `usage` for a pattern that matches nothing */
  constructor(options: AssayOptions) {
    this.#options = options
    this.#secrets = new KnownSecrets(options.declared)
    this.#isTokenPath = isTokenPath(options.declared)
    this.#planned = planTraffic(options)
    this.#tallies = new Map(this.#planned.map((planned) => [planned.case, new Tally()]))
  }

  /** Whether the bodies of a request to this path and of its answer are judged. */
  keeps(path: string): boolean {
    return this.#isTokenPath(path)
  }

  onUnreadable(why: string): void {
    this.#counts.unreadable++
    const reason = `what a client sent could not be read: ${why}`
    this.#tallies.get('client:traffic/token-request')?.add(
      REQUEST_RULE_IDS.map((rule) => ({ rule, outcome: 'cantTell', reason })),
      () => ({ exchange: NO_EXCHANGE, redact: (judgement) => judgement }),
    )
  }

  onExchange(seen: SeenExchange): void {
    this.#counts.exchanges++
    const { answer, request } = seen
    if (!isAnswer(answer)) {
      this.#counts.unanswered++
      if (answer.by === 'service') this.#counts.dropped++
    } else if (answer.status === 429 || answer.status >= 500)
      this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
    if (!this.#isTokenPath(request.path) || isPreflight(seen)) this.#judgeUse(seen)
    else {
      this.#counts.tokenRequests++
      // Half a request asks for nothing.
      if (seen.isWhole) this.#decodeAndJudge(seen)
    }
  }

  #decodeAndJudge(seen: SeenExchange): void {
    const { answer } = seen
    const codings = isAnswer(answer) ? codingsOf(answer.headers) : []
    if (!isAnswer(answer) || codings.length === 0 || answer.bodyTooLong) {
      this.#judgeTokenRequest(seen, responseTo(seen), isAnswer(answer) ? answer.body : NOTHING)
      return
    }
    const decoding = decode(answer.body, codings, MOST_DECODED, false).then((decoded) => {
      this.#decoding.delete(decoding)
      if ('failure' in decoded) this.#judgeTokenRequest(seen, { reason: decoded.failure }, NOTHING)
      else {
        const whole = { ...answer, body: decoded.body, bodyTooLong: decoded.truncated }
        this.#judgeTokenRequest(seen, responseTo(seen, whole), decoded.body)
      }
    })
    this.#decoding.add(decoding)
  }

  async report({ url, connections }: Listening): Promise<Report> {
    await Promise.all(this.#decoding)
    const { declared, strict = false } = this.#options
    const results = this.#planned.flatMap((planned) => {
      const unproven = planned.hasControl && this.#counts.granted === 0 ? NO_CONTROL : undefined
      const tally = this.#tallies.get(planned.case)
      return tally === undefined ? [] : [trafficResult(planned, tally, unproven)]
    })
    const inPlan = new Set(results.flatMap(({ judgements }) => judgements.map(({ rule }) => rule)))
    const ledgers = [...clientRules(), ...loadSpecification().requirements]
    const start = startOf({
      specification: digest(ledgers),
      target: {
        name: `traffic of ${declared.shownBaseUrl}`,
        deployments: [
          { name: 'client', baseUrl: url, declared: {} },
          { name: 'default', baseUrl: declared.shownBaseUrl, declared: declared.declared },
        ],
      },
      startedAt: this.#startedAt,
      // Nothing is drawn.
      seed: 0,
      selection: selectionOf(this.#options),
      plan: { hash: digest(this.#planned.map(({ id }) => id)), planned: results.length },
    })
    const observation = {
      id: 'proxy:traffic/seen',
      section: 'proxy:traffic',
      deployment: 'default',
      statement: 'What went by.',
      observed: this.#seen(connections),
    }
    return composeReport(
      {
        start,
        rules: ledgers.filter(({ id }) => inPlan.has(id)),
        results,
        observations: [observation],
        trouble: [this.#trouble()],
        durationMs: performance.now() - this.#begin,
      },
      { strict },
    )
  }

  #judgeTokenRequest(seen: SeenExchange, response: ResponseOrReason, body: Uint8Array): void {
    const { declared, strict = false } = this.#options
    const { request, answer } = seen
    const exercised = exercisedBy(request, declared)
    if (exercised.password !== undefined) this.#secrets.learnPassword(exercised.password)
    const isGranted = response instanceof HttpResponse && response.yieldsToken
    const clash = isGranted ? this.#onGrant(exercised, response) : undefined
    const grantedName = isGranted ? exercised.userName : undefined
    if (!exercised.isOther)
      this.#add(
        'client:traffic/token-request',
        judgeTokenRequest(request, declared, exercised, isGranted ? 'right' : 'not known'),
        seen,
        body,
        grantedName,
      )
    this.#judgeUse(seen, body)
    // Of what was not awaited nothing is known.
    if (!isAnswer(answer) && answer.by !== 'service') return
    const memory = { emptyJson: this.#emptyJson }
    for (const judged of judgeAnswer(exercised, response, declared, memory, strict)) {
      const judgements = judged.judgements.map((judgement) =>
        clash?.rule === judgement.rule && judgement.outcome === 'passed' ? clash : judgement,
      )
      this.#add(judged.case, judgements, seen, body, grantedName)
    }
    if (exercised.case === '4.1/json-and-empty-body' && response instanceof HttpResponse)
      this.#emptyJson = response
  }

  /** How a request uses a token that went by, and whether it shows a secret. */
  #judgeUse(seen: SeenExchange, body?: Uint8Array): void {
    const exposure = findExposure(seen.request, this.#secrets)
    const bearer = judgeBearer(seen.request, exposure, this.#secrets)
    const shown = body ?? (isAnswer(seen.answer) ? seen.answer.body : NOTHING)
    if (bearer !== undefined) this.#add('client:traffic/bearer', [bearer], seen, shown)
    // A request that has no secret keeps none.
    if (body !== undefined || bearer !== undefined || exposure !== undefined)
      this.#add('client:traffic/secrets', [judgeSecrets(exposure)], seen, shown)
  }

  #onGrant({ userName }: Exercised, response: HttpResponse): Judgement | undefined {
    // A token that a wrong request is given is no control of others.
    if (userName !== undefined) this.#counts.granted++
    const token = response.member('access_token')?.value
    if (token?.kind !== 'string' || userName === undefined) return undefined
    const answered = response.member('userName')?.value
    const grant: Grant = {
      userName: userName.toLowerCase(),
      answeredName: answered?.kind === 'string' ? answered.value : undefined,
    }
    const clash = judgeToken(token.value, grant, this.#secrets.grantOf(token.value))
    this.#secrets.learnToken(token.value, grant)
    return clash
  }

  #add(
    caseId: string,
    judgements: readonly Judgement[],
    seen: SeenExchange,
    body: Uint8Array,
    grantedName?: string,
  ): void {
    const label = this.#isTokenPath(seen.request.path) ? 'token request' : 'request'
    const evidence = (): ShownTraffic =>
      showExchange(seen, label, body, grantedName, this.#options.declared, this.#secrets)
    this.#tallies.get(caseId)?.add(judgements, evidence)
  }

  #seen(connections: number): string {
    const { exchanges, tokenRequests, granted, unanswered, unreadable } = this.#counts
    return [
      `connections: ${connections}`,
      `requests: ${exchanges}`,
      `token requests: ${tokenRequests}`,
      `granted: ${granted}`,
      `without an answer: ${unanswered}`,
      `connections that could not be read to their end: ${unreadable}`,
    ].join(', ')
  }

  #trouble(): Trouble {
    const statuses = Object.fromEntries([...this.#statuses].map(([status, times]) => [String(status), times]))
    const errors = [...this.#statuses].filter(([status]) => status >= 500)
    return {
      deployment: 'default',
      requests: this.#counts.exchanges,
      serverErrors: errors.reduce((sum, [, times]) => sum + times, 0),
      dropped: this.#counts.dropped,
      timedOut: 0,
      // Whether a client waits is not seen here.
      rateLimited: 0,
      waitedMs: 0,
      ...(this.#statuses.size === 0 ? {} : { statuses }),
    }
  }
}

/** Bytes of an answer, its content coding undone: as in `run`. */
const MOST_DECODED = 1024 * 1024

/** As in `run`: the valid request that each of these differs from by one change. */
const NO_CONTROL =
  'no valid request was granted: what a service refuses shows nothing where it may refuse everything'

const NO_EXCHANGE = {
  label: 'unreadable',
  request: { method: '', url: '', headers: [] },
  response: null,
  durationMs: 0,
}

/** A browser asks before it sends what is meant (Fetch, "CORS-preflight request"). */
function isPreflight({ request: { method } }: SeenExchange): boolean {
  return method === 'OPTIONS' || method === 'HEAD'
}

function responseTo(seen: SeenExchange, answer: SeenExchange['answer'] = seen.answer): ResponseOrReason {
  const { request, startedAt, receivedAt } = seen
  const { method, path, headers } = request
  const common = {
    request: { method, path, headers },
    startedAt,
    receivedAt,
    durationMs: receivedAt - startedAt,
  }
  if (isAnswer(answer)) return responseOf({ ...common, response: wireOf(answer) })
  const kind = answer.by === 'service' && answer.closed ? 'reset' : 'incomplete'
  const message = answer.by === 'service' ? answer.reason : 'no answer was awaited'
  return responseOf({ ...common, failure: { kind, message } })
}

function wireOf({ status, headers, body, bodyTooLong }: SeenAnswer): WireResponse {
  return { status, headers, body, truncated: bodyTooLong }
}
