import type { HeaderList, ReportBody, ReportExchange } from '../../../spec/model/report.js'
import { count, duration } from '../shared/phrase.js'
import { type Html, html, textLines } from './markup.js'

/** Characters of a body: beyond, the page says that `report.json` has the rest. */
const MAX_BODY = 8000
const MAX_HEADERS = 40
/** Characters of markup that are no longer than what would stand for them. */
const SHORT_MARKUP = 120
/** Of the words of a page so many characters tell which it is. */
const MAX_WORDS = 80

/** What was sent beside what came back, as it went over the wire. */
export function exchangePart({
  label,
  request,
  response,
  failure,
  resent,
  durationMs,
}: ReportExchange): Html {
  const again = resent === undefined ? '' : ` · sent again ${resent}`
  const back =
    response === null
      ? html`<pre><i>no answer: ${failure ?? 'the answer is incomplete'}</i></pre>`
      : message(response.status, response.headers, response.body)
  return html`<div class="exchange"><p class="step">${label} · ${duration(durationMs)}${again}</p>
<div class="wire"><div class="sent"><p class="way">sent</p>${message(`${request.method} ${request.url}`, request.headers, request.body)}</div>
<div class="back"><p class="way">came back</p>${back}</div></div></div>`
}

/** The first line, the headers, and after a blank line the body. Line ends count here. */
function message(first: string | number, list: HeaderList, body: ReportBody | undefined): Html {
  const head = html`<b>${first}</b>${headers(list)}`
  if (body === undefined) return html`<pre>${head}</pre>`
  if (!isMarkup(body)) return html`<pre>${head}\n\n${bodyText(body)}</pre>`
  return html`<pre>${head}</pre>${foldPart(`the body, ${count(body.text.length, 'character')} of markup: “${wordsOf(body.text)}”`, html`<pre>${bodyText(body)}</pre>`)}`
}

/** What most readers can do without, a click away. */
export function foldPart(summary: string, content: Html): Html {
  return html`<details class="fold"><summary>${summary}</summary>${content}</details>`
}

/** A page of a proxy or a framework: its words tell enough, its markup only pushes away what comes next. */
function isMarkup(body: ReportBody): body is Extract<ReportBody, { readonly text: string }> {
  return 'text' in body && body.text.length > SHORT_MARKUP && /^\s*<[!?a-z]/i.test(body.text)
}

function wordsOf(markup: string): string {
  const words = markup
    .slice(0, MAX_BODY)
    .replace(/<(style|script)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>?/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words
}

function headers(list: HeaderList): readonly Html[] {
  const more = list.length - MAX_HEADERS
  return [
    ...list.slice(0, MAX_HEADERS).map(([name, value]) => html`\n${name}: ${value}`),
    ...(more > 0 ? [html`\n<i>… ${count(more, 'more header')}</i>`] : []),
  ]
}

function bodyText(body: ReportBody): Html {
  const text = 'text' in body ? body.text : body.base64
  if (text === '') return html`<i>(no body)</i>`
  const note = 'base64' in body ? html`<i>(not UTF-8; as base64)</i> ` : undefined
  const isCut = body.truncated || text.length > MAX_BODY
  const cut = html`\n<i>… cut here, of ${count(text.length, 'character')} recorded</i>`
  return html`${note}${textLines(text.slice(0, MAX_BODY))}${isCut ? cut : undefined}`
}
