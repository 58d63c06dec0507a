import { groupBy } from '../../../spec/model/items.js'
import type { Observation, Report } from '../../../spec/model/report.js'
import { failuresOf, type Occurrence } from '../shared/failures.js'
import { LOOKS, resultState, ruleStates, STATES, type State } from '../shared/outcomes.js'
import { capital } from '../shared/phrase.js'
import { documentOf } from './document.js'
import { failuresPart, type OccurrencesOf } from './failure-part.js'
import { filterPart, mapPart } from './map-part.js'
import { type Html, html, prose, textLines } from './markup.js'
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

/** Rules or results that few readers open, behind one line that counts them by state. */
function groupPart(heading: Html, states: readonly State[], items: readonly Html[]): Html {
  const tally = new Map<State, number>()
  for (const state of states) tally.set(state, (tally.get(state) ?? 0) + 1)
  const counts = STATES.filter((state) => tally.has(state)).map((state) => {
    const { mark, words } = LOOKS[state]
    return html` <span class="badge ${state}"><span aria-hidden="true">${mark}</span> ${tally.get(state)}<span class="unseen"> ${words}</span></span>`
  })
  return html`<details class="group folded"><summary><h3>${heading}</h3>${counts}</summary>
${items}
</details>`
}

const OBSERVED = ['Section', 'Deployment', 'What', 'Observed']

/** What the service does where the specification is silent: not judged, but useful for migrations. */
function observationPart(observations: readonly Observation[]): Html | undefined {
  if (observations.length === 0) return undefined
  return html`<section aria-labelledby="observations">
<details class="folded"><summary><h2 id="observations">Observed where the specification is silent</h2> <span class="note">${observations.length}, none of it judged</span></summary>
<table class="observed"><thead><tr>${OBSERVED.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${observations.map(observationRow)}</tbody></table></details>
</section>`
}

function observationRow({ section, deployment, statement, observed }: Observation): Html {
  return html`<tr><td>${section}</td><td>${deployment}</td><th scope="row">${prose(statement)}</th>
<td class="seen">${textLines(observed)}</td></tr>`
}
