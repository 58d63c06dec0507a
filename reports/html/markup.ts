import { visible } from '../escape.js'

/** Markup that is safe to stand in a page: it is made by the `html` tag alone, which escapes whatever it is given. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Part = Html | string | number | undefined | readonly Part[]

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/**
 * A template whose every value is text unless it is markup itself: hostile text cannot leave its element, nor a value
 * its attribute, as long as attributes stand in double quotes. Controls and bidi characters become visible escapes.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + render(parts[index])).join(''))
}

/** Text of several lines, which stay lines. */
export function textLines(text: string): Html {
  return new Html(text.split('\n').map(escaped).join('\n'))
}

/** A sentence of ours or of the specification's: what stands between backquotes is code. */
export function prose(text: string): Html {
  const pieces = text.split('`')
  // An odd one is no pair, and stays what it is.
  if (pieces.length % 2 === 0) return html`${text}`
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
}

/** Markup of our own that holds nothing from a report: the style and the script. */
export function own(markup: string): Html {
  return new Html(markup)
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(render).join('')
  return escaped(String(part))
}

function escaped(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (character) => SPECIAL[character] ?? character)
}
