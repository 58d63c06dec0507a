import type { Differential } from '../../../spec/generated/types/differential.js'
import { bounded, command } from '../github.js'
import { escapeForTerminal, visible } from '../shared/escape.js'
import { CLASS_WORDS, differentialSentence, ruleOf } from './words.js'

/** GitHub's workflow commands: an error for each difference, a warning for what is inconclusive. */
export function renderDifferentialGithub(report: Differential): string {
  const errors = report.findings
    .filter(({ accepted }) => accepted === undefined)
    .map((finding) =>
      command(
        'error',
        `${finding.class} ${ruleOf(finding)}`,
        visible(finding.title),
        visible(CLASS_WORDS[finding.class]),
      ),
    )
  const stale = (report.accepted?.stale ?? []).map((text) =>
    command('error', 'a stale accepted difference', visible(text)),
  )
  const inconclusive = [...report.inconclusive, ...report.flaky.map(({ title }) => title)]
  const warnings = inconclusive.map((text) => command('warning', 'inconclusive', visible(text)))
  const lines = [
    ...bounded('error', [...stale, ...errors]),
    ...bounded('warning', warnings),
    escapeForTerminal(differentialSentence(report)),
  ]
  return `${lines.join('\n')}\n`
}
