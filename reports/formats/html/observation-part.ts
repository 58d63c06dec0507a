import type { Observation } from '../../../spec/model/report.js'
import { type Html, html, prose, textLines } from './markup.js'

const HEADS = ['Section', 'Deployment', 'What', 'Observed']

/** What the service does where the specification is silent: not judged, but useful for migrations. */
export function observationPart(observations: readonly Observation[]): Html | undefined {
  if (observations.length === 0) return undefined
  return html`<section aria-labelledby="observations">
<details class="folded"><summary><h2 id="observations">Observed where the specification is silent</h2> <span class="note">${observations.length}, none of it judged</span></summary>
<table class="observed"><thead><tr>${HEADS.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${observations.map(row)}</tbody></table></details>
</section>`
}

function row({ section, deployment, statement, observed }: Observation): Html {
  return html`<tr><td>${section}</td><td>${deployment}</td><th scope="row">${prose(statement)}</th>
<td class="seen">${textLines(observed)}</td></tr>`
}
