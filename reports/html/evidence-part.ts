import type {
  Counterexample,
  HeaderList,
  Judgement,
  ReportBody,
  ReportExchange,
} from '../../spec/model/report.js'
import { count, duration, originOf, shellQuote } from '../shared/phrase.js'
import { type Html, html, textLines } from './markup.js'

/** Characters of a body, and exchanges of a result: beyond, the page says that `report.json` has the rest. */
const LONGEST_BODY = 8000
const MAX_EXCHANGES = 6
const MAX_HEADERS = 40

/** Only the flag: the command of the run has the server and the account. */
const REPLAY = 'Replay the case: add this flag to the command of the run'

/** The exchanges of a case. */
export function exchangesPart(exchanges: readonly ReportExchange[]): Html {
  const shown = exchanges.slice(-MAX_EXCHANGES)
  const hidden = exchanges.length - shown.length
  const earlier = html`<p class="note">${count(hidden, 'earlier exchange')} in report.json</p>`
  return html`${hidden > 0 ? earlier : undefined}
${shown.map(exchangePart)}`
}

/** The counterexample of a failure, and how to repeat it. */
export function repeatPart({ counterexample, reproduce, replay }: Judgement): Html {
  return html`${counterexample === undefined ? undefined : counterexamplePart(counterexample)}
${reproduce === undefined ? undefined : copyPart('Repeat the request', 'the curl command', reproduce)}
${replay === undefined ? undefined : copyPart(REPLAY, 'the replay flag', `--replay ${shellQuote(replay)}`)}`
}

function exchangePart({ label, request, response, failure, resent, durationMs }: ReportExchange): Html {
  const again = resent === undefined ? '' : ` · sent again ${resent}`
  const sent = wire([`${request.method} ${request.url}`, request.headers, request.body])
  const back =
    response === null
      ? html`<i>no answer: ${failure ?? 'the answer is incomplete'}</i>`
      : wire([response.status, response.headers, response.body])
  return html`<div class="exchange"><p class="step">${label} · ${duration(durationMs)}${again}</p>
<div class="wire"><div class="sent"><p class="way">sent</p><pre>${sent}</pre></div>
<div class="back"><p class="way">came back</p><pre>${back}</pre></div></div></div>`
}

/** The first line, the headers, and after a blank line the body. Line ends count here. */
function wire([first, list, of]: readonly [string | number, HeaderList, ReportBody | undefined]): Html {
  const text = of === undefined ? undefined : html`\n\n${body(of)}`
  return html`<b>${first}</b>${headers(list)}${text}`
}

function headers(list: HeaderList): readonly Html[] {
  const more = list.length - MAX_HEADERS
  return [
    ...list.slice(0, MAX_HEADERS).map(([name, value]) => html`\n${name}: ${value}`),
    ...(more > 0 ? [html`\n<i>… ${count(more, 'more header')}</i>`] : []),
  ]
}

function body(of: ReportBody): Html {
  const text = 'text' in of ? of.text : of.base64
  if (text === '') return html`<i>(no body)</i>`
  const note = 'base64' in of ? html`<i>(not UTF-8; as base64)</i> ` : undefined
  const isCut = of.truncated || text.length > LONGEST_BODY
  const cut = html`\n<i>… cut here, of ${count(text.length, 'character')} recorded</i>`
  return html`${note}${textLines(text.slice(0, LONGEST_BODY))}${isCut ? cut : undefined}`
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
