import type { Rehearsal, RehearsedCell } from '../../../spec/generated/types/rehearsal.js'
import { GRANT_WORDS, type TokenMoment } from '../../../spec/model/later-life.js'
import { documentOf } from '../html/document.js'
import { copyPart } from '../html/evidence-part.js'
import { exchangePart, foldPart } from '../html/exchange-part.js'
import { type Html, html, prose } from '../html/markup.js'
import type { State } from '../shared/outcomes.js'
import { capital, firstFew } from '../shared/phrase.js'
import {
  CELL_LOOKS,
  COLUMN_WORDS,
  cellState,
  factLines,
  type GrantTable,
  momentsOf,
  type RedGroup,
  redGroups,
  rehearsalLists,
  rehearsalSentence,
  tablesOf,
} from './words.js'

const LOOKS = {
  'as-expected': 'conformant',
  different: 'nonconformant',
  inconclusive: 'inconclusive',
} as const satisfies Record<Rehearsal['verdict'], string>

/** Of more cells that differ alike the first tell enough. */
const MAX_ALSO = 40

/** The table first, as a picture; then each difference with its evidence, folded. */
export function renderRehearsalHtml(report: Rehearsal): string {
  const moments = momentsOf(report)
  const groups = redGroups(report)
  const places = new Map(groups.map(({ ids }, index) => [index, ids] as const))
  const placeOf = (id: string): number | undefined => [...places].find(([, ids]) => ids.includes(id))?.[0]
  const content = html`<a class="skip" href="#table">Skip to the table</a>
${headPart(report)}
<main id="table">
${tablesOf(report).map((table) => tablePart(table, moments, placeOf))}
${legendPart()}
${groups.length === 0 ? undefined : section('differences', 'What differs', groups.map(groupPart))}
${factsPart(report)}
${rehearsalLists(report).map(({ id, heading, items }) => section(id, heading, [itemsPart(items)]))}
</main>
<p id="heard" class="unseen" role="status"></p>
<footer><p>${report.suite.name} ${report.suite.version}</p></footer>`
  return documentOf('Rehearsal of a cut-over', content)
}

function headPart(report: Rehearsal): Html {
  const { verdict, services, startedAt, name } = report
  const [, heading = '', , why = ''] = /^([^,.:;]+)([,.:;] ?)(.*)$/s.exec(rehearsalSentence(report)) ?? []
  const fact = (term: string, value: string): Html => html`<div><dt>${term}</dt><dd>${value}</dd></div>`
  return html`<header class="verdict ${LOOKS[verdict]}">
<p class="kicker">Rehearsal of a cut-over: ${name}</p>
<h1>${heading}</h1>
<p class="why">${why}</p>
<dl class="run">${services.map((service) => fact(capital(service.name), service.baseUrl))}${fact('Started', `${startedAt.slice(0, 19).replace('T', ' ')} UTC`)}</dl>
</header>`
}

function section(id: string, heading: string, parts: readonly Html[]): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${parts}</section>`
}

function tablePart(
  { grant, rows }: GrantTable,
  moments: readonly TokenMoment[],
  placeOf: (id: string) => number | undefined,
): Html {
  const cell = (one: RehearsedCell | undefined): Html =>
    one === undefined ? html`<td></td>` : html`<td>${cellPart(one, placeOf(one.id))}</td>`
  return html`<table class="cutover"><caption>Tokens of ${GRANT_WORDS[grant]}</caption>
<thead><tr><th scope="col">issuer → acceptor</th>${moments.map((moment) => html`<th scope="col">${COLUMN_WORDS[moment]}</th>`)}</tr></thead>
<tbody>${rows.map(({ name, cells }) => html`<tr><th scope="row">${name}</th>${moments.map((moment) => cell(cells.get(moment)))}</tr>`)}</tbody></table>`
}

function cellPart(cell: RehearsedCell, place: number | undefined): Html {
  const { mark, words } = CELL_LOOKS[cell.outcome]
  const text = html`<span aria-hidden="true">${mark}</span> <span class="says">${words}</span>`
  const state = cellState(cell)
  return place === undefined
    ? html`<span class="cell ${state}">${text}</span>`
    : html`<a class="cell ${state}" href="#difference-${place + 1}">${text}</a>`
}

const LEGEND: readonly (readonly [State, string])[] = [
  ['failed', 'not as expected'],
  ['passed', 'as expected'],
  ['unjudged', 'nothing expected, or not tried'],
]

function legendPart(): Html {
  return html`<p class="legend">${LEGEND.map(([state, words]) => html`<span class="cell ${state}">${words}</span> `)}</p>`
}

function groupPart({ evidence: { sentence, exchanges, reproduce }, also }: RedGroup, index: number): Html {
  return html`<article class="cause failed" id="difference-${index + 1}">
<div class="broken"><h3>${prose(sentence)}</h3>
${also.length === 0 ? undefined : html`<p>Also: ${firstFew(also, MAX_ALSO)}</p>`}</div>
${exchanges.length === 0 ? undefined : foldPart('The requests and the answers', html`${exchanges.map(exchangePart)}`)}
${reproduce === undefined ? undefined : foldPart('How to repeat it', copyPart('Send the requests again', 'the curl command', reproduce))}
</article>`
}

function factsPart(report: Rehearsal): Html | undefined {
  const facts = factLines(report)
  if (facts.length === 0) return undefined
  const items = facts.map(
    (fact) =>
      html`<li>${fact.differs ? html`<span class="badge failed">✗ differs</span> ` : undefined}${prose(fact.text)}</li>`,
  )
  return section('facts', 'Beside the table', [html`<ul class="facts">${items}</ul>`])
}

function itemsPart(items: readonly string[]): Html {
  return html`<ul class="facts">${items.map((item) => html`<li>${prose(item)}</li>`)}</ul>`
}
