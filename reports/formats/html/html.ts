import { groupBy } from '../../../spec/model/items.js'
import type { Report } from '../../../spec/model/report.js'
import { failuresOf, type Occurrence } from '../shared/failures.js'
import { LOOKS, resultState, ruleStates, STATES } from '../shared/outcomes.js'
import { capital } from '../shared/phrase.js'
import { documentOf } from './document.js'
import { failuresPart, type OccurrencesOf } from './failure-part.js'
import { groupPart } from './group-part.js'
import { filterPart, mapPart } from './map-part.js'
import { type Html, html } from './markup.js'
import { observationPart } from './observation-part.js'
import { resultPart } from './result-part.js'
import { rulePart } from './rule-part.js'
import { sectionsOf } from './sections.js'
import { timingPart } from './timing-part.js'
import { verdictPart } from './verdict-part.js'

/** The number of failed results that show their exchanges. */
const MAX_EVIDENCE = 500

/**
 * The page: one file that loads nothing. The verdict first, then what is broken, each rule once; the rest of the rules, every
 * result and what was observed are below, folded.
 */
export function renderHtml(report: Report): string {
  const { broken } = failuresOf(report)
  const stateOf = ruleStates(report)
  const present = new Set([...report.rules.map(stateOf), ...report.results.map(resultState)])
  const occurrences = occurrencesByRule(report)
  const first = broken.length > 0 ? 'failures' : 'map'
  const content = html`<a class="skip" href="#${first}">Skip to the ${broken.length > 0 ? 'broken rules' : 'rules'}</a>
${verdictPart(report)}
<main>
${filterPart(present)}
${failuresPart(broken, occurrences)}
${mapPart(sectionsOf(report), stateOf)}
${rulesPart(report, occurrences)}
${resultsPart(report)}
${observationPart(report.observations)}
${timingPart(report.results)}
</main>
<p id="heard" class="unseen" role="status"></p>
<footer><p>${report.suite.name} ${report.suite.version} · specification ${report.suite.specification}</p></footer>`
  return documentOf(`${report.target.name}: ${report.verdict}`, content)
}

/** The rules but the broken ones, which are above, each section behind a line of its own. */
function rulesPart(report: Report, occurrences: OccurrencesOf): Html {
  const stateOf = ruleStates(report)
  const rules = report.rules.filter((rule) => stateOf(rule) !== 'failed')
  return html`<section aria-labelledby="rules">
<details class="folded group"><summary><h2 id="rules">${rules.length === report.rules.length ? 'Rules' : 'The other rules'}</h2> <span class="note">${rules.length}, by section</span></summary>
${sectionsOf({ ...report, rules }).map(({ number, title, rules }) =>
  groupPart(
    html`<b>${number}</b> ${title}`,
    rules.map(stateOf),
    rules.map((rule) => rulePart(rule, stateOf(rule), occurrences(rule.id))),
  ),
)}</details>
</section>`
}

function occurrencesByRule({ results }: Report): OccurrencesOf {
  const all = results.flatMap((result) =>
    result.judgements.map((judgement): Occurrence => ({ result, judgement })),
  )
  const byRule = groupBy(all, ({ judgement }) => judgement.rule)
  return (rule) => byRule.get(rule) ?? []
}

/** By what became of them, the worst first, each kind in the order of the report. */
function resultsPart({ results }: Report): Html {
  const byState = groupBy(results, resultState)
  let shown = 0
  return html`<section aria-labelledby="results">
<h2 id="results">Results of all cases</h2>
${STATES.map((state) => {
  const own = byState.get(state)
  if (own === undefined) return undefined
  const parts = own.map((result) => resultPart(result, shown++ < MAX_EVIDENCE))
  const { words } = LOOKS[state]
  return groupPart(
    html`${capital(words)}`,
    own.map(() => state),
    parts,
  )
})}
</section>`
}
