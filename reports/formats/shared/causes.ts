import { exchangesOf, type Judgement, type ReportExchange, type Result } from '../../../spec/model/report.js'
import type { FailedRule, Occurrence } from './failures.js'

/** A broken rule, and the judgement of it to look at first. */
export interface ShownFailure extends FailedRule {
  readonly shown: Occurrence
}

/** Rules that one answer breaks: probably one thing to fix, and in any case one answer to read. Never empty. */
export type FailureCause = readonly [ShownFailure, ...ShownFailure[]]

/** Of a longer text the beginning tells answers apart. */
const MAX_TEXT = 2000

/**
 * The broken rules by the answer that shows them, the answer that shows most of them first. Each rule is in one cause.
 * Answers that differ in figures alone (an instant, a port) are one.
 */
export function causesOf(broken: readonly FailedRule[]): readonly FailureCause[] {
  const byAnswer = new Map<string, Map<FailedRule, Occurrence>>()
  for (const failed of broken)
    for (const occurrence of failed.occurrences) {
      const key = answerKey(occurrence)
      const shows = byAnswer.get(key) ?? new Map<FailedRule, Occurrence>()
      byAnswer.set(key, shows)
      if (!shows.has(failed)) shows.set(failed, occurrence)
    }
  const causes: FailureCause[] = []
  const left = new Set(broken)
  while (left.size > 0) {
    const [first, ...others] = widest(byAnswer.values(), left)
    // Every rule has an occurrence, so there is one until none is left.
    if (first === undefined) break
    causes.push([first, ...others])
    for (const { rule } of [first, ...others])
      for (const failed of left) if (failed.rule === rule) left.delete(failed)
  }
  return causes
}

/** The failures of the answer that shows most of what is left; of several, a plain case before a search. */
function widest(
  answers: Iterable<ReadonlyMap<FailedRule, Occurrence>>,
  left: ReadonlySet<FailedRule>,
): readonly ShownFailure[] {
  let best: readonly ShownFailure[] = []
  let weight = 0
  for (const shows of answers) {
    const own = [...shows].filter(([failed]) => left.has(failed))
    const isPlain = own.every(([, { judgement }]) => judgement.counterexample === undefined)
    const score = own.length + (isPlain ? 0.5 : 0)
    if (own.length === 0 || score <= weight) continue
    weight = score
    best = own.map(([failed, shown]) => ({ ...failed, shown }))
  }
  return best
}

function answerKey({ result, judgement }: Occurrence): string {
  const { steps } = stepsOf(result, judgement)
  if (steps.length === 0) return result.id
  const parts = steps.map(({ request, response, failure }) => [
    request.method,
    withoutFigures(request.url),
    withoutFigures(textOf(request.body)),
    response === null ? withoutFigures(failure ?? '') : response.status,
    withoutFigures(textOf(response?.body)),
  ])
  return JSON.stringify(parts)
}

function textOf(body: ReportExchange['request']['body']): string {
  if (body === undefined) return ''
  return 'text' in body ? body.text : body.base64
}

function withoutFigures(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/\d+/g, '0')
}

/** The exchanges that show a judgement: what the case sends, and the valid requests around it. */
export function stepsOf(
  result: Pick<Result, 'exchanges'>,
  judgement: Pick<Judgement, 'exchanges'>,
): { readonly steps: readonly ReportExchange[]; readonly controls: readonly ReportExchange[] } {
  const all = exchangesOf(result, judgement)
  const controls = all.filter(({ label }) => label === 'control' || label === 'control again')
  // Where nothing but the valid request was sent, that is what failed.
  if (controls.length === all.length) return { steps: all, controls: [] }
  return { steps: all.filter((exchange) => !controls.includes(exchange)), controls }
}
