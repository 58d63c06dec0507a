import type { Judgement, Outcome, Result } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { count, duration } from '../phrase.js'
import { evidencePart } from './evidence-part.js'
import { judgementPart } from './judgement-part.js'
import { markedLinks, ruleLink } from './links-part.js'
import { type Html, html, prose } from './markup.js'
import { badge, resultState } from './state.js'

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
  const title = html`<span class="said">${result.title}</span> <span class="time">${time}</span>`
  const line = html`${badge(state)} <b>${result.id}</b> ${title}`
  const id = anchor('result', result.id)
  const reason = result.reason === undefined ? undefined : prose(result.reason)
  if (!isTelling(result)) {
    const note = reason && html`<span class="note">${reason}</span>`
    return html`<div class="item line" data-state="${state}" id="${id}">${line}${note}</div>`
  }
  const { waived, judgements } = result
  return html`<details class="item" data-state="${state}"><summary>${line}</summary>
<div class="inside" id="${id}"><p class="level"><a href="#${id}">link to this result</a></p>
${waived && html`<p class="note">Waived until ${waived.until}: ${waived.reason}</p>`}
${reason && html`<p class="note">${reason}</p>`}
${judgements.filter(isTelling).map(ownJudgementPart)}
${othersPart(judgements.filter((judgement) => !isTelling(judgement)))}
${withEvidence ? evidencePart(result) : html`<p class="note">Its exchanges are in report.json.</p>`}
</div></details>`
}

function isTelling({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === 'failed' || outcome === 'cantTell'
}

function ownJudgementPart(judgement: Judgement): Html {
  const { rule, outcome } = judgement
  return html`<div class="occurrence ${outcome}"><p class="where">${badge(outcome)} ${ruleLink({ id: rule })}</p>
${judgementPart(judgement)}</div>`
}

function othersPart(judgements: readonly Judgement[]): Html | undefined {
  if (judgements.length === 0) return undefined
  const links = judgements.map(({ rule, outcome }) => [outcome, ruleLink({ id: rule })] as const)
  return html`<p class="links">${markedLinks(links)}</p>`
}
