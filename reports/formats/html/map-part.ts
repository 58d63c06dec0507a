import type { RuleResult } from '../../../spec/model/report.js'
import { anchor } from '../shared/escape.js'
import { LOOKS, STATES, type State } from '../shared/outcomes.js'
import { type Html, html, prose } from './markup.js'
import type { Section } from './sections.js'

/** The specification at a glance: a row for a section, a cell for a rule. */
export function mapPart(sections: readonly Section[], stateOf: (rule: RuleResult) => State): Html {
  const states = new Set(sections.flatMap(({ rules }) => rules.map(stateOf)))
  return html`<section aria-labelledby="map">
<h2 id="map">The specification, rule by rule</h2>
${legendPart((state) => states.has(state))}
${gridPart(sections, (rule) => html`<li>${ruleCell(rule, stateOf(rule))}</li>`)}
</section>`
}

/** What the marks mean. */
export function legendPart(isShown: (state: State) => boolean): Html {
  const items = STATES.filter(isShown).map((state) => {
    const { mark, words } = LOOKS[state]
    return html`<li><span class="cell ${state}" aria-hidden="true">${mark}</span> ${words}</li>`
  })
  return html`<ul class="legend" aria-label="Legend">${items}</ul>`
}

/** A row for a section. @param item a rule as an item of a list */
export function gridPart(sections: readonly Section[], item: (rule: RuleResult) => Html): Html {
  const rows = sections.map(
    ({ number, title, rules }) =>
      html`<div><dt><b>${number}</b> ${title}</dt><dd><ul class="chips">${rules.map(item)}</ul></dd></div>`,
  )
  return html`<dl class="map">${rows}</dl>`
}

/** A rule in a row of its section, whose number it does not repeat. A name that says nothing has its sentence. */
export function ruleCell({ id, section, statement }: RuleResult, state: State): Html {
  const { mark, words } = LOOKS[state]
  const name = id.startsWith(`${section}-`) ? id.slice(section.length + 1) : id
  const seen = html`<span aria-hidden="true">${mark}</span> <span>${name}</span>${sentencePart(id, statement)}`
  const heard = html`<span class="unseen">, ${words}</span>`
  return html`<a class="cell ${state}" href="#${anchor('rule', id)}" title="${id}, ${words}: ${statement}">${seen}${heard}</a>`
}

/** The sentence of a rule whose id is a number only, such as 4.1-R1. */
export function sentencePart(id: string, statement: string): Html | undefined {
  return /-R\d+$/.test(id) ? html` <span class="says">${prose(statement)}</span>` : undefined
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
