import type { RuleResult } from '../../../spec/model/report.js'
import { explanationOf } from '../explanation/explain-rules.js'
import { markdownProse } from '../markdown/escape.js'
import { explainHint } from '../shared/failures.js'
import { plainText } from './plain-text.js'

/** GitHub's limit for a description. */
const MAX_DESCRIPTION = 1024
const SEVERITY = { must: 'error', should: 'warning', other: 'recommendation' } as const
const LEVEL = { error: 'error', warning: 'warning', recommendation: 'note' } as const

/** The rule of what is wrong with the run as a whole. */
export const RULE_OF_RUN = descriptor(
  'run',
  'Everything that gates is judged, and the baseline matches the run.',
  [
    'An inconclusive run proves nothing: remove its cause and run again. Remove what is stale from the baseline.',
  ],
  { level: 'must', tags: ['run'] },
)

/** A rule with its sentence, why it matters and how to fix it. */
export function ruleDescriptor({ id, statement, level, section, advisory }: RuleResult) {
  const { explanation, mending } = explanationOf(id)
  const hint = explainHint(id)
  const help = [
    explanation?.why ?? statement,
    ...(mending === undefined ? [] : [`How to fix it: ${mending.title}. ${mending.advice}`]),
    ...(explanation?.note === undefined ? [] : [explanation.note]),
    ...(hint === undefined ? [] : [`More: \`${hint}\``]),
  ]
  const shown = advisory ? 'advisory' : level
  return descriptor(id, statement, help, { level: shown, tags: [`section ${section}`, shown] })
}

interface Placed {
  readonly level: string
  readonly tags: readonly string[]
}

function descriptor(id: string, statement: string, help: readonly string[], { level, tags }: Placed) {
  const severity = SEVERITY[level === 'must' || level === 'should' ? level : 'other']
  const description = { text: plainText(statement).slice(0, MAX_DESCRIPTION) }
  return {
    id,
    shortDescription: description,
    fullDescription: description,
    help: { text: plainText(...help), markdown: help.map(markdownProse).join('\n\n') },
    defaultConfiguration: { level: LEVEL[severity] },
    properties: { tags, precision: 'very-high', 'problem.severity': severity },
  }
}
