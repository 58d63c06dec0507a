import { visible } from '../shared/escape.js'

/** Markup that is safe in a page: only the `html` tag makes it, and it escapes all values. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[]

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
 * its attribute, as long as attributes are in double quotes. Controls and bidi characters become visible escapes.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(texts.map((text, index) => text + render(parts[index])).join(''))
}

/** Text of several lines, which stay lines. */
export function textLines(text: string): Html {
  return new Html(text.split('\n').map(escaped).join('\n'))
}

/** A sentence of the suite or of the specification: text between backquotes is code. */
export function prose(text: string): Html {
  const pieces = text.split('`')
  // An unpaired backquote stays as it is.
  if (pieces.length % 2 === 0) return html`${text}`
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
}

/** Our markup without any text of a report: the style and the script. */
export function own(markup: string): Html {
  return new Html(markup)
}

function render(part: HtmlPart): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(render).join('')
  return escaped(String(part))
}

function escaped(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (character) => SPECIAL[character] ?? character)
}
