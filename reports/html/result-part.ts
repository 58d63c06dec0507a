import type { Result } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { count, duration } from '../phrase.js'
import { evidencePart } from './evidence-part.js'
import { judgementPart } from './judgement-part.js'
import { type Html, html, prose } from './markup.js'
import { badge, LOOKS, resultState } from './state.js'

/**
 * One result. What passed, or was not judged, is a line of its own: of twenty thousand results most are, and a page
 * stays quick only where they cost little.
 * @param withEvidence whether the exchanges are shown; the page has room for so many only
 */
export function resultPart(result: Result, withEvidence: boolean): Html {
  const state = resultState(result)
  const time = [
    ...(result.durationMs > 0 ? [duration(result.durationMs)] : []),
    ...(result.runs === undefined ? [] : [count(result.runs, 'run')]),
  ].join(', ')
  const line = html`${badge(state)} <b>${result.id}</b> <span class="said">${result.title}</span> <span class="time">${time}</span>`
  if (result.outcome !== 'failed' && result.outcome !== 'cantTell')
    return html`<div class="item line" data-state="${state}" id="${anchor('result', result.id)}">${line}${result.reason === undefined ? undefined : html`<span class="note">${prose(result.reason)}</span>`}</div>`
  const telling = result.judgements.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
  const others = result.judgements.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'cantTell')
  return html`<details class="item" data-state="${state}"><summary>${line}</summary>
<div class="inside" id="${anchor('result', result.id)}">
${result.waived === undefined ? undefined : html`<p class="note">Waived until ${result.waived.until}: ${result.waived.reason}</p>`}
${result.reason === undefined ? undefined : html`<p class="note">${prose(result.reason)}</p>`}
${telling.map((judgement) => html`<div class="occurrence ${judgement.outcome}"><p class="where">${badge(judgement.outcome)} <a href="#${anchor('rule', judgement.rule)}">${judgement.rule}</a></p>${judgementPart(judgement)}</div>`)}
${others.length === 0 ? undefined : html`<p class="links">${others.map(({ rule, outcome }, index) => html`${index === 0 ? '' : ', '}<a href="#${anchor('rule', rule)}">${LOOKS[outcome].mark} ${rule}</a>`)}</p>`}
${withEvidence ? evidencePart(result) : html`<p class="note">Its exchanges are in report.json.</p>`}
</div></details>`
}
