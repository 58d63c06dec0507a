import { composeReport, startOf } from '../../../reports/model/compose-report.js'
import { clientRules } from '../../../spec/load/client-suite.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { digest } from '../../../spec/model/digest.js'
import type { Judgement, Report, Trouble } from '../../../spec/model/report.js'
import type { Exchange, UnreadPiece } from '../../exchange/exchange.js'
import { requestOf } from '../../exchange/http-request.js'
import { HttpResponse, responseOf, textIn } from '../../exchange/http-response.js'
import { findExposures, judgeBearer, judgeSecrets } from '../../judge/client/exposed-secrets.js'
import { isInquiry } from '../../judge/client/token-request.js'
import { Tally } from '../../judge/tally.js'
import { type DeclaredService, isTokenPath } from '../../judge/traffic/declared.js'
import { type Exercised, exercisedBy } from '../../judge/traffic/exercised.js'
import { isFailedGrant, judgeAnswer, judgeToken } from '../../judge/traffic/judge-answer.js'
import { judgeTokenRequest } from '../../judge/traffic/judge-token-request.js'
import { SeenSecrets } from '../../judge/traffic/seen-secrets.js'
import { selectionOf } from '../../plan/select.js'
import { type HarEntry, harEntry } from './har-entry.js'
import { type PlannedCase, planTraffic } from './plan-traffic.js'
import { TrafficAccount } from './traffic-account.js'
import { type ShownTraffic, trafficEvidence } from './traffic-evidence.js'
import { trafficResult } from './traffic-result.js'

export interface AssayOptions {
  readonly declared: DeclaredService
  /** Cases, results or rules whose id matches; `*` is any text. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly strict?: boolean
  /** Exchanges and pieces that may be unread without making the verdict inconclusive. Default: 0. */
  readonly allowUnread?: number
  /** Each token request, once it is over: what makes an entry of a HAR file of it. */
  readonly onTokenRequest?: (entry: () => HarEntry | undefined) => void
}

/** What a report says of the driver that the exchanges came from. */
export interface TrafficSource {
  /** Where clients sent their requests. Default: the service's own base URL. */
  readonly url?: string
  /** What the driver counted, such as `connections: 3`. */
  readonly counted?: readonly string[]
}

/** Judges exchanges as they go by, and adds up what they show. What it keeps is bounded, however many there are. */
export class TrafficAssay {
  readonly #options: AssayOptions
  readonly #secrets: SeenSecrets
  readonly #isTokenPath: (path: string) => boolean
  readonly #planned: ReadonlyMap<string, PlannedCase & { readonly tally: Tally<ShownTraffic> }>
  readonly #startedAt = new Date()
  readonly #begin = performance.now()
  #emptyJson: HttpResponse | undefined
  #hasFailedGrant = false
  readonly #account = new TrafficAccount()
  readonly #counts = { exchanges: 0, tokenRequests: 0, granted: 0, unanswered: 0, dropped: 0 }
  readonly #statuses = new Map<number, number>()

