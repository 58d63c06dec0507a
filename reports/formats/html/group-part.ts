import { LOOKS, STATES, type State } from '../shared/outcomes.js'
import { type Html, html } from './markup.js'

/** Rules or results that few readers open, behind one line that counts them by state. */
export function groupPart(heading: Html, states: readonly State[], items: readonly Html[]): Html {
  const tally = new Map<State, number>()
  for (const state of states) tally.set(state, (tally.get(state) ?? 0) + 1)
  const counts = STATES.filter((state) => tally.has(state)).map((state) => {
    const { mark, words } = LOOKS[state]
    return html` <span class="badge ${state}"><span aria-hidden="true">${mark}</span> ${tally.get(state)}<span class="unseen"> ${words}</span></span>`
  })
  return html`<details class="group folded"><summary><h3>${heading}</h3>${counts}</summary>
${items}
</details>`
}
