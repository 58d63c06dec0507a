import { explanationOf } from '../explanation/explain-rules.js'
import { STACKS } from '../explanation/explanation.js'
import { foldPart } from './exchange-part.js'
import { type Html, html, prose, textLines } from './markup.js'

/** How to fix what breaks these rules, and why they matter: a fix that several have in common, once. */
export function fixesPart(rules: readonly string[]): readonly Html[] {
  const explained = rules.map(explanationOf)
  const mendings = new Set(explained.flatMap(({ mending }) => mending ?? []))
  return [...mendings].map((mending) => {
    const own = explained.flatMap((one) => (one.mending === mending ? (one.explanation ?? []) : []))
    const code = STACKS.map(({ key, name }) =>
      foldPart(name, html`<pre>${textLines(mending.code[key].trimEnd().replaceAll('\t', '  '))}</pre>`),
    )
    const texts = [mending.advice, ...own.flatMap(({ note }) => note ?? [])].map(
      (text) => html`<p>${prose(text)}</p>`,
    )
    const whys = own.map(({ rule, why }) => html`<p class="note">Why ${rule} matters: ${prose(why)}</p>`)
    return foldPart(
      'How to fix it',
      html`<div class="fix"><p><b>${mending.title}</b></p>${texts}${whys}${code}</div>`,
    )
  })
}
