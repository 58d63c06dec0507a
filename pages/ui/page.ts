import { type Html, html, own } from '../../reports/formats/html/markup.js'
import { SCRIPT, STYLE } from './generated/browser.js'

export type ViewName = 'setup' | 'run' | 'history'

const VIEWS: readonly (readonly [ViewName, path: string, name: string])[] = [
  ['setup', './', 'Set up'],
  ['run', 'run', 'Run'],
  ['history', 'history', 'History'],
]

/**
 * One of the views, whole.
 * @param after the id of the newest event that it shows
 */
export function pageOf(view: ViewName, title: string, content: Html, after: string): string {
  const links = VIEWS.map(
    ([id, path, name]) =>
      html`<li><a href="${path}"${id === view ? html` aria-current="page"` : undefined}>${name}</a></li>`,
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${own(STYLE)}</style>
</head>
<body data-after="${after}">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar-top"><span class="name">Token Assay</span><nav aria-label="Views"><ul>${links}</ul></nav>
<p id="connection" role="status" hidden>Lost the connection to the command: trying again. If you restarted it, open the address that it prints.</p>
<p id="keyless" role="status" hidden>This tab does not have the key of the page, so it changes nothing and shows nothing new: open the address that the command printed again.</p></header>
<main id="main" tabindex="-1">
<noscript><p class="message">This page needs JavaScript.</p></noscript>
${content}
</main>
<p id="heard" class="unseen" role="status"></p>
<script>${own(SCRIPT)}</script>
</body>
</html>
`
  return page.markup
}
