import { createHash } from 'node:crypto'
import { type Html, html, own } from './markup.js'

/** All that a page runs and looks like: each one text, in the page itself. */
export interface PageCode {
  readonly style?: string
  readonly script?: string
}

/**
 * Nothing is loaded, and nothing runs but the one script: even if a text of a target became markup, it could do nothing.
 * @param more further directives
 */
export function policyOf({ style, script }: PageCode, more: readonly string[] = []): string {
  return [
    "default-src 'none'",
    ...(style === undefined ? [] : [`style-src '${hashOf(style)}'`]),
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** A whole page. @param head what else its head has */
export function shellOf(
  title: string,
  body: Html,
  { style, script }: Required<PageCode>,
  head?: Html,
): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${own(style)}</style>
</head>
<body>
${body}
<script>${own(script)}</script>
</body>
</html>
`
  return page.markup
}
