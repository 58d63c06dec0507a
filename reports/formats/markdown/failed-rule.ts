import { exchangesOf } from '../../../spec/model/report.js'
import { explainHint, type FailedRule, type Occurrence } from '../shared/failures.js'
import { count, nameOf } from '../shared/phrase.js'
import { markdownCode, markdownProse, markdownText } from './escape.js'

const MAX_OCCURRENCES = 3

/** One rule that does not hold: its sentence, and the first few judgements that say so. */
export function failedRuleMarkdown({ rule, occurrences }: FailedRule): readonly string[] {
  const more = occurrences.length - MAX_OCCURRENCES
  const hint = explainHint(rule.id)
  return [
    `### ${markdownText(rule.id)} (section ${markdownText(rule.section)}, ${rule.level})`,
    '',
    markdownProse(rule.statement),
    '',
    ...(rule.source === undefined
      ? []
      : [`> ${markdownProse(rule.source.says)} (${markdownText(rule.source.at)})`, '']),
    ...occurrences.slice(0, MAX_OCCURRENCES).flatMap(occurrenceMarkdown),
    ...(more > 0 ? [`- and ${count(more, 'more judgement')}`] : []),
    ...(hint === undefined ? [] : [`- why it matters and how to fix it: ${markdownCode(hint)}`]),
    '',
  ]
}

function occurrenceMarkdown({ result, judgement }: Occurrence): readonly string[] {
  const { message, expected, actual, pointer, replay } = judgement
  const repeat = judgement.reproduce ?? (replay && `token-assay run … --replay '${replay}'`)
  const last = exchangesOf(result, judgement).findLast(({ label }) => !label.startsWith('control'))
  return [
    `- ${markdownCode(nameOf(result))}${message === undefined ? '' : `: ${markdownProse(message)}`}`,
    ...(expected === undefined ? [] : [`  - expected ${markdownCode(expected)}`]),
    ...(actual === undefined ? [] : [`  - actual ${markdownCode(actual)}`]),
    ...(pointer === undefined ? [] : [`  - at ${markdownCode(pointer)}`]),
    ...(last === undefined
      ? []
      : [
          `  - ${markdownCode(`${last.request.method} ${last.request.url} → ${last.response?.status ?? 'no answer'}`)}`,
        ]),
    ...(repeat === undefined ? [] : [`  - repeat ${markdownCode(repeat)}`]),
  ]
}
