import { type PageCode, policyOf } from '../../reports/formats/html/shell.js'

/** A complete answer, for any server to send. */
export interface GuardAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * The headers of a page, a fragment of one (without code), or an answer to its script. No one keeps, frames or embeds it.
 */
export function pageHeaders(
  code: PageCode = {},
  contentType = 'text/html;charset=UTF-8',
): Readonly<Record<string, string>> {
  return {
    'Content-Type': contentType,
    'Content-Security-Policy': policyOf(code, [
      ...(code.script === undefined ? [] : ["connect-src 'self'"]),
      "frame-ancestors 'none'",
    ]),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

export function refusal(what: string): GuardAnswer {
  return { status: 403, headers: pageHeaders(), body: emptyPage('Not opened', what) }
}

/** A page of a sentence. @param content our own markup */
export function emptyPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<p>${content}</p>
`
}
