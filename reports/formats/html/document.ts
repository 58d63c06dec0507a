import { createHash } from 'node:crypto'
import { defuseLine } from '../shared/escape.js'
import { SCRIPT, STYLE } from './generated/browser.js'
import { type Html, html, own } from './markup.js'

/**
 * The whole file. Nothing is loaded, and nothing runs but the one script: even if a text of a target became markup,
 * the policy would not let it do anything.
 */
export function documentOf(
  title: string,
  content: Html,
  { style = STYLE, script = SCRIPT }: { readonly style?: string; readonly script?: string } = {},
): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  // A page may be printed to a log: no line of a text begins as a command does there.
  const defused = content.markup.split('\n').map(defuseLine).join('\n')
  // The policy holds nothing from a report, and its quotes must stay quotes.
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${own(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${own(style)}</style>
</head>
<body>
${own(defused)}
<script>${own(script)}</script>
</body>
</html>
`
  return page.markup
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
