import { type Html, html, textLines } from './markup.js'

/**
 * A command to take along. The button shows where the script runs; without it, one click selects the text. What is
 * copied is what is seen: no character of a target can hide in it.
 * @param what names it for who hears the button
 */
export function copyPart(title: string, what: string, text: string): Html {
  const button = html`<button type="button" class="take">Copy<span class="unseen"> ${what}</span></button>`
  return html`<div class="copy"><div class="over"><p class="way">${title}</p>${button}</div>
<pre class="all">${textLines(text)}</pre></div>`
}
