import { type Html, html } from './markup.js'
import { LOOKS, STATES, type State } from './state.js'

const HINT = 'a rule, a case, a word'

/** The filter: hidden until the script, without which it would do nothing, shows it. */
export function filterPart(present: ReadonlySet<State>): Html {
  const toggles = STATES.filter((state) => present.has(state)).map((state) => {
    const { mark, words } = LOOKS[state]
    const box = html`<input type="checkbox" value="${state}" checked>`
    return html`<label class="toggle">${box} <span aria-hidden="true">${mark}</span> ${words}</label>`
  })
  return html`<form id="filter" role="search" hidden>
<label class="find">Filter <input type="search" autocomplete="off" spellcheck="false" placeholder="${HINT}"></label>
<fieldset><legend class="unseen">Outcomes</legend>${toggles}</fieldset><output></output></form>`
}
