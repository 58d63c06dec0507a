import { legendPart } from '../../reports/formats/html/map-part.js'
import { type Html, html } from '../../reports/formats/html/markup.js'
import { countedOutcomes, LOOKS, type State } from '../../reports/formats/shared/outcomes.js'
import { count, duration } from '../../reports/formats/shared/phrase.js'
import type { Verdict } from '../../spec/model/report.js'
import { byDate, type HistoryEntry, type RuleLine, type Timeline, timelines } from './history.js'

export interface HistoryOptions {
  readonly pageOf: (entry: HistoryEntry) => string
  /** Where its badge is; without it none is shown. */
  readonly badgeOf?: (entry: HistoryEntry) => string
  readonly compares: boolean
  /** Files that look like reports, and cannot be read: what is wrong. */
  readonly problems: readonly string[]
}

/** Of more, the newest are listed. */
const MAX_LISTED = 200
const MAX_PROBLEMS = 5
const STATE_OF: Readonly<Record<Verdict, State>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  inconclusive: 'cantTell',
}

/** The reports of a folder by date, and a line for each rule over time. */
export function historyView(entries: readonly HistoryEntry[], options: HistoryOptions): Html {
  const newest = byDate(entries).toReversed()
  const { problems } = options
  const more = newest.length - MAX_LISTED
  return html`<h1>History</h1>
${newest.length === 0 ? html`<p class="lead">No reports yet. Each full run adds one.</p>` : listPart(newest.slice(0, MAX_LISTED), options)}
${more > 0 ? html`<p class="hint">${count(more, 'older report')} not listed.</p>` : undefined}
${problems.length === 0 ? undefined : html`<ul class="facts" aria-label="Files that cannot be read">${problems.slice(0, MAX_PROBLEMS).map((problem) => html`<li>${problem}</li>`)}</ul>`}
${timelines(entries).map(timelinePart)}`
}

function listPart(entries: readonly HistoryEntry[], options: HistoryOptions): Html {
  const compares = options.compares && entries.length > 1
  const heads = [
    ...(compares ? ['Compare'] : []),
    'Started (UTC)',
    'Verdict',
    'Target',
    'Results',
    'Took',
    'File',
    ...(options.badgeOf === undefined ? [] : ['Badge']),
  ]
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Reports"><table class="runs"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${entries.map((entry, index) => rowPart(entry, index, { ...options, compares }))}</tbody></table></div>`
  if (!compares) return html`<div class="panel">${table}</div>`
  return html`<div class="panel"><form data-open="compare">${table}
<div class="actions"><button class="do">Compare the two</button></div></form></div>`
}

function rowPart(entry: HistoryEntry, index: number, { compares, pageOf, badgeOf }: HistoryOptions): Html {
  const { id, file, target, startedAt, durationMs, verdict, counts, isPart } = entry
  const date = startedAt.slice(0, 19).replace('T', ' ')
  const choice = (name: 'a' | 'b', word: string, chosen: boolean): Html =>
    html`<label class="choice"><input type="radio" name="${name}" value="${id}"${chosen ? html` checked` : undefined}> ${word}<span class="unseen"> ${date}</span></label>`
  const choices = html`<td>${choice('a', 'before', index === 1)}${choice('b', 'after', index === 0)}</td>`
  const state = STATE_OF[verdict]
  const named = (['passed', 'failed', 'cantTell'] as const).filter(
    (name) => counts[name] > 0 || name === 'passed',
  )
  return html`<tr>${compares ? choices : undefined}<th scope="row"><a href="${pageOf(entry)}">${date}</a></th>
<td><span class="badge ${state}"><span aria-hidden="true">${LOOKS[state].mark}</span> ${verdict}</span>${isPart ? ' (partial run)' : ''}</td><td>${target}</td>
<td>${countedOutcomes(counts, named)}</td><td class="num">${duration(durationMs)}</td><td class="file">${file}</td>${
    badgeOf === undefined ? undefined : html`<td><a href="${badgeOf(entry)}">badge</a></td>`
  }</tr>`
}

function timelinePart({ target, runs, lines, inconclusive, alwaysGreen }: Timeline): Html | undefined {
  if (runs.length < 2) return undefined
  const heads = runs.toReversed().map(({ startedAt }, index) => {
    const date = startedAt.slice(0, 16).replace('T', ' ')
    return html`<th scope="col"><span class="unseen">${date}</span><span aria-hidden="true" title="${date}">${index + 1}</span></th>`
  })
  const shown = new Set([
    ...lines.flatMap(({ states }) => states),
    ...(inconclusive.some(Boolean) ? ['cantTell'] : []),
  ])
  const table = html`${legendPart((state) => shown.has(state))}
<div class="scroll" tabindex="0" role="region" aria-label="Rules of ${target} over time"><table class="lines"><thead><tr><th scope="col">Rule</th>${heads}</tr></thead>
<tbody>${lines.map(linePart)}${inconclusivePart(inconclusive)}</tbody></table></div>`
  return html`<section class="panel"><h2>${target}: rule by rule, the newest of ${runs.length} runs first</h2>
${shown.size === 0 ? undefined : table}
<p class="hint green">${count(alwaysGreen, 'rule')} passed in every run that judged them.</p></section>`
}

function linePart({ rule, states, turn }: RuleLine): Html {
  const tag = turn === undefined ? undefined : html`<span class="tag ${turn}">${turn}</span>`
  return html`<tr><th scope="row">${rule}${tag}</th>${states.toReversed().map(cellPart)}</tr>`
}

/** An outage is one row, not one for each rule. */
function inconclusivePart(inconclusive: readonly number[]): Html | undefined {
  if (!inconclusive.some(Boolean)) return undefined
  const { mark, words } = LOOKS.cantTell
  const cells = inconclusive.toReversed().map((rules) => {
    if (rules === 0) return html`<td></td>`
    const heard = html`<span class="unseen">${count(rules, 'rule')}: ${words}</span>`
    return html`<td><span class="cell cantTell"><span aria-hidden="true">${mark} ${rules}</span>${heard}</span></td>`
  })
  return html`<tr><th scope="row">Could not be judged</th>${cells}</tr>`
}

function cellPart(state: State | undefined): Html {
  if (state === undefined) return html`<td><span class="unseen">not in that version</span></td>`
  const { mark, words } = LOOKS[state]
  return html`<td><span class="cell ${state}" title="${words}"><span aria-hidden="true">${mark}</span><span class="unseen">${words}</span></span></td>`
}
