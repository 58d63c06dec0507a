import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { documentOf } from '../html/document.js'
import { type Html, html, prose, textLines } from '../html/markup.js'
import { CLASSES, differentialSentence, replayLine, ruleOf } from './words.js'

const LOOKS = { same: 'conformant', different: 'nonconformant', inconclusive: 'inconclusive' } as const

/** The findings as a page of the same kind as a run's: one file that loads nothing. */
export function renderDifferentialHtml(report: Differential): string {
  const content = html`<header class="verdict ${LOOKS[report.verdict]}"><h1>Old against new</h1>
<p>${differentialSentence(report)}</p>
<ul><li><b>old</b> ${report.old.baseUrl}</li><li><b>new</b> ${report.new.baseUrl}</li><li>seed ${report.seed}</li></ul></header>
<main>
${(Object.keys(CLASSES) as Finding['class'][]).map((own) => {
  const findings = report.findings.filter((finding) => finding.class === own)
  if (findings.length === 0) return undefined
  return html`<section aria-labelledby="${own}"><h2 id="${own}">${CLASSES[own]} (${findings.length})</h2>${findings.map(findingPart)}</section>`
})}
${listPart(
  'noise',
  'Noise: old differs from itself',
  report.noise.map(({ at, seen, values }) => `${at} (${seen}): ${values.join(' | ')}`),
)}
${listPart(
  'flaky',
  'Flaky',
  report.flaky.map(({ title }) => title),
)}
${listPart('inconclusive', 'Could not be decided', report.inconclusive)}
${listPart('notes', 'Left out', report.notes ?? [])}
${listPart('stale', 'Stale entries of accepted differences', report.accepted?.stale ?? [])}
</main>`
  return documentOf('Old against new', content)
}

function findingPart(finding: Finding): Html {
  const { accepted } = finding
  return html`<article><h3>${prose(finding.title)}</h3>
<p>${ruleOf(finding)}; seen on ${finding.behind} requests; id <code>${finding.id}</code>${
    accepted === undefined
      ? undefined
      : html`; accepted until ${accepted.until}: ${accepted.reason} (${accepted.owner})`
  }</p>
${finding.also === undefined ? undefined : html`<p>Also: ${finding.also.flatMap((one, at) => [at === 0 ? '' : '; ', prose(one)])}</p>`}
<table class="observed"><tbody>
${finding.differences.map(({ at, old, new: now }) => html`<tr><th scope="row">${at.trim()}</th><td class="seen"><b>old</b> ${textLines(old)}</td><td class="seen"><b>new</b> ${textLines(now)}</td></tr>`)}
</tbody></table>
<pre>${textLines([commandOf('old', finding.old), commandOf('new', finding.new), replayLine(finding)].flat().join('\n'))}</pre></article>`
}

/** With a line that a shell ignores: the two are alike. */
function commandOf(side: 'old' | 'new', { reproduce }: Finding['old']): readonly string[] {
  return reproduce === undefined ? [] : [`# ${side}`, reproduce]
}

function listPart(id: string, heading: string, items: readonly string[]): Html | undefined {
  if (items.length === 0) return undefined
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading} (${items.length})</h2><ul>${items.map((item) => html`<li>${prose(item)}</li>`)}</ul></section>`
}
