import type { Comparison, RuleRow } from '../../model/comparison.js'
import { documentOf } from '../html/document.js'
import { type Html, html, prose, textLines } from '../html/markup.js'
import { CHANGES, detailOf, HEADINGS, letter, OUTCOME_LOOKS } from './words.js'

/** The matrix as a page of the same kind as a run's: one file that loads nothing. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { head, body } = comparisonParts(comparison)
  return documentOf('Comparison', html`${head}\n<main>${body}</main>`)
}

/** What is on that page: what is compared, then the rules by what became of them. */
export function comparisonParts(comparison: Comparison): { readonly head: Html; readonly body: Html } {
  const { columns, observations } = comparison
  const heads = columns.map(({ label }, index) => html`<th scope="col"><b>${letter(index)}</b> ${label}</th>`)
  const head = html`<header class="verdict ${columns.at(-1)?.report.verdict ?? 'inconclusive'}"><h1>Comparison</h1>
<ul>${columns.map(({ label, report }, index) => html`<li><b>${letter(index)}</b> ${label}: ${report.verdict}</li>`)}</ul></header>`
  const body = html`${CHANGES.map((change) => {
    const rows = comparison.rules.filter((row) => row.change === change)
    if (rows.length === 0) return undefined
    return html`<section aria-labelledby="${change}"><h2 id="${change}">${HEADINGS[change]} (${rows.length})</h2>
<table class="observed"><thead><tr><th scope="col">Rule</th>${heads}</tr></thead><tbody>${rows.map(rowOf)}</tbody></table></section>`
  })}
${
  observations.length === 0
    ? undefined
    : html`<section aria-labelledby="observations"><h2 id="observations">Different observations (${observations.length})</h2>
<table class="observed"><thead><tr><th scope="col">What</th>${heads}</tr></thead><tbody>${observations.map(
        ({ deployment, statement, observed }) =>
          html`<tr><th scope="row">${deployment}: ${prose(statement)}</th>${observed.map(
            (text) => html`<td class="seen">${textLines(text ?? 'not observed')}</td>`,
          )}</tr>`,
      )}</tbody></table></section>`
}
`
  return { head, body }
}

function rowOf(row: RuleRow): Html {
  const detail = detailOf(row)
  return html`<tr><th scope="row">${row.id}<br><small>${prose(row.statement)}${detail === undefined ? undefined : html`<br>${detail}`}</small></th>
${row.outcomes.map((outcome, index) => html`<td><small>${letter(index)}</small> ${OUTCOME_LOOKS[outcome].mark} ${OUTCOME_LOOKS[outcome].words}</td>`)}</tr>`
}
