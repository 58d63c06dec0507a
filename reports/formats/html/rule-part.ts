import type { Judgement, Outcome, Result, RuleResult } from '../../../spec/model/report.js'
import { anchor } from '../shared/escape.js'
import type { Occurrence } from '../shared/failures.js'
import { LOOKS, resultState, type State } from '../shared/outcomes.js'
import { count } from '../shared/phrase.js'
import { exchangesPart, repeatPart } from './evidence-part.js'
import { foldPart } from './exchange-part.js'
import { judgementPart } from './judgement-part.js'
import { badge, markedLinks, resultLink } from './marks.js'
import { type Html, html, prose } from './markup.js'

/** For each rule: the number of failures shown in full, and of results named. */
const MAX_IN_FULL = 3
const MAX_LINKS = 30

/** One rule. Closed: its outcome and its sentence. Open: its judgements by deployment and the evidence of its failures. */
export function rulePart(rule: RuleResult, state: State, occurrences: readonly Occurrence[]): Html {
  const why =
    rule.why ??
    (rule.level !== 'unspecified' && rule.level !== 'untestable' && rule.results.length === 0
      ? 'No case of this run judges this rule.'
      : undefined)
  const id = anchor('rule', rule.id)
  const sentence = prose(rule.statement)
  return html`<details class="item" data-state="${state}">
<summary>${badge(state)} <b>${rule.id}</b> <span class="sentence">${sentence}</span></summary>
<div class="inside" id="${id}">
<p class="level">section ${rule.section} · ${rule.level}${rule.advisory ? ', advisory' : ''} · <a href="#${id}">link to this rule</a></p>
<p class="statement">${sentence}</p>
${sourcePart(rule)}
${why === undefined ? undefined : html`<p class="note">${prose(why)}</p>`}
${judgementsPart(occurrences)}
</div></details>`
}

/** Where a rule of a profile comes from. */
export function sourcePart({ source }: RuleResult): Html | undefined {
  return source && html`<p class="note">“${prose(source.says)}” ${source.at}</p>`
}

/** Where else a rule was judged than in the failure that is shown, folded; undefined where it was nowhere. */
export function judgedPart(occurrences: readonly Occurrence[], shown: Occurrence): Html | undefined {
  const others = occurrences.filter(
    ({ result, judgement }) => result !== shown.result || judgement !== shown.judgement,
  )
  if (others.length === 0) return undefined
  const failed = others.filter(({ judgement }) => judgement.outcome === 'failed').length
  return foldPart(
    `${count(others.length, 'more judgement')}${failed === 0 ? '' : `, ${failed} failed`}`,
    judgementsPart(others),
  )
}

function judgementsPart(occurrences: readonly Occurrence[]): Html {
  const of = (outcome: Outcome) => occurrences.filter(({ judgement }) => judgement.outcome === outcome)
  const telling = [...of('failed'), ...of('cantTell')]
  const rest = telling.length - MAX_IN_FULL
  const more = `${count(rest, 'more judgement')} like these: in the results below.`
  return html`${occurrences.length === 0 ? undefined : deploymentTable(occurrences)}
${telling.slice(0, MAX_IN_FULL).map(occurrencePart)}
${rest > 0 ? html`<p class="note">${more}</p>` : undefined}
${occurrences.length === 0 ? undefined : linksPart(occurrences)}`
}

const OUTCOMES: readonly Outcome[] = ['failed', 'cantTell', 'passed', 'untested', 'inapplicable']

function deploymentTable(occurrences: readonly Occurrence[]): Html {
  // One pass: there may be hundreds of deployments, and thousands of judgements of a rule.
  const tally = new Map<string, Map<Outcome, number>>()
  for (const { result, judgement } of occurrences) {
    const row = tally.get(result.deployment) ?? new Map<Outcome, number>()
    tally.set(result.deployment, row.set(judgement.outcome, (row.get(judgement.outcome) ?? 0) + 1))
  }
  const outcomes = OUTCOMES.filter((outcome) => Array.from(tally.values()).some((row) => row.has(outcome)))
  const heads = outcomes.map((outcome) => {
    const { mark, words } = LOOKS[outcome]
    return html`<th scope="col">${mark} ${words}</th>`
  })
  const rows = Array.from(tally, ([name, row]) => {
    const cells = outcomes.map((outcome) => html`<td>${row.get(outcome) ?? 0}</td>`)
    return html`<tr><th scope="row">${name}</th>${cells}</tr>`
  })
  return html`<table class="tally"><thead><tr><th scope="col">Judgements in</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table>`
}

function occurrencePart({ result, judgement }: Occurrence): Html {
  const state = judgement.outcome === 'failed' ? failureState(result, judgement) : judgement.outcome
  return html`<div class="occurrence ${state}">
<p class="where">${badge(state)} in ${resultLink(result)}: ${prose(result.title)}</p>
${judgementPart(judgement)}
${judgement.outcome === 'failed' || judgement.reproduce ? html`${exchangesPart(result, judgement)}\n${repeatPart(judgement)}` : undefined}</div>`
}

function failureState({ waived }: Result, { advisory }: Judgement): State {
  return waived ? 'waived' : advisory ? 'advisory' : 'failed'
}

function linksPart(occurrences: readonly Occurrence[]): Html {
  const results = [...new Set(occurrences.map(({ result }) => result))]
  const more = results.length - MAX_LINKS
  const links = results
    .slice(0, MAX_LINKS)
    .map((result) => [resultState(result), resultLink(result)] as const)
  const tail = more > 0 ? ` and ${count(more, 'more result')}` : ''
  return html`<p class="links">Judged in ${markedLinks(links)}${tail}</p>`
}
