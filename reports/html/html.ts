import { groupBy } from '../../spec/model/items.js'
import type { Report } from '../../spec/model/report.js'
import type { Occurrence } from '../shared/failures.js'
import { resultState, ruleStates, STATES } from '../shared/outcomes.js'
import { documentOf } from './document.js'
import { filterPart, mapPart } from './map-part.js'
import { type Html, html } from './markup.js'
import { observationPart } from './observation-part.js'
import { resultPart } from './result-part.js'
import { rulePart } from './rule-part.js'
import { sectionsOf } from './sections.js'
import { timingPart } from './timing-part.js'
import { verdictPart } from './verdict-part.js'

/** The number of broken rules that are open at first, and of failed results that show their exchanges. */
const MAX_OPEN = 3
const MAX_EVIDENCE = 500

/** The page: one file that loads nothing. The verdict first, then every rule, every result, and what was observed. */
export function renderHtml(report: Report): string {
  const stateOf = ruleStates(report)
  const sections = sectionsOf(report)
  const present = new Set([...report.rules.map(stateOf), ...report.results.map(resultState)])
  const content = html`<a class="skip" href="#rules">Skip to the rules</a>
${verdictPart(report)}
<main>
${mapPart(sections, stateOf)}
${filterPart(present)}
${rulesPart(report)}
${resultsPart(report)}
${observationPart(report.observations)}
${timingPart(report.results)}
</main>
<p id="heard" class="unseen" role="status"></p>
<footer><p>${report.suite.name} ${report.suite.version} · specification ${report.suite.specification}</p></footer>`
  return documentOf(`${report.target.name}: ${report.verdict}`, content)
}

function rulesPart(report: Report): Html {
  const stateOf = ruleStates(report)
  const occurrences = occurrencesByRule(report)
  const broken = report.rules.filter((rule) => stateOf(rule) === 'failed')
  const open = new Set(broken.slice(0, MAX_OPEN))
  return html`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
${sectionsOf(report).map(
  ({ number, title, rules }) => html`<div class="group"><h3><b>${number}</b> ${title}</h3>
${rules.map((rule) => rulePart(rule, stateOf(rule), occurrences.get(rule.id) ?? [], open.has(rule)))}</div>`,
)}
</section>`
}

function occurrencesByRule({ results }: Report): ReadonlyMap<string, readonly Occurrence[]> {
  const all = results.flatMap((result) =>
    result.judgements.map((judgement): Occurrence => ({ result, judgement })),
  )
  return groupBy(all, ({ judgement }) => judgement.rule)
}

/** The worst first, each kind in the order of the report. */
function resultsPart({ results }: Report): Html {
  const rank = new Map(STATES.map((state, index) => [state, index]))
  const ordered = results.toSorted(
    (a, b) => (rank.get(resultState(a)) ?? 0) - (rank.get(resultState(b)) ?? 0),
  )
  return html`<section aria-labelledby="results">
<h2 id="results">Results</h2>
<div class="group">${ordered.map((result, index) => resultPart(result, index < MAX_EVIDENCE))}</div>
</section>`
}
