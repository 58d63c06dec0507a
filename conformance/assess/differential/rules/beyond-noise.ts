import type { ServiceAnswers } from '../ask/service-side.js'
import type { AnswerView } from '../compare/answer-view.js'
import { type Discrepancy, TIMES } from '../compare/discrepancies.js'
import { breaksAnew } from './rules-about.js'

/** What a service made of a probe once, and what of it is compared. */
export interface ViewedAnswers {
  readonly answers: ServiceAnswers
  readonly views: readonly AnswerView[]
}

/** Times that vary do so by less, in seconds, beside what was seen of it. */
const FAR_SECONDS = 60

/**
 * Why a difference counts in what varies at the old service: the new one breaks a rule there that the old one keeps, or
 * breaks it in another way, or its time is far from all that the old one gave. Nothing where it is noise.
 */
export function beyondNoise(
  old: readonly ViewedAnswers[],
  now: ViewedAnswers,
  discrepancy: Discrepancy,
): readonly string[] {
  const measure = old.map(({ answers }) => answers)
  const broken = breaksAnew(measure, now.answers, discrepancy)
  return [...(isFarOff(old, now, discrepancy) ? ['far off'] : []), ...broken.map((rule) => `breaks ${rule}`)]
}

/** A text that varies is no aspect of a cause: which rule it breaks is. */
export function withGrounds(discrepancy: Discrepancy, grounds: readonly string[]): Discrepancy {
  return /^(?:refusal|body)$/.test(discrepancy.about) ? { ...discrepancy, aspects: grounds } : discrepancy
}

function isFarOff(
  old: readonly ViewedAnswers[],
  now: ViewedAnswers,
  { step, differences }: Discrepancy,
): boolean {
  return differences.some(({ at }) => {
    const own = secondsAt(now.views[step], at)
    const known = old.flatMap(({ views }) => secondsAt(views[step], at) ?? [])
    if (own === undefined || known.length === 0) return false
    const distance = Math.min(...known.map((seconds) => Math.abs(seconds - own)))
    return distance > FAR_SECONDS + Math.max(...known) - Math.min(...known)
  })
}

/** The seconds of a lifetime, or those of a date after the answer's own time. */
function secondsAt(view: AnswerView | undefined, at: string): number | undefined {
  if (view?.body.kind !== 'object' || !TIMES.test(at)) return undefined
  const value = view.body.members.get(at.slice(1))
  if (value?.kind === 'instant') return value.ms / 1000
  return value?.kind === 'leaf' && value.type === 'number' ? Number(value.text) : undefined
}
