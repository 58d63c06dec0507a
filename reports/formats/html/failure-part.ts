import { explanationOf } from '../explanation/explain-rules.js'
import { STACKS } from '../explanation/explanation.js'
import { causesOf, type FailureCause, type ShownFailure } from '../shared/causes.js'
import { anchor } from '../shared/escape.js'
import type { FailedRule } from '../shared/failures.js'
import { count } from '../shared/phrase.js'
import { exchangesPart, repeatPart } from './evidence-part.js'
import { foldPart } from './exchange-part.js'
import { judgementPart } from './judgement-part.js'
import { badge, resultLink } from './marks.js'
import { type Html, html, prose, textLines } from './markup.js'
import { judgedPart, sourcePart } from './rule-part.js'

/** Of so many causes the exchange is open at first. */
const MAX_OPEN = 3

/** What is broken, each rule once, and under the rules that one answer breaks that answer, once. */
export function failuresPart(broken: readonly FailedRule[], occurrences: OccurrencesOf): Html | undefined {
  if (broken.length === 0) return undefined
  const causes = causesOf(broken)
  const by = causes.length < broken.length ? `, by ${count(causes.length, 'answer')}` : ''
  return html`<section aria-labelledby="failures">
<h2 id="failures">${count(broken.length, 'broken rule')}${by}</h2>
${causes.map((cause, index) => causePart(cause, occurrences, index < MAX_OPEN))}
</section>`
}

/** Every judgement of a rule, of any outcome. */
export type OccurrencesOf = (rule: string) => FailedRule['occurrences']

/** The rules that one answer breaks, with that answer and how to repeat it. */
export function causePart(cause: FailureCause, occurrences: OccurrencesOf, open: boolean): Html {
  const [{ shown }] = cause
  const shared = html`<p class="note">One answer breaks these ${cause.length} rules:</p>`
  const exchanges = exchangesPart(shown.result, shown.judgement)
  return html`<article class="cause group">
${cause.length > 1 ? shared : undefined}
${cause.map((failure) => brokenRulePart(failure, occurrences(failure.rule.id)))}
<p class="where">Seen in ${resultLink(shown.result)}: ${prose(shown.result.title)}</p>
${open ? exchanges : foldPart('The request and the answer', exchanges)}
${fixesPart(cause.map(({ rule }) => rule.id))}
${foldPart('How to repeat it', repeatPart(shown.judgement))}
</article>`
}

function brokenRulePart({ rule, shown }: ShownFailure, occurrences: FailedRule['occurrences']): Html {
  const id = anchor('rule', rule.id)
  return html`<div class="item broken" data-state="failed" id="${id}">
<h3>${badge('failed')} <a href="#${id}">${rule.id}</a></h3>
<p class="statement">${prose(rule.statement)} <span class="level">section ${rule.section}, ${rule.level}</span></p>
${sourcePart(rule)}
${judgementPart(shown.judgement)}
${judgedPart(occurrences, shown)}
</div>`
}

/** How to fix what breaks these rules, and why they matter: a fix that several have in common, once. */
function fixesPart(rules: readonly string[]): readonly Html[] {
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
