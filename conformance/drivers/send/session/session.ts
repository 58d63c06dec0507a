import { setTimeout as after } from 'node:timers/promises'
import { HIDDEN } from '../../../../spec/model/hidden-value.js'
import type { Counterexample, Judgement } from '../../../../spec/model/report.js'
import { issuedSecrets } from '../../../evidence/issued-secrets.js'
import type { Exchange } from '../../../exchange/exchange.js'
import { HttpResponse, type ResponseOrReason, textIn } from '../../../exchange/http-response.js'
import type { PreparedRequest } from '../../../exchange/template.js'
import type { Candidate } from '../../../target/accounts/fresh-account.js'
import { basePathOf } from '../../../target/base-path.js'
import type { Account, Deployment } from '../../../target/deployment.js'
import { createExecutor, type Executor } from '../transport/executor.js'
import { LeftOut } from './left-out.js'
import type { RunContext } from './run-context.js'
import { SharedControls } from './shared-controls.js'

/** Where requests go: the deployment itself, its sibling, or an outside provider. */
export interface Channel {
  readonly executor: Executor
  readonly origin: string
  /** The base URL's own path, without a trailing slash. */
  readonly basePath: string
  /** Origin and base path as they may be shown. */
  readonly shownBase: string
  readonly target: Pick<
    Deployment,
    'accounts' | 'baseUrl' | 'headers' | 'shownHeaders' | 'tls' | 'tokenRequest'
  >
}

/** One request of a case, its response, and for whom it was. */
export interface SentRequest {
  /** The step's name, or `control`. */
  readonly label: string
  readonly prepared: PreparedRequest
  readonly exchange: Exchange
  readonly response: ResponseOrReason
  /** The known account whose name was sent. */
  readonly account: Account | undefined
  /** Of a registration: what was to be registered. */
  readonly candidate?: Candidate | undefined
  /** What later steps took from its answer: JSON pointers by name. */
  readonly captured?: Readonly<Record<string, string>>
  /** The case that sent it, where another one judges it. */
  readonly ofCase?: string
  readonly shownBase: string
  readonly target: Channel['target']
}

/** The valid request that a negative case differs from by one change, sent for the same account. */
export interface ControlResult {
  readonly sent: SentRequest
  /** Why a refusal beside it shows nothing; undefined when it yields a token, whatever else is judged of it. */
  readonly problem: string | undefined
  readonly stopped: boolean
}

