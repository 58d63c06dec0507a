import type { Finding } from '../../../../spec/generated/types/differential.js'
import type { Experiment } from '../../../drivers/pair/experiment.js'
import type { Asked, Side } from '../../../drivers/pair/side.js'
import { reportExchange } from '../../../evidence/report-exchange.js'
import { reproduce } from '../../../evidence/reproduce.js'
import { earlierRequests } from '../../suite/repeat.js'
import type { Difference } from '../compare/compare.js'
import { fingerprint, type Group, replayOf } from '../group/groups.js'
import type { Smallest } from '../shrink/shrink.js'
import { type Broken, brokenRules, isAbout, isAboutPlace } from '../try/judge-answers.js'
import { describeProbe } from './describe-request.js'
import { observationOf } from './observation.js'
import { titleOf } from './title.js'

const MAX_EXAMPLES = 5
/** Of the requests behind a finding, so many are judged where the smallest one breaks no rule. */
const MAX_JUDGED = 20

/** A pair of answers to the same probe. */
export interface Pair {
  readonly old: Asked
  readonly new: Asked
}

/**
 * Writes down a difference that was seen to last, with the answers of both sides to one more asking.
 * @param isKnown whether a place differs in every answer, which is a finding of its own
 */
export async function findingOf(
  experiment: Experiment,
  group: Group,
  smallest: Smallest,
  pairOf: (probe: Smallest['probe']) => Pair | undefined,
  isKnown: (difference: Difference) => boolean = () => false,
): Promise<Finding> {
  const { probe } = smallest
  const { part: whole } = smallest
  const unknown = whole.differences.filter((one) => whole.about === 'headers' || !isKnown(one))
  const part = { ...whole, differences: unknown }
  const compared = await experiment.compare(probe, false)
  const asked = compared.kind === 'compared' ? compared : pairOf(group.behind[0]?.probe ?? probe)
  const classified = classify([
    ...(asked === undefined ? [] : [{ pair: asked, part }]),
    ...group.behind.slice(0, MAX_JUDGED).flatMap((shown) => {
      const pair = pairOf(shown.probe)
      return pair === undefined ? [] : [{ pair, part: shown.part }]
    }),
  ])
  const { old, new: now } = experiment
  const show = showBy([old, experiment.again, now])
  const request = describeProbe(probe, part.step)
  const others = group.also.map((one) => describeProbe(one.probe, one.part.step))
  const also = [...new Set(others)].filter((one) => one !== request).slice(0, MAX_EXAMPLES)
  const observation = observationOf(group, old.run.specification)
  return {
    id: fingerprint(group.key),
    ...classified,
    ...(classified.class === 'silent' && observation !== undefined ? { observation } : {}),
    ...show({
      title: titleOf(part, probe, part.step),
      request,
      ...(also.length === 0 ? {} : { also }),
      differences: part.differences
        .slice(0, 20)
        .map(({ at, old: a, new: b }) => ({ at, old: cut(a), new: cut(b) })),
    }),
    behind: group.behind.length,
    examples: [...new Set(group.behind.map((shown) => shown.probe.id))].slice(0, MAX_EXAMPLES),
    ...(smallest.limited ? { limited: true } : {}),
    old: show(sideOf(old, asked?.old, part.step)),
    new: show(sideOf(now, asked?.new, part.step)),
    replay: replayOf(probe),
  }
}

const LONGEST = 300

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}

/** What one side shows is searched for the secrets of all. */
export function showBy(sides: readonly Side[]): <T>(value: T) => T {
  return (value) => sides.reduce((shown, { run }) => run.redactor.value(shown), value)
}

function sideOf(side: Side, asked: Asked | undefined, step: number): Finding['old'] {
  if (asked === undefined) return { exchanges: [] }
  const { session } = side
  const { redactor } = side.run
  const about = asked.sent.filter(({ label }) => label !== 'prepare')[step]
  return {
    exchanges: asked.sent.map((sent) => reportExchange(sent, redactor)),
    ...(about === undefined
      ? {}
      : {
          reproduce: reproduce(
            about,
            redactor,
            session.deployment.accounts,
            earlierRequests(session, about, asked.sent),
          ),
        }),
  }
}

/** By the first of the answers that breaks a rule on one side alone. */
function classify(
  answers: readonly { readonly pair: Pair; readonly part: Smallest['part'] }[],
): Pick<Finding, 'class' | 'rules'> {
  let both: readonly string[] = []
  for (const { pair, part } of answers) {
    const rulesOf = (broken: readonly Broken[]): readonly string[] => [
      ...new Set(broken.map(({ rule }) => rule)),
    ]
    const about = (side: 'old' | 'new') => brokenRules(pair[side]).filter((one) => isAbout(one, part, side))
    const [ofOld, ofNew] = [about('old'), about('new')]
    const [old, now] = [rulesOf(ofOld), rulesOf(ofNew)]
    const [broken, mended] = [without(now, old), without(old, now)]
    if (broken.length > 0) return { class: 'breaks', rules: broken }
    if (mended.length > 0) return { class: 'mends', rules: mended }
    if (both.length === 0) both = rulesOf(ofNew.filter((one) => isAboutPlace(one, part)))
  }
  return both.length > 0 ? { class: 'both', rules: both } : { class: 'silent', rules: [] }
}

function without(all: readonly string[], those: readonly string[]): readonly string[] {
  return all.filter((one) => !those.includes(one))
}
