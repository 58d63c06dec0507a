import type { Counterexample, HeaderList, ReportBody, ReportExchange, Result } from '../../spec/types.js'
import { count, duration, shellQuote } from '../phrase.js'
import { copyPart } from './copy-part.js'
import { type Html, html, textLines } from './markup.js'

/** Characters of a body, and exchanges of a result: beyond, the page says that `report.json` has the rest. */
const LONGEST_BODY = 8000
const MOST_EXCHANGES = 6
const MOST_HEADERS = 40

/** The flag alone: which server it is for, and whose password, the command of the run says. */
const REPLAY = 'Replay the case: add this to the command of the run'

/** The proof of a failure: what went over the wire, the input that was found, and how to repeat it. */
export function evidencePart(result: Result): Html {
  const { exchanges, counterexample, reproduce, replay } = result
  const shown = exchanges.slice(-MOST_EXCHANGES)
  const hidden = exchanges.length - shown.length
  const earlier = html`<p class="note">${count(hidden, 'earlier exchange')} in report.json</p>`
  return html`${hidden > 0 ? earlier : undefined}
${shown.map(exchangePart)}
${counterexample === undefined ? undefined : counterexamplePart(counterexample)}
${reproduce === undefined ? undefined : copyPart('Repeat the request', 'the curl command', reproduce)}
${replay === undefined ? undefined : copyPart(REPLAY, 'the replay flag', `--replay ${shellQuote(replay)}`)}`
}

function exchangePart({ label, request, response, failure, resent, durationMs }: ReportExchange): Html {
  const again = resent === undefined ? '' : ` · sent again ${resent}`
  const sent = wire([`${request.method} ${request.url}`, request.headers, request.body])
  const back =
    response === null
      ? html`<i>nothing: ${failure ?? 'no complete answer'}</i>`
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
  const more = list.length - MOST_HEADERS
  return [
    ...list.slice(0, MOST_HEADERS).map(([name, value]) => html`\n${name}: ${value}`),
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

function counterexamplePart({ values, shrinks, seed, path }: Counterexample): Html {
  const origin = shrinks === 0 ? 'as generated' : `shrunk ${count(shrinks, 'time')}`
  return html`<div class="copy"><p class="way">Found with</p><pre>${Object.entries(values).map(
    ([name, value]) => html`${name} = ${JSON.stringify(value)}
`,
  )}<i>${origin}; seed ${seed}, path ${path}</i></pre></div>`
}
