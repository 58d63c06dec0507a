import type { Judgement, Outcome, Result } from '../../../spec/model/report.js'
import { anchor } from '../shared/escape.js'
import { resultState } from '../shared/outcomes.js'
import { count, duration, nameOf } from '../shared/phrase.js'
import { exchangesPart, repeatPart } from './evidence-part.js'
import { judgementPart } from './judgement-part.js'
import { badge, markedLinks, ruleLink } from './marks.js'
import { type Html, html, prose } from './markup.js'

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
  const title = html`<span class="sentence">${prose(result.title)}</span> <span class="time">${time}</span>`
  const line = html`${badge(state)} <b>${nameOf(result)}</b> ${title}`
  const id = anchor('result', result.id)
  const reason = result.reason === undefined ? undefined : prose(result.reason)
  if (!isTelling(result)) {
    const note = reason && html`<span class="note">${reason}</span>`
    return html`<div class="item line" data-state="${state}" id="${id}">${line}${note}</div>`
  }
  const { waived, judgements } = result
  const repeats = withEvidence ? repeatsOf(judgements) : new Map<Judgement, Html>()
  return html`<details class="item" data-state="${state}"><summary>${line}</summary>
<div class="inside" id="${id}"><p class="level"><a href="#${id}">link to this result</a></p>
${(waived?.entries ?? (waived ? [waived] : [])).map(waivedPart)}
${reason && html`<p class="note">${reason}</p>`}
${judgements.filter(isTelling).map((judgement) => ownJudgementPart(judgement, repeats.get(judgement)))}
${othersPart(judgements.filter((judgement) => !isTelling(judgement)))}
${withEvidence ? exchangesPart(result) : html`<p class="note">Its exchanges are in report.json.</p>`}
</div></details>`
}

function waivedPart({ reason, until }: { readonly reason: string; readonly until: string }): Html {
  return html`<p class="note">Waived until ${until}: ${reason}</p>`
}

function isTelling({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === 'failed' || outcome === 'cantTell'
}

/** How to repeat each failure. Where several are repeated by the same command, it is shown once. */
function repeatsOf(judgements: readonly Judgement[]): ReadonlyMap<Judgement, Html> {
  const before = new Map<string, string>()
  return new Map(
    judgements.flatMap((judgement): readonly [Judgement, Html][] => {
      if (judgement.outcome !== 'failed') return []
      const part = repeatPart(judgement)
      const same = before.get(part.markup)
      if (same !== undefined) return [[judgement, html`<p class="note">Repeat it as for ${same} above.</p>`]]
      before.set(part.markup, judgement.rule)
      return [[judgement, part]]
    }),
  )
}

function ownJudgementPart(judgement: Judgement, repeat: Html | undefined): Html {
  const { rule, outcome } = judgement
  return html`<div class="occurrence ${outcome}"><p class="where">${badge(outcome)} ${ruleLink({ id: rule })}</p>
${judgementPart(judgement)}
${repeat}</div>`
}

function othersPart(judgements: readonly Judgement[]): Html | undefined {
  if (judgements.length === 0) return undefined
  const links = judgements.map(({ rule, outcome }) => [outcome, ruleLink({ id: rule })] as const)
  return html`<p class="links">${markedLinks(links)}</p>`
}
