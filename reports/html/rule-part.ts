import type { Outcome, RuleResult } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import type { Occurrence } from '../findings.js'
import { count } from '../phrase.js'
import { isUncovered } from '../uncovered.js'
import { evidencePart } from './evidence-part.js'
import { judgementPart } from './judgement-part.js'
import { type Html, html, prose } from './markup.js'
import { badge, LOOKS, resultState, type State } from './state.js'

/** Of one rule so many failures are shown in full, and so many results are named. */
const MOST_IN_FULL = 3
const MOST_LINKS = 30

/** One rule: closed, its outcome and its sentence; open, its judgements by deployment and the proof of its failures. */
export function rulePart(
  rule: RuleResult,
  state: State,
  occurrences: readonly Occurrence[],
  open: boolean,
): Html {
  const telling = occurrences.filter(
    ({ judgement: { outcome } }) => outcome === 'failed' || outcome === 'cantTell',
  )
  // Failures before doubts.
  const ordered = telling.toSorted((a, b) => a.judgement.outcome.localeCompare(b.judgement.outcome) * -1)
  const rest = telling.length - MOST_IN_FULL
  const why = rule.why ?? (isUncovered(rule) ? 'No case judges it yet.' : undefined)
  return html`<details class="item" data-state="${state}"${open ? html` open` : undefined}><summary>${badge(state)} <b>${rule.id}</b> <span class="said">${prose(rule.statement)}</span></summary>
<div class="inside" id="${anchor('rule', rule.id)}"><p class="level">section ${rule.section} · ${rule.level}</p>
<p class="statement">${prose(rule.statement)}</p>
${why === undefined ? undefined : html`<p class="note">${prose(why)}</p>`}
${occurrences.length === 0 ? undefined : deploymentTable(occurrences)}
${ordered.slice(0, MOST_IN_FULL).map(occurrencePart)}
${rest > 0 ? html`<p class="note">${count(rest, 'more judgement')} like these: in the results below.</p>` : undefined}
${linksPart(occurrences)}
</div></details>`
}

const OUTCOMES: readonly Outcome[] = ['failed', 'cantTell', 'passed', 'untested', 'inapplicable']

function deploymentTable(occurrences: readonly Occurrence[]): Html {
  const names = [...new Set(occurrences.map(({ result }) => result.deployment))]
  const outcomes = OUTCOMES.filter((outcome) =>
    occurrences.some(({ judgement }) => judgement.outcome === outcome),
  )
  const number = (name: string, outcome: Outcome): number =>
    occurrences.filter(({ result, judgement }) => result.deployment === name && judgement.outcome === outcome)
      .length
  return html`<table class="tally"><thead><tr><th scope="col">Judgements in</th>${outcomes.map((outcome) => html`<th scope="col">${LOOKS[outcome].mark} ${LOOKS[outcome].words}</th>`)}</tr></thead>
<tbody>${names.map((name) => html`<tr><th scope="row">${name}</th>${outcomes.map((outcome) => html`<td>${number(name, outcome)}</td>`)}</tr>`)}</tbody></table>`
}

function occurrencePart({ result, judgement }: Occurrence): Html {
  const state = judgement.outcome === 'failed' && result.waived ? 'waived' : judgement.outcome
  return html`<div class="occurrence ${state}"><p class="where">${badge(state)} in <a href="#${anchor('result', result.id)}">${result.id}</a>: ${result.title}</p>
${judgementPart(judgement)}
${judgement.outcome === 'failed' ? evidencePart(result) : undefined}</div>`
}

function linksPart(occurrences: readonly Occurrence[]): Html | undefined {
  if (occurrences.length === 0) return undefined
  const results = [...new Set(occurrences.map(({ result }) => result))]
  const more = results.length - MOST_LINKS
  return html`<p class="links">Judged in ${results.slice(0, MOST_LINKS).map((result, index) => html`${index === 0 ? '' : ', '}<a href="#${anchor('result', result.id)}">${LOOKS[resultState(result)].mark} ${result.id}</a>`)}${more > 0 ? ` and ${count(more, 'more result')}` : undefined}</p>`
}
