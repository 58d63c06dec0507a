import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { documentOf } from '../html/document.js'
import { type Html, html, prose, textLines } from '../html/markup.js'
import {
  byClass,
  CLASS_WORDS,
  type DifferentialList,
  differentialSentence,
  factsOf,
  listsOf,
  replayLine,
  ruleOf,
} from './words.js'

const LOOKS = { same: 'conformant', different: 'nonconformant', inconclusive: 'inconclusive' } as const

/** The findings as a page of the same kind as a run's: one file that loads nothing. */
export function renderDifferentialHtml(report: Differential): string {
  const content = html`<header class="verdict ${LOOKS[report.verdict]}"><h1>Old against new</h1>
<p>${differentialSentence(report)}</p>
<ul><li><b>old</b> ${report.old.baseUrl}</li><li><b>new</b> ${report.new.baseUrl}</li><li>seed ${report.seed}</li></ul></header>
<main>
${byClass(report).map(([own, findings]) => section(own, CLASS_WORDS[own], findings.map(findingPart)))}
${listsOf(report).map(listPart)}
</main>`
  return documentOf('Old against new', content)
}

function section(id: string, heading: string, parts: readonly Html[]): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading} (${parts.length})</h2>${parts}</section>`
}

function findingPart(finding: Finding): Html {
  return html`<article><h3>${prose(finding.title)}</h3>
<p>${prose([ruleOf(finding), ...factsOf(finding)].join('; '))}</p>
${finding.also === undefined ? undefined : html`<p>Also: ${finding.also.flatMap((one, at) => [at === 0 ? '' : '; ', prose(one)])}</p>`}
<table class="observed"><tbody>
${finding.differences.map(({ at, old, new: now }) => html`<tr><th scope="row">${at.trim()}</th><td class="seen"><b>old</b> ${textLines(old)}</td><td class="seen"><b>new</b> ${textLines(now)}</td></tr>`)}
</tbody></table>
<pre>${textLines([commandOf('old', finding.old), commandOf('new', finding.new), replayLine(finding)].flat().join('\n'))}</pre></article>`
}

/** Below a comment that a shell ignores: the two commands look alike. */
function commandOf(side: 'old' | 'new', { reproduce }: Finding['old']): readonly string[] {
  return reproduce === undefined ? [] : [`# ${side}`, reproduce]
}

function listPart({ id, heading, items }: DifferentialList): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading} (${items.length})</h2><ul>${items.map((item) => html`<li>${prose(item)}</li>`)}</ul></section>`
}
