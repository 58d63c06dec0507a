import type { RuleResult } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { type Html, html } from './markup.js'
import type { Section } from './sections.js'
import { LOOKS, STATES, type State } from './state.js'

/** The specification at a glance: a row for a section, a cell for a rule. */
export function mapPart(sections: readonly Section[], stateOf: (rule: RuleResult) => State): Html {
  const states = new Set(sections.flatMap(({ rules }) => rules.map(stateOf)))
  const legend = STATES.filter((state) => states.has(state))
  return html`<section aria-labelledby="map">
<h2 id="map">The specification, rule by rule</h2>
<ul class="legend" aria-label="Legend">${legend.map((state) => html`<li><span class="cell ${state}" aria-hidden="true">${LOOKS[state].mark}</span> ${LOOKS[state].words}</li>`)}</ul>
<dl class="map">${sections.map((section) => row(section, stateOf))}</dl>
</section>`
}

function row({ number, title, rules }: Section, stateOf: (rule: RuleResult) => State): Html {
  const cells = rules.map((rule) => {
    const { mark, words } = LOOKS[stateOf(rule)]
    const name = rule.id.startsWith(`${number}-`) ? rule.id.slice(number.length + 1) : rule.id
    return html`<li><a class="cell ${stateOf(rule)}" href="#${anchor('rule', rule.id)}" title="${rule.id}, ${words}: ${rule.statement}"><span aria-hidden="true">${mark}</span> <span>${name}</span><span class="unseen">, ${words}</span></a></li>`
  })
  return html`<div><dt><b>${number}</b> ${title}</dt><dd><ul class="chips">${cells}</ul></dd></div>`
}
