import type { Counterexample, HeaderList, ReportBody, ReportExchange, Result } from '../../spec/types.js'
import { count, duration, shellQuote } from '../phrase.js'
import { type Html, html, textLines } from './markup.js'

/** Characters of a body, and exchanges of a result: beyond, the page says that `report.json` has the rest. */
const LONGEST_BODY = 8000
const MOST_EXCHANGES = 6
const MOST_HEADERS = 40

/** The proof of a failure: what went over the wire, the input that was found, and how to repeat it. */
export function evidencePart(result: Result): Html {
  const { exchanges, counterexample, reproduce, replay } = result
  const shown = exchanges.slice(-MOST_EXCHANGES)
  const hidden = exchanges.length - shown.length
  return html`${hidden > 0 ? html`<p class="note">${count(hidden, 'earlier exchange')} in report.json</p>` : undefined}
${shown.map(exchangePart)}
${counterexample === undefined ? undefined : counterexamplePart(counterexample)}
${reproduce === undefined ? undefined : copyPart('Repeat the request', reproduce)}
${replay === undefined ? undefined : copyPart('Replay the case', `token-assay run … --replay ${shellQuote(replay)}`)}`
}

function exchangePart({ label, request, response, failure, resent, durationMs }: ReportExchange): Html {
  return html`<div class="exchange"><p class="step">${label} · ${duration(durationMs)}${resent === undefined ? undefined : html` · sent again ${resent}`}</p>
<div class="wire"><div class="sent"><p class="way">sent</p><pre><b>${request.method} ${request.url}</b>${headers(request.headers)}${
    request.body === undefined
      ? undefined
      : html`

${body(request.body)}`
  }</pre></div>
<div class="back"><p class="way">came back</p><pre>${
    response === null
      ? html`<i>nothing: ${failure ?? 'no complete answer'}</i>`
      : html`<b>${response.status}</b>${headers(response.headers)}

${body(response.body)}`
  }</pre></div></div></div>`
}

function headers(list: HeaderList): readonly Html[] {
  const more = list.length - MOST_HEADERS
  return [
    ...list.slice(0, MOST_HEADERS).map(
      ([name, value]) => html`
${name}: ${value}`,
    ),
    ...(more > 0
      ? [
          html`
<i>… ${count(more, 'more header')}</i>`,
        ]
      : []),
  ]
}

function body(of: ReportBody): Html {
  const text = 'text' in of ? of.text : of.base64
  if (text === '') return html`<i>(no body)</i>`
  const cut = of.truncated || text.length > LONGEST_BODY
  return html`${'base64' in of ? html`<i>(not UTF-8; as base64)</i> ` : undefined}${textLines(text.slice(0, LONGEST_BODY))}${
    cut
      ? html`
<i>… cut here, of ${count(text.length, 'character')} recorded</i>`
      : undefined
  }`
}

function counterexamplePart({ values, shrinks, seed, path }: Counterexample): Html {
  const origin = shrinks === 0 ? 'as generated' : `shrunk ${count(shrinks, 'time')}`
  return html`<div class="copy"><p class="way">Found with</p><pre>${Object.entries(values).map(
    ([name, value]) => html`${name} = ${JSON.stringify(value)}
`,
  )}<i>${origin}; seed ${seed}, path ${path}</i></pre></div>`
}

function copyPart(title: string, text: string): Html {
  return html`<div class="copy"><p class="way">${title}</p><pre class="all">${textLines(text)}</pre></div>`
}
