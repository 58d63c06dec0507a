import type { Finding } from '../../../../spec/generated/types/differential.js'
import type { PairProbe } from '../../../drivers/pair/probe.js'
import { newAccountOf } from '../../../drivers/send/session/case-run.js'
import { renderSent } from '../../../evidence/render-exchange.js'
import { reproduce } from '../../../evidence/reproduce.js'
import { earlierRequests } from '../../suite/repeat.js'
import { type AnswerPair, type ServiceAnswers, sentForSteps } from '../ask/service-side.js'
import type { ShownDifference } from '../clients/situation.js'
import type { AnswerView } from '../compare/answer-view.js'
import type { PlaceDifference } from '../compare/compare-answers.js'
import type { Comparer, Witness } from '../compare/comparer.js'
import { type Cause, isOfOther } from '../isolate/causes.js'
import { describeProbe } from '../isolate/request-traits.js'
import { classify, type JudgedPair, whoIsHurt } from './classify.js'
import { findingId } from './finding-id.js'
import { observationOf } from './observation.js'
import { replayOf } from './replay.js'
import { findingTitle, reasonsIn, requestOf } from './title.js'

const MAX_EXAMPLES = 5
const MAX_DIFFERENCES = 20
/** Of the requests behind a finding, so many are judged where the smallest one breaks no rule. */
const MAX_JUDGED = 100
const MAX_TEXT = 300

/** A finding, and the answers that show it, with all that is secret in them. */
export interface ShownFinding {
  readonly finding: Finding
  readonly shown: ShownDifference | undefined
}

interface ConfirmedFinding {
  readonly cause: Cause
  readonly steady: Witness
  readonly again: readonly AnswerView[]
}

/**
 * The finding on a confirmed discrepancy, with the answers of both services that show it.
 * @param causes all that were found
 * @param answers the first answers to each probe
 * @param isShared whether a place differs in every answer, which is a finding of its own
 */
export async function findingOf(
  comparer: Comparer,
  { cause, steady, again }: ConfirmedFinding,
  causes: readonly Cause[],
  answers: ReadonlyMap<PairProbe, AnswerPair>,
  isShared: (difference: PlaceDifference) => boolean,
): Promise<ShownFinding> {
  const { probe, discrepancy: whole } = steady
  const own = whole.differences.filter((one) => whole.about === 'headers' || !isShared(one))
  const discrepancy = { ...whole, differences: own }
  const compared = await comparer.compareOnce(probe)
  const pair = compared.kind === 'compared' ? compared.pair : answers.get(cause.behind[0]?.probe ?? probe)
  const judgedOf = (witness: Witness): readonly JudgedPair[] => {
    if (witness === steady) return pair === undefined ? [] : [{ pair, discrepancy }]
    const first = answers.get(witness.probe)
    return first === undefined ? [] : [{ pair: first, discrepancy: witness.discrepancy }]
  }
  const judged = [
    steady,
    ...casesFirst(cause.behind)
      // How other requests are refused may have another cause as well.
      .filter((witness) => whole.about !== 'fate' || witness.discrepancy.about === 'fate')
      .filter((witness) => !isOfOther(witness, cause, causes))
      .slice(0, whole.about === 'members' ? cause.behind.length : MAX_JUDGED),
  ].flatMap(judgedOf)
  const usual = whole.about === 'fate' ? await comparer.usualFaults() : {}
  const classified = classify(judged, usual)
  const request = describeProbe(probe, discrepancy.step)
  const others = cause.smallest.map((one) => describeProbe(one.probe, one.discrepancy.step))
  const also = [...new Set(others)].filter((one) => one !== request).slice(0, MAX_EXAMPLES)
  const observation = observationOf(steady, cause.behind, comparer.sides.old.run.specification)
  const finding: Finding = {
    id: findingId(cause, steady, again, {
      isShared,
      variantsOf: (at, value) => comparer.variantsOf(at, value),
      isBreach: isBreach(classified),
      rulesOf: (witness) =>
        [classify(judgedOf(witness), usual)].filter(isBreach).flatMap(({ rules }) => rules),
      names: comparer.sides.old.run.target.deployments.flatMap(({ accounts }) =>
        accounts.map(({ userName }) => userName),
      ),
    }),
    ...classified,
    hurts: whoIsHurt(steady, classified),
    ...(classified.class === 'silent' ? { observation } : {}),
    ...comparer.redact({
      title: findingTitle(discrepancy, requestOf(cause, steady), reasonsIn(steady)) + keptBy(steady),
      request,
      ...(also.length === 0 ? {} : { also }),
      differences: own
        .slice(0, MAX_DIFFERENCES)
        .map(({ at, old, new: now }) => ({ at, old: cut(old), new: cut(now) })),
    }),
    behind: cause.behind.length,
    examples: [...new Set(cause.behind.map((witness) => witness.probe.id))].slice(0, MAX_EXAMPLES),
    ...(cause.limited ? { limited: true } : {}),
    old: comparer.redact(evidenceOf(pair?.old, discrepancy.step)),
    new: comparer.redact(evidenceOf(pair?.new, discrepancy.step)),
    replay: replayOf(probe),
  }
  return { finding, shown: pair && { probe, discrepancy, pair } }
}

/** What the answer to a registration does not show. */
function keptBy({ new: now, wrongly }: Witness): string {
  return now.isRegistration && wrongly.length > 0 ? '; new keeps the account, or its name or address' : ''
}

function isBreach({ class: own }: Pick<Finding, 'class'>): boolean {
  return own === 'breaks' || own === 'both'
}

/** A generated request may be no instance of a case that its cause breaks. */
function casesFirst(behind: readonly Witness[]): readonly Witness[] {
  const isOfCase = ({ probe: { id } }: Witness): number => Number(id.startsWith('case '))
  return behind.toSorted((a, b) => isOfCase(b) - isOfCase(a))
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`
}

function evidenceOf(answers: ServiceAnswers | undefined, step: number): Finding['old'] {
  if (answers === undefined) return { exchanges: [] }
  const { sent, run } = answers
  const { session } = run
  const { redactor } = session.run
  const exchanges = sent.map((one) => renderSent(one, redactor))
  const about = sentForSteps(answers)[step]
  if (about === undefined) return { exchanges }
  // The account is a new one each time, also where the request names another or none.
  const account = newAccountOf(run) === undefined ? about.account : run.account
  const named = { ...about, account }
  const earlier = earlierRequests(session, named, sent.with(sent.indexOf(about), named))
  return { exchanges, reproduce: reproduce(about, redactor, session.deployment.accounts, earlier) }
}
