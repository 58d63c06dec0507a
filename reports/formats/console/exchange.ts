import type { HeaderList, ReportBody, ReportExchange } from '../../../spec/model/report.js'
import { visible } from '../shared/escape.js'
import { labelled, type Page, textColumn } from '../shared/page.js'
import { count, duration } from '../shared/phrase.js'
import { atMost, breakAnywhere, ellipsis, wrap } from '../shared/wrap.js'

const MAX_BODY_LINES = 12
const MAX_HEADERS = 24
const MAX_HEADER_LINES = 4
/** Columns. A URL is copied, so it is not wrapped. */
const MAX_URL = 1000

/** What was sent and what came back, as it went over the wire. @param isNamed by the step that sent it */
export function exchangeLines(exchange: ReportExchange, page: Page, isNamed = false): string[] {
  const { label, request, response } = exchange
  const room = page.width - textColumn
  const name = isNamed ? `${visible(label)}: ` : ''
  const sent = [
    ellipsis(`${name}${visible(request.method)} ${visible(request.url)}`, MAX_URL),
    ...headerLines(request.headers, room),
    ...(request.body ? ['', ...bodyLines(request.body, room, page)] : []),
  ]
  const back = response
    ? [
        `${response.status} ${page.colors.dim(`after ${duration(exchange.durationMs)}`)}`,
        ...headerLines(response.headers, room),
        '',
        ...bodyLines(response.body, room, page),
      ]
    : wrap(`no answer: ${visible(exchange.failure ?? 'the answer is incomplete')}`, room)
  return [
    ...labelled('sent', sent, page),
    ...(exchange.resent ? labelled('again', wrap(visible(exchange.resent), room), page) : []),
    ...labelled('came back', back, page),
  ]
}

/** One line for an exchange that is not the one to look at. */
export function exchangeSummary(exchange: ReportExchange, page: Page): string {
  const answer = exchange.response
    ? String(exchange.response.status)
    : visible(exchange.failure ?? 'no answer')
  const line = `${visible(exchange.label)}: ${visible(exchange.request.method)} ${visible(exchange.request.url)} → ${answer}`
  return ellipsis(line, page.width - textColumn)
}

function headerLines(headers: HeaderList, room: number): string[] {
  const lines = headers.slice(0, MAX_HEADERS).map(([name, value]) => visible(`${name}: ${value}`))
  const more = headers.length - lines.length
  const shown = lines.flatMap((line) => atMost(breakAnywhere(line, room), MAX_HEADER_LINES))
  return more > 0 ? [...shown, `… ${count(more, 'more header')}`] : shown
}

function bodyLines(body: ReportBody, room: number, page: Page): string[] {
  const { dim } = page.colors
  const text = 'text' in body ? body.text : body.base64
  const cutInReport = body.truncated ? [dim('… the rest was not recorded')] : []
  if (text === '') return [dim('(no body)'), ...cutInReport]
  const notText = 'base64' in body ? [dim('(not UTF-8; as base64)')] : []

  const lines = text.split('\n').flatMap((line) => breakAnywhere(visible(line), room))
  const max = page.verbose ? lines.length : MAX_BODY_LINES
  const more = lines.length - max
  const cut =
    more > 0 ? [dim(`… ${count(more, 'more line')}, ${count(text.length, 'character')} in all`)] : []
  return [...notText, ...lines.slice(0, max), ...cut, ...cutInReport]
}
