import type { ServerResponse } from 'node:http'
import type { Html } from '../../reports/formats/html/markup.js'
import { type GuardAnswer, pageHeaders } from '../guard/page-headers.js'

export function send(response: ServerResponse, { status, headers, body }: GuardAnswer): void {
  response.writeHead(status, { ...headers }).end(body)
}

export function page(body: string, code: { readonly STYLE: string; readonly SCRIPT: string }): GuardAnswer {
  return { status: 200, headers: pageHeaders({ style: code.STYLE, script: code.SCRIPT }), body }
}

export function fragment(part: Html): GuardAnswer {
  return { status: 200, headers: pageHeaders(), body: part.markup }
}

export function json(value: object, status = 200): GuardAnswer {
  return { status, headers: pageHeaders({}, 'application/json'), body: JSON.stringify(value) }
}

export function plain(status: number, text: string): GuardAnswer {
  return { status, headers: pageHeaders({}, 'text/plain;charset=UTF-8'), body: `${text}\n` }
}

export function notFound(): GuardAnswer {
  return plain(404, 'There is no such page, or it no longer exists.')
}
