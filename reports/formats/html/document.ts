import { defuseLine } from '../shared/escape.js'
import { SCRIPT, STYLE } from './generated/browser.js'
import { type Html, html, own } from './markup.js'
import { policyOf, shellOf } from './shell.js'

/** The whole file, which carries its own policy. */
export function documentOf(
  title: string,
  content: Html,
  { style = STYLE, script = SCRIPT }: { readonly style?: string; readonly script?: string } = {},
): string {
  // A page may be printed to a log: no line of a text begins as a command does there.
  const defused = content.markup.split('\n').map(defuseLine).join('\n')
  // The policy holds nothing from a report, and its quotes must stay quotes.
  const head = html`<meta http-equiv="Content-Security-Policy" content="${own(policyOf({ style, script }))}">
<meta name="referrer" content="no-referrer">
`
  return shellOf(title, own(defused), { style, script }, head)
}
