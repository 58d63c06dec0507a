import { createHash } from 'node:crypto'

/** A complete answer, for any server to send. */
export interface GuardAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** All that a page runs and looks like: each one text, in the page itself. */
export interface PageParts {
  readonly style?: string
  readonly script?: string
}

/**
 * The headers of a page, a fragment of one (without parts), or an answer to its script. Nothing is loaded, nothing runs
 * but the one script, and no one keeps, frames or embeds it: even if a hostile text became markup, it could do nothing.
 */
export function pageHeaders(
  parts: PageParts = {},
  contentType = 'text/html;charset=UTF-8',
): Readonly<Record<string, string>> {
  return {
    'Content-Type': contentType,
    'Content-Security-Policy': policyOf(parts),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

function policyOf({ style, script }: PageParts): string {
  return [
    "default-src 'none'",
    ...(style === undefined ? [] : [`style-src '${hashOf(style)}'`]),
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
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
