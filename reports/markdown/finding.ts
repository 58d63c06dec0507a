import type { Finding, Occurrence } from '../findings.js'
import { count } from '../phrase.js'
import { markdownCode, markdownProse, markdownText } from './escape.js'

const MOST_OCCURRENCES = 3

/** One rule that does not hold: its sentence, and the first few judgements that say so. */
export function findingMarkdown({ rule, occurrences }: Finding): readonly string[] {
  const more = occurrences.length - MOST_OCCURRENCES
  return [
    `### ${markdownText(rule.id)} (section ${markdownText(rule.section)}, ${rule.level})`,
    '',
    markdownProse(rule.statement),
    '',
    ...occurrences.slice(0, MOST_OCCURRENCES).flatMap(occurrenceMarkdown),
    ...(more > 0 ? [`- and ${count(more, 'more judgement')}`] : []),
    '',
  ]
}

function occurrenceMarkdown({ result, judgement }: Occurrence): readonly string[] {
  const { message, expected, actual, pointer } = judgement
  const last = result.exchanges.findLast(({ label }) => !label.startsWith('control'))
  return [
    `- ${markdownCode(result.id)}${message === undefined ? '' : `: ${markdownProse(message)}`}`,
    ...(expected === undefined ? [] : [`  - expected ${markdownCode(expected)}`]),
    ...(actual === undefined ? [] : [`  - actual ${markdownCode(actual)}`]),
    ...(pointer === undefined ? [] : [`  - at ${markdownCode(pointer)}`]),
    ...(last === undefined
      ? []
      : [
          `  - ${markdownCode(`${last.request.method} ${last.request.url} → ${last.response?.status ?? 'no answer'}`)}`,
        ]),
    ...(result.reproduce === undefined ? [] : [`  - repeat ${markdownCode(result.reproduce)}`]),
  ]
}