  /** @throws AssayError `usage` for a pattern that matches nothing */
  constructor(options: AssayOptions) {
    this.#options = options
    this.#secrets = new SeenSecrets(options.declared)
    this.#isTokenPath = isTokenPath(options.declared)
    this.#planned = new Map(
      planTraffic(options).map((planned) => [planned.case, { ...planned, tally: new Tally() }]),
    )
  }

  /** Whether the bodies of a request to this path and of its answer are judged. */
  keeps(path: string): boolean {
    return this.#isTokenPath(path)
  }

  /** What has gone by so far, judged or not. */
  get account(): Pick<TrafficAccount, 'judged' | 'passedBy' | 'unread'> {
    return this.#account
  }

  add(traffic: Exchange | UnreadPiece): void {
    if ('request' in traffic) this.#addExchange(traffic)
    else this.#account.addPiece(traffic)
  }

  #addExchange(exchange: Exchange): void {
    this.#count(exchange)
    const { method, path } = requestOf(exchange)
    if (!this.#isTokenPath(path) || (isInquiry(method) && !responseOf(exchange).yieldsToken)) {
      this.#account.passBy(exchange)
      this.#judgeUse(exchange)
      if (this.#isTokenPath(path)) this.#record(exchange)
      return
    }
    this.#counts.tokenRequests++
    const why = whyUnread(exchange)
    if (why === undefined) this.#account.judge(exchange)
    else this.#account.leaveOut(exchange, why)
    // Half a request asks for nothing.
    if (exchange.request.incomplete) return
    this.#judgeTokenRequest(exchange)
    this.#record(exchange)
  }

  /** Its secrets are known by now. */
  #record(exchange: Exchange): void {
    const { declared, onTokenRequest } = this.#options
    onTokenRequest?.(() => {
      const response = responseOf(exchange)
      const isGranted = response instanceof HttpResponse && response.yieldsToken
      const name = isGranted ? exercisedBy(exchange, declared).userName : undefined
      return harEntry(exchange, name, declared, this.#secrets)
    })
  }

  #count({ response, failure }: Exchange): void {
    this.#counts.exchanges++
    if (response === undefined) {
      this.#counts.unanswered++
      if (failure?.kind !== 'abandoned' && failure?.kind !== 'late') this.#counts.dropped++
    } else if (response.status === 429 || response.status >= 500)
      this.#statuses.set(response.status, (this.#statuses.get(response.status) ?? 0) + 1)
  }

  report({ url, counted = [] }: TrafficSource = {}): Report {
    const { declared, strict = false, allowUnread = 0 } = this.#options
    const judged = [...this.#planned.values()].map(({ tally, ...planned }) => {
      const unproven = planned.hasControl && this.#counts.granted === 0 ? NO_CONTROL : undefined
      return trafficResult(planned, tally, unproven)
    })
    const results = this.#account.unread.times > allowUnread ? [...judged, this.#account.result] : judged
    const inPlan = new Set(results.flatMap(({ judgements }) => judgements.map(({ rule }) => rule)))
    const ledgers = [...clientRules(), ...loadSpecification().requirements]
    const start = startOf({
      specification: digest(ledgers),
      target: {
        name: `traffic of ${declared.shownBaseUrl}`,
        deployments: [
          { name: 'client', baseUrl: url ?? declared.shownBaseUrl, declared: {} },
          { name: 'default', baseUrl: declared.shownBaseUrl, declared: declared.declared },
        ],
      },
      startedAt: this.#startedAt,
      // Nothing is drawn.
      seed: 0,
      selection: selectionOf(this.#options),
      plan: {
        hash: digest([...this.#planned.values()].map(({ id, rules }) => [id, rules])),
        planned: results.length,
      },
    })
    const observation = {
      id: 'client:traffic/seen',
      section: 'client:traffic',
      deployment: 'default',
      statement: 'What went by.',
      observed: [...counted, ...this.#seen(), ...this.#account.lines].join(', '),
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

  #judgeTokenRequest(exchange: Exchange): void {
    const { declared, strict = false } = this.#options
    const response = responseOf(exchange)
    const exercised = exercisedBy(exchange, declared)
    this.#secrets.learnSent(exchange)
    const isGranted = response instanceof HttpResponse && response.yieldsToken
    const clash = isGranted ? this.#onGrant(exercised, response) : undefined
    if (response instanceof HttpResponse) this.#secrets.learnIssued(exchange, response)
    const grantedName = isGranted ? exercised.userName : undefined
    const found = isGranted ? 'right' : 'not known'
    if (!exercised.isOther)
      this.#add(
        'client:traffic/token-request',
        judgeTokenRequest(exchange, declared, exercised, found),
        exchange,
        grantedName,
      )
    this.#judgeUse(exchange)
    if (!isAnswerJudged(exchange)) return
    const memory = { emptyJson: this.#emptyJson, hasFailedGrant: this.#hasFailedGrant }
    for (const judged of judgeAnswer(exercised, response, declared, memory, strict)) {
      const judgements = judged.judgements.map((judgement) =>
        clash?.rule === judgement.rule && judgement.outcome === 'passed' ? clash : judgement,
      )
      this.#add(judged.case, judgements, exchange, grantedName)
    }
    this.#hasFailedGrant ||= isFailedGrant(exercised, response)
    if (exercised.case === '4.1/json-and-empty-body' && response instanceof HttpResponse)
      this.#emptyJson = response
  }

  /** How a request uses a token that went by, and whether it shows a secret. */
  #judgeUse(exchange: Exchange): void {
    const exposures = findExposures(exchange, this.#secrets)
    this.#secrets.learnCookies(exchange)
    const bearer = judgeBearer(exchange, exposures, this.#secrets)
    if (bearer !== undefined) this.#add('client:traffic/bearer', [bearer], exchange)
    // A request that has no secret keeps none.
    const { method, path } = requestOf(exchange)
    const hasSecret = (this.#isTokenPath(path) && !isInquiry(method)) || exposures.length > 0
    if (hasSecret || bearer !== undefined)
      this.#add('client:traffic/secrets', [judgeSecrets(exposures)], exchange)
  }

  #onGrant({ userName }: Exercised, response: HttpResponse): Judgement | undefined {
    // A token that a wrong request is given is no control of others.
    if (userName !== undefined) this.#counts.granted++
    const token = textIn(response, 'access_token')
    if (token === undefined) return undefined
    // Of whom it is, is not known: of a refresh, or of a wrong request. It is a secret all the same.
    if (userName === undefined) {
      this.#secrets.learnToken(token)
      return undefined
    }
    const grant = { userName: userName.toLowerCase(), answeredName: textIn(response, 'userName') }
    const clash = judgeToken(token, grant, this.#secrets.grantOf(token))
    this.#secrets.learnToken(token, grant)
    return clash
  }

  #add(caseId: string, all: readonly Judgement[], exchange: Exchange, grantedName?: string): void {
    const judged = this.#planned.get(caseId)
    if (judged === undefined) return
    const judgements = all.filter(({ rule }) => judged.rules.includes(rule))
    const label = this.#isTokenPath(requestOf(exchange).path) ? 'token request' : 'request'
    const evidence = (): ShownTraffic =>
      trafficEvidence(exchange, judgements, label, grantedName, this.#options.declared, this.#secrets)
    judged.tally.add(judgements, evidence)
  }

  #seen(): readonly string[] {
    const { exchanges, tokenRequests, granted, unanswered } = this.#counts
    return [
      `requests: ${exchanges}`,
      `token requests: ${tokenRequests}`,
      `granted: ${granted}`,
      `without an answer: ${unanswered}`,
    ]
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

/** As in `run`: the valid request that each of these differs from by one change. */
const NO_CONTROL =
  'no valid request was granted: what a service refuses shows nothing where it may refuse everything'

/** Why an answer shows nothing: what cannot be read shows no more than what did not come. */
const NOT_JUDGED = new Set(['abandoned', 'late', 'protocol', 'encoding'])

function isAnswerJudged(exchange: Exchange): boolean {
  const { request, response, failure } = exchange
  return (
    !isCutShort(exchange) &&
    !NOT_JUDGED.has(failure?.kind ?? '') &&
    !request.truncated &&
    !response?.truncated
  )
}

/** Whether the service ended the connection inside its answer. One that never began to answer is blamed for that. */
function isCutShort({ failure, bytes }: Exchange): boolean {
  return failure?.kind === 'incomplete' || (failure?.kind === 'reset' && (bytes?.received ?? 0) > 0)
}

/** Why a token request, or what came of its answer, is not judged. */
function whyUnread(exchange: Exchange): string | undefined {
  const { request, response, failure, bytes } = exchange
  if (request.incomplete) return 'the request ended before its body was complete'
  if (request.truncated) return 'the body of the request is longer than what is judged'
  if (failure?.kind === 'encoding') return `the answer cannot be read: ${failure.message}`
  if (response?.truncated) return 'the body of the answer is longer than what is judged'
  if (isCutShort(exchange)) return 'the service ended the connection inside the answer'
  if (failure?.kind !== 'abandoned') return undefined
  return bytes !== undefined && bytes.received > 0
    ? 'the client ended the connection inside the answer'
    : 'no answer came before the client or the proxy ended the connection'
}