/** A deployment while it is being assessed. */
export interface Session extends Channel {
  readonly run: RunContext
  readonly deployment: Deployment
  /** The cases that no deployment before this one runs. */
  readonly firstCases: ReadonlySet<string>
  /** The place of its first case among those of all deployments, several of which may share one store. */
  readonly firstPlace: number
  /** Called with every response of the deployment. */
  readonly onResponse: (sent: SentRequest, caseId: string) => void
  /** What was registered, in the order of registration. */
  readonly registered: Candidate[]
  /** The same as accounts, by the name that each logs in with; of two with one name the first. */
  readonly registeredAccounts: Map<string, Account>
  /** Registrations that may have been done, or that the service may still be at: no answer came, or none that is whole. */
  readonly unanswered: Candidate[]
  /** Why what passes of a case proves nothing, by its id. */
  readonly unread: Map<string, string>
  /** A number that no other call for the same case has had. */
  readonly count: (caseId: string) => number
  /** The deployment that is this one without `userId`. */
  readonly sibling?: () => Channel
  /** The way to another origin, such as a provider's. The target's headers do not go there. */
  readonly elsewhere: (url: string, shownBase?: string) => Channel
  /** The main account has signed in at the start. */
  signedIn: boolean
  readonly leftOut: LeftOut
  readonly controls: SharedControls<ControlResult>
  /** The account of all single cases that need one to throw away and fail no login. */
  throwaway?: Promise<Account>
  /** The accounts that were refused at the start, by user name, with that login. */
  readonly refusedAccounts: Map<string, ControlResult>
  /** Waits so long, or until the run is stopped. */
  readonly wait: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

export function openSession(
  run: RunContext,
  deployment: Deployment,
  sibling: Deployment | undefined,
  onResponse: Session['onResponse'],
  firstCases: Session['firstCases'] = new Set(),
): Session {
  const { limit, signal, redactor } = run
  const channels = new Map<string, Channel>()
  const channel = (name: string, make: () => Channel): Channel => {
    const open = channels.get(name) ?? make()
    channels.set(name, open)
    return open
  }
  const counts = new Map<string, number>()
  const names = deployment.accounts.flatMap(({ userName, userId = userName }) => [userName, userId])
  return {
    ...channel(deployment.name, () => channelTo(deployment, run)),
    run,
    deployment,
    firstCases,
    firstPlace: Math.max(placeAmong(run.target.deployments, deployment), 0) * run.places.size,
    registered: [],
    registeredAccounts: new Map(),
    unanswered: [],
    unread: new Map(),
    signedIn: false,
    leftOut: new LeftOut(),
    controls: new SharedControls(),
    refusedAccounts: new Map(),
    ...(sibling === undefined ? {} : { sibling: () => channel(sibling.name, () => channelTo(sibling, run)) }),
    elsewhere: (url, shownBase) => {
      const { origin } = new URL(url)
      const { accounts, timeoutMs } = deployment
      const tls = trustFor(origin, deployment)
      return channel(origin, () => ({
        executor: createExecutor({ origin, timeoutMs, headers: [], limit, signal, ...tls }),
        origin,
        basePath: '',
        shownBase: shownBase ?? origin,
        target: { accounts, baseUrl: origin, headers: [], ...tls },
      }))
    },
    onResponse: (sent, caseId) => {
      const token = textIn(sent.response, 'access_token')
      if (sent.response instanceof HttpResponse)
        for (const secret of issuedSecrets(sent.response, sent.exchange, names))
          if (secret !== token) redactor.learnToken(secret, HIDDEN)
      if (token !== undefined) redactor.learnToken(token)
      // The response of another deployment or of a provider says nothing about this one.
      if (sent.target === deployment) onResponse(sent, caseId)
    },
    count: (caseId) => {
      const count = counts.get(caseId) ?? 0
      counts.set(caseId, count + 1)
      return count
    },
    wait: (ms) => wait(ms, signal),
    close: async () => {
      await Promise.all([...channels.values()].map(({ executor }) => executor.close()))
    },
  }
}

/** Whom the target trusts it trusts at every origin; its own certificate is shown to no other than its service. */
function trustFor(origin: string, { baseUrl, tls }: Deployment): Pick<Deployment, 'tls'> {
  if (tls === undefined) return {}
  if (new URL(baseUrl).origin === origin) return { tls }
  const { rejectUnauthorized, ca, files } = tls
  return {
    tls: {
      rejectUnauthorized,
      ...(ca === undefined ? {} : { ca }),
      ...(files?.ca === undefined ? {} : { files: { ca: files.ca } }),
    },
  }
}

function placeAmong(deployments: readonly Deployment[], { name }: Deployment): number {
  return deployments.findIndex((one) => one.name === name)
}

export function channelTo(
  deployment: Deployment,
  {
    limit,
    signal,
    onWait,
    onRequest,
    onLogin,
  }: Pick<RunContext, 'limit' | 'signal' | 'onWait' | 'onRequest' | 'onLogin'>,
): Channel {
  const { baseUrl, shownBaseUrl, timeoutMs, headers, tls, maxRequestsPerSecond } = deployment
  const { origin } = new URL(baseUrl)
  const executor = createExecutor({
    origin,
    timeoutMs,
    headers,
    limit,
    signal,
    ...(tls === undefined ? {} : { tls }),
    ...(maxRequestsPerSecond === undefined ? {} : { maxRequestsPerSecond }),
    ...(onRequest === undefined ? {} : { onRequest }),
    ...(onLogin === undefined ? {} : { onTimed: onLogin }),
    ...(onWait === undefined ? {} : { onWait: (wait) => onWait({ deployment: deployment.name, ...wait }) }),
  })
  return { executor, origin, basePath: basePathOf(deployment), shownBase: shownBaseUrl, target: deployment }
}

export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await after(ms, undefined, { signal }).catch(() => undefined)
}

/** What shows a failure, and repeats it. */
export interface Evidence {
  /** The requests of the attempt that failed, in the order of sending. */
  readonly sent: readonly SentRequest[]
  /** The one of them that the failure is about. */
  readonly about: SentRequest | undefined
  /** The failure is in how its answers compare: no one request shows it. */
  readonly isCompared?: boolean
  /** The one whose answer it should have had. */
  readonly sameAs?: SentRequest | undefined
  readonly counterexample?: Counterexample | undefined
}

/** What a case showed, before it is written down. */
export interface CaseRecord {
  readonly judgements: readonly Judgement[]
  /** The requests that the report shows, in the order of sending. */
  readonly sent: readonly SentRequest[]
  /** Of the failed judgements, by their place. */
  readonly evidence?: ReadonlyMap<number, Evidence>
  readonly stopped: boolean
  readonly runs?: number
}
