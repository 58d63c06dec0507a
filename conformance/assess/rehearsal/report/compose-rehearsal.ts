import { SUITE } from '../../../../reports/model/compose-report.js'
import type {
  Rehearsal,
  RehearsalEvidence,
  RehearsedCell,
  RehearsedCohort,
  RehearsedFact,
} from '../../../../spec/generated/types/rehearsal.js'
import { defined } from '../../../../spec/model/items.js'
import type { RunContext } from '../../../drivers/send/session/run-context.js'
import { renderSent } from '../../../evidence/render-exchange.js'
import { reproduce } from '../../../evidence/reproduce.js'
import type { OpenSides } from '../declare/open-sides.js'
import type { JudgedCell, JudgedCells } from '../expectations/judge-cells.js'
import type { JudgedFact, JudgedFacts } from '../expectations/judge-facts.js'
import { factId, factValue, type ObservedFact } from '../facts/observed-fact.js'
import { cellSentence } from './cell-sentence.js'
import { factSentence } from './fact-sentence.js'
import { openNotes } from './open-notes.js'

/** All that a rehearsal has shown. */
export interface RehearsalParts {
  readonly run: RunContext
  readonly sides: OpenSides
  readonly judged: JudgedCells
  readonly facts: JudgedFacts
  readonly cohort: RehearsedCohort | undefined
  /** What could not be tried, and for which reason. */
  readonly inconclusive: readonly string[]
  readonly durationMs: number
}

/** The report, with every secret replaced. */
export function composeRehearsal({ run, sides, judged, durationMs, ...parts }: RehearsalParts): Rehearsal {
  const { redactor, target, startedAt } = run
  const cells = judged.cells.map((one) => cellOf(one, run))
  const facts = parts.facts.facts.map((one) => factOf(one, run))
  const inconclusive = [
    ...new Set([...parts.inconclusive, ...judged.inconclusive, ...parts.facts.inconclusive]),
  ]
  const { cohort } = parts
  if (cohort?.stopped !== undefined) inconclusive.push(`cohort: ${cohort.stopped}`)
  const isDifferent = [...cells, ...facts, ...(cohort?.differences ?? [])].some(({ differs }) => differs)
  return {
    schemaVersion: 1,
    suite: SUITE,
    name: redactor.text(target.name),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(durationMs),
    verdict: isDifferent ? 'different' : inconclusive.length > 0 ? 'inconclusive' : 'as-expected',
    services: sides.issuers.map(({ name, of, role, deployment, session }) => ({
      name,
      deployment: of,
      role,
      baseUrl: redactor.text(deployment.shownBaseUrl),
      requests: session.executor.trouble.requests,
    })),
    acceptors: sides.acceptors.map(({ name, side, resource, base, channel }) => ({
      name,
      ...defined({ resource: resource.name }),
      side,
      baseUrl: redactor.text(base.shownBaseUrl),
      requests: channel.executor.trouble.requests,
    })),
    cells,
    facts,
    ...defined({ cohort: cohort && withoutSecrets(cohort, run) }),
    inconclusive: inconclusive.map((text) => redactor.text(text)),
    notes: openNotes(judged.cells),
  }
}

/** A message may quote what came from the environment. */
function withoutSecrets(cohort: RehearsedCohort, { redactor }: RunContext): RehearsedCohort {
  const { stopped } = cohort
  return stopped === undefined ? cohort : { ...cohort, stopped: redactor.text(stopped) }
}

function cellOf(judged: JudgedCell, run: RunContext): RehearsedCell {
  const { cell, expected, differs } = judged
  const { id, issuer, acceptor, when, grant, observed } = cell
  const { redactor } = run
  const why = observed.why
  return {
    id,
    issuer: issuer.name,
    acceptor: acceptor.name,
    when,
    grant,
    outcome: observed.outcome,
    ...defined({
      status: observed.outcome === 'not-tried' ? undefined : observed.status,
      why: why === undefined ? undefined : redactor.text(why),
      expected,
    }),
    differs,
    ...(differs && observed.outcome !== 'not-tried'
      ? { evidence: evidenceOf(cellSentence(judged), observed, issuer.deployment, run) }
      : {}),
  }
}

function factOf(judged: JudgedFact, run: RunContext): RehearsedFact {
  const { fact, expected, differs } = judged
  const { about, of, side } = fact
  return {
    id: factId(fact),
    about,
    of,
    side,
    value: run.redactor.text(factValue(fact)),
    ...defined({ expected }),
    differs,
    ...(differs ? { evidence: evidenceOf(factSentence(judged), fact, fact, run) } : {}),
  }
}

function evidenceOf(
  sentence: string,
  { sent, earlier }: Pick<ObservedFact, 'sent' | 'earlier'>,
  { accounts }: Pick<ObservedFact, 'accounts'>,
  { redactor }: RunContext,
): RehearsalEvidence {
  const last = sent.at(-1)
  return {
    sentence: redactor.text(sentence),
    exchanges: sent.map((one) => renderSent(one, redactor)),
    ...(last === undefined
      ? {}
      : { reproduce: reproduce(last, redactor, accounts, earlier, { isReplayed: false }) }),
  }
}
