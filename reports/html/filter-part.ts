import { type Html, html } from './markup.js'
import { LOOKS, STATES, type State } from './state.js'

/** The filter: hidden until the script, without which it would do nothing, shows it. */
export function filterPart(present: ReadonlySet<State>): Html {
  const toggles = STATES.filter((state) => present.has(state)).map(
    (state) =>
      html`<label class="toggle"><input type="checkbox" value="${state}" checked> <span aria-hidden="true">${LOOKS[state].mark}</span> ${LOOKS[state].words}</label>`,
  )
  return html`<form id="filter" role="search" hidden><label class="find">Filter <input type="search" autocomplete="off" spellcheck="false" placeholder="a rule, a case, a word"></label>
<fieldset><legend class="unseen">Outcomes</legend>${toggles}</fieldset><output></output></form>`
}
