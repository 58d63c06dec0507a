import { type Html, html } from '../../reports/formats/html/markup.js'
import { shellOf } from '../../reports/formats/html/shell.js'
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
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<header class="bar-top"><span class="name">Token Assay</span><nav aria-label="Views"><ul>${links}</ul></nav>
<p id="connection" role="status" hidden>Lost the connection to the command: trying again. If you restarted it, open the address that it prints.</p>
<p id="keyless" role="status" hidden>This tab does not have the key of the page, so it changes nothing and shows nothing new: open the address that the command printed again.</p></header>
<main id="main" tabindex="-1" data-after="${after}">
<noscript><p class="message">This page needs JavaScript.</p></noscript>
${content}
</main>
<p id="heard" class="unseen" role="status"></p>`
  return shellOf(title, body, { style: STYLE, script: SCRIPT })
}
