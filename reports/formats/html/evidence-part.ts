import type { Counterexample, Judgement, ReportExchange, Result } from '../../../spec/model/report.js'
import { stepsOf } from '../shared/causes.js'
import { count, originOf, shellQuote } from '../shared/phrase.js'
import { exchangePart, foldPart } from './exchange-part.js'
import { type Html, html, textLines } from './markup.js'

/** Of many steps the last are what the case leads to. */
const MAX_STEPS = 2
/** Beyond, the page says that `report.json` has the rest. */
const MAX_FOLDED = 4

/** Only the flag: the command of the run has the server and the account. */
const REPLAY = 'Replay: a flag for the run'

/**
 * The exchanges that show a judgement, or all of a result: what failed first, then, folded, the steps before it and the valid
 * requests around it.
 */
export function exchangesPart(
  result: Pick<Result, 'exchanges'>,
  judgement: Pick<Judgement, 'exchanges'> = {},
): Html {
  const { steps, controls } = stepsOf(result, judgement)
  const earlier = steps.slice(0, -MAX_STEPS)
  return html`${steps.slice(-MAX_STEPS).map(exchangePart)}
${foldedPart(count(earlier.length, 'step before'), earlier)}
${foldedPart(`${count(controls.length, 'control')}: the valid request that it is compared with`, controls)}`
}

function foldedPart(summary: string, exchanges: readonly ReportExchange[]): Html | undefined {
  if (exchanges.length === 0) return undefined
  const hidden = exchanges.length - MAX_FOLDED
  const note = html`<p class="note">${count(hidden, 'earlier exchange')} in report.json</p>`
  return foldPart(
    summary,
    html`${hidden > 0 ? note : undefined}${exchanges.slice(-MAX_FOLDED).map(exchangePart)}`,
  )
}

export function repeatPart({ counterexample, reproduce, replay }: Judgement): Html {
  return html`${counterexample === undefined ? undefined : counterexamplePart(counterexample)}
${reproduce === undefined ? undefined : copyPart('Repeat the request', 'the curl command', reproduce)}
${replay === undefined ? undefined : copyPart(REPLAY, 'the replay flag', `--replay ${shellQuote(replay)}`)}`
}

function counterexamplePart(counterexample: Counterexample): Html {
  const { values } = counterexample
  return html`<div class="copy"><p class="way">Found with</p><pre>${Object.entries(values).map(
    ([name, value]) => html`${name} = ${JSON.stringify(value)}
`,
  )}<i>${originOf(counterexample)}</i></pre></div>`
}

/**
 * A command to copy. The button is visible where the script runs; without it, one click selects the text. The copied text
 * is exactly the visible text: no character of a target can hide in it.
 * @param what the name of the command, for screen readers
 */
export function copyPart(title: string, what: string, text: string): Html {
  const button = html`<button type="button" class="take">Copy<span class="unseen"> ${what}</span></button>`
  return html`<div class="copy"><div class="over"><p class="way">${title}</p>${button}</div>
<pre class="all">${textLines(text)}</pre></div>`
}
