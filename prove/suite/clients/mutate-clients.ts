import { assayClient } from '../../../conformance/assess/client/assay-client.js'
import type { AssayClientOptions } from '../../../conformance/assess/client/options.js'
import { clientRules, clientSuite } from '../../../spec/load/client-suite.js'
import { inParallel } from '../../../spec/model/items.js'
import type { Judgement } from '../../../spec/model/report.js'
import type { SiteResult } from '../caught.js'
import { SESSION_FAULTS, sessionWith } from './session-faults.js'
import { CARELESS, clientWith, FAULTS, OTHER_FAULTS } from './sign-in-faults.js'

/** A decision on clients, made otherwise. */
export interface ClientSite {
  readonly id: string
  readonly rule: string
  readonly how: 'never fails' | 'is negated'
}

export const CLIENT_SITES: readonly ClientSite[] = clientRules().flatMap(({ id: rule }) =>
  (['never fails', 'is negated'] as const).map((how) => ({ id: `${rule} ${how}`, rule, how })),
)

interface Planted {
  readonly name: string
  readonly run: Parameters<typeof assayClient>[0]
  readonly breaks: readonly string[]
  readonly options: AssayClientOptions
}

/** No client that ends needs as long, on a busy machine either. */
export const TIME_OUT_MS = 300_000
const PATIENCE = ['client:refusal/silence', 'client:refusal/drip']
const SIGN_IN: AssayClientOptions = {
  seed: 1,
  skip: [clientSuite().search.id, ...PATIENCE],
  timeoutMs: TIME_OUT_MS,
}
const SESSION: AssayClientOptions = {
  seed: 1,
  only: ['client:expiry/*'],
  longRunning: true,
  timeoutMs: TIME_OUT_MS,
}

/** The scenarios whose rules a client breaks, and by turns a third of the others: each of these meets many clients. */
function metBy(turn: number, breaks: readonly string[]): readonly string[] {
  return clientSuite().scenarios.flatMap(({ id, rules }, at) =>
    rules.some((rule) => breaks.includes(rule)) || at % 3 === turn % 3 ? id : [],
  )
}

const PLANTED: readonly Planted[] = [
  { name: 'a client that keeps the contract', run: clientWith({}), breaks: [], options: SIGN_IN },
  { name: 'a session that keeps the contract', run: sessionWith({}), breaks: [], options: SESSION },
  {
    name: 'a client that gives up in time',
    run: clientWith({ patienceMs: 3000 }),
    breaks: [],
    options: { seed: 1, only: PATIENCE, patienceMs: TIME_OUT_MS, timeoutMs: TIME_OUT_MS },
  },
  {
    name: 'waits for an answer without end',
    run: clientWith({}),
    breaks: ['client:answer-patience'],
    options: { seed: 1, only: PATIENCE, patienceMs: 3000, timeoutMs: TIME_OUT_MS },
  },
  ...Object.entries({ ...FAULTS, ...CARELESS, ...OTHER_FAULTS }).map(
    ([name, { breaks, options, ...changes }], at) => ({
      name,
      run: clientWith(changes),
      breaks,
      options: { ...SIGN_IN, only: metBy(at, breaks), ...options },
    }),
  ),
  ...Object.entries(SESSION_FAULTS).map(([name, { breaks, only, ...changes }]) => ({
    name,
    run: sessionWith(changes),
    breaks,
    options: { ...SESSION, ...(only && { only }) },
  })),
]

/**
 * Lets every planted client meet the suite once, then makes each decision on clients otherwise, and expects one of them to
 * be judged otherwise.
 * @param onEscape a planted client that the suite as it is judges otherwise than by its rules
 */
export async function mutateClients(
  sites: readonly ClientSite[],
  width: number,
  onEscape: (line: string) => void,
): Promise<readonly SiteResult[]> {
  if (sites.length === 0) return []
  const judged = await inParallel(PLANTED, width, async ({ name, run, breaks, options }) => {
    const { results } = await assayClient(run, options)
    const judgements = results.flatMap((result) => result.judgements)
    const found = failedRules(judgements)
    if (!isSame(found, breaks))
      onEscape(`a client that ${name}: expected ${breaks.join(', ') || 'none'}, found ${found.join(', ')}`)
    return { name, judgements, found }
  })
  return sites.map(({ id, rule, how }): SiteResult => {
    const noticing = judged.find(({ judgements, found }) => {
      const changed = judgements.map((judgement) =>
        judgement.rule === rule ? { ...judgement, outcome: otherwise(judgement, how) } : judgement,
      )
      return !isSame(failedRules(changed), found)
    })
    return noticing === undefined ? { id } : { id, noticedBy: noticing.name }
  })
}

function otherwise({ outcome }: Judgement, how: ClientSite['how']): Judgement['outcome'] {
  if (outcome === 'failed') return 'passed'
  return outcome === 'passed' && how === 'is negated' ? 'failed' : outcome
}

function failedRules(judgements: readonly Judgement[]): readonly string[] {
  return [...new Set(judgements.flatMap(({ rule, outcome }) => (outcome === 'failed' ? [rule] : [])))].sort()
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some) === JSON.stringify([...others].sort())
}
