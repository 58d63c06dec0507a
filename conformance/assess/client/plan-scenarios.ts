import { clientCases, clientSuite } from '../../../spec/load/client-suite.js'
import { didYouMean } from '../../../spec/load/nearest.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { parseReplay } from '../../../spec/model/selection.js'
import { refuseUnmatched, type Selectable, selectRules } from '../../plan/select.js'
import type { ClientOptions, ClientReplay } from './options.js'

/** The one deployment of a report on a client. */
export const DEPLOYMENT = 'client'

export interface PlannedScenario extends Selectable {
  readonly scenario: ClientScenario
}

function allCases(): readonly PlannedScenario[] {
  return clientCases().map((scenario) => ({
    id: `${DEPLOYMENT}/${scenario.id}`,
    case: scenario.id,
    rules: scenario.rules,
    scenario,
  }))
}

/** Reads `client:request/plus`, or `client:answer/any-legal-answer@SEED:PATH`. @throws AssayError where there is none */
export function parseClientReplay(text: string): ClientReplay {
  // In reports, ids begin with the name of the deployment.
  const shown = text.startsWith(`${DEPLOYMENT}/`) ? text.slice(DEPLOYMENT.length + 1) : text
  const found = parseReplay(`${DEPLOYMENT}/${shown}`)
  const all = allCases()
  const id = found?.case ?? shown
  if (!all.some((one) => one.case === id) || (found !== undefined && id !== clientSuite().search.id)) {
    const names = all.flatMap((one) => [one.case, ...one.rules])
    const hint = didYouMean(id, names, '`--replay` takes what is shown under a failure')
    throw new AssayError('usage', `there is nothing to replay at \`${text}\`: ${hint}`)
  }
  return found === undefined ? { case: id } : { case: id, found: { seed: found.seed, path: found.path } }
}

/** The scenarios of a run, each with the rules that are judged. @throws AssayError `nothing-matches` */
export function planScenarios(
  options: Pick<ClientOptions, 'only' | 'skip' | 'replay'>,
): readonly ClientScenario[] {
  const { replay, ...selection } = options
  const all = allCases()
  if (replay === undefined) refuseUnmatched(all, selection, '`*` is any text, as in `client:answer/*`')
  const chosen = selectRules(all, replay === undefined ? selection : { only: [replay.case] })
  return chosen.map(({ scenario, rules }) => ({ ...scenario, rules }))
}

/** What is not judged of a scenario, and why. */
export function openResult(
  scenario: Pick<ClientScenario, 'id' | 'title' | 'rules'>,
  outcome: 'untested' | 'inapplicable' | 'cantTell',
  reason: string,
): Result {
  const rules = outcome === 'untested' ? [] : scenario.rules
  const judgements = rules.map((rule): Judgement => ({ rule, outcome, reason }))
  return { ...headOf(scenario), outcome, reason, durationMs: 0, judgements, exchanges: [] }
}

export function headOf({ id, title }: Pick<ClientScenario, 'id' | 'title'>) {
  return { id: `${DEPLOYMENT}/${id}`, case: id, deployment: DEPLOYMENT, title }
}
