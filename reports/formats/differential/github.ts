import type { Differential } from '../../../spec/generated/types/differential.js'
import { bounded, command } from '../github.js'
import { escapeForTerminal, visible } from '../shared/escape.js'
import { CLASS_WORDS, clientsText, differentialSentence, isFailure, ruleOf, undecidedOf } from './words.js'

/** GitHub's workflow commands: an error for each difference, a warning for what is inconclusive. */
export function renderDifferentialGithub(report: Differential): string {
  const open = report.findings.filter(({ accepted }) => accepted === undefined)
  const [errors, others] = (['error', 'warning'] as const).map((level) =>
    open
      .filter((finding) => isFailure(finding, report) === (level === 'error'))
      .map((finding) =>
        command(
          level,
          `${finding.class} ${ruleOf(finding)}`,
          visible(finding.title),
          visible([CLASS_WORDS[finding.class], ...[clientsText(finding, report) ?? []].flat()].join('; ')),
        ),
      ),
  )
  const stale = (report.accepted?.stale ?? []).map((text) =>
    command('error', 'a stale accepted difference', visible(text)),
  )
  const inconclusive = [
    ...report.inconclusive,
    ...report.flaky.map(({ title }) => title),
    ...undecidedOf(report),
  ]
  const warnings = inconclusive.map((text) => command('warning', 'inconclusive', visible(text)))
  const lines = [
    ...bounded('error', [...stale, ...(errors ?? [])]),
    ...bounded('warning', [...(others ?? []), ...warnings]),
    escapeForTerminal(differentialSentence(report)),
  ]
  return `${lines.join('\n')}\n`
}
