import type { RuleResult } from '../../../spec/model/report.js'
import { anchor } from '../shared/escape.js'
import { LOOKS, STATES, type State } from '../shared/outcomes.js'
import { type Html, html } from './markup.js'
import type { Section } from './sections.js'

/** The specification at a glance: a row for a section, a cell for a rule. */
export function mapPart(sections: readonly Section[], stateOf: (rule: RuleResult) => State): Html {
  const states = new Set(sections.flatMap(({ rules }) => rules.map(stateOf)))
  const legend = STATES.filter((state) => states.has(state))
  return html`<section aria-labelledby="map">
<h2 id="map">The specification, rule by rule</h2>
<ul class="legend" aria-label="Legend">${legend.map(legendItem)}</ul>
<dl class="map">${sections.map((section) => row(section, stateOf))}</dl>
</section>`
}

function legendItem(state: State): Html {
  const { mark, words } = LOOKS[state]
  return html`<li><span class="cell ${state}" aria-hidden="true">${mark}</span> ${words}</li>`
}

function row({ number, title, rules }: Section, stateOf: (rule: RuleResult) => State): Html {
  const cells = rules.map((rule) => html`<li>${ruleCell(rule, stateOf(rule))}</li>`)
  return html`<div><dt><b>${number}</b> ${title}</dt><dd><ul class="chips">${cells}</ul></dd></div>`
}

/** A rule in a row of its section, whose number it does not repeat. */
export function ruleCell({ id, section, statement }: RuleResult, state: State): Html {
  const { mark, words } = LOOKS[state]
  const name = id.startsWith(`${section}-`) ? id.slice(section.length + 1) : id
  const seen = html`<span aria-hidden="true">${mark}</span> <span>${name}</span>`
  const heard = html`<span class="unseen">, ${words}</span>`
  return html`<a class="cell ${state}" href="#${anchor('rule', id)}" title="${id}, ${words}: ${statement}">${seen}${heard}</a>`
}

const HINT = 'a rule, a case, a word'

/** The filter: hidden until the script shows it, because it does nothing without the script. */
export function filterPart(present: ReadonlySet<State>): Html {
  const toggles = STATES.filter((state) => present.has(state)).map((state) => {
    const { mark, words } = LOOKS[state]
    const box = html`<input type="checkbox" value="${state}" checked>`
    return html`<label class="toggle">${box} <span aria-hidden="true">${mark}</span> ${words}</label>`
  })
  return html`<form id="filter" role="search" hidden>
${present.has('failed') ? html`<button type="button" class="only">Only failed</button>` : undefined}
<label class="find">Filter <input type="search" autocomplete="off" spellcheck="false" placeholder="${HINT}"></label>
<fieldset><legend class="unseen">Outcomes</legend>${toggles}</fieldset><output></output></form>`
}
