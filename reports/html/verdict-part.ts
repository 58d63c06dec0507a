import type { Report } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { findings } from '../findings.js'
import { count, duration } from '../phrase.js'
import { partialSentence, verdictSentence } from '../verdict-sentence.js'
import { type Html, html } from './markup.js'
import { LOOKS, type State } from './state.js'

const COUNTED = [
  'passed',
  'failed',
  'cantTell',
  'inapplicable',
  'untested',
  'waived',
] as const satisfies State[]

/** Under all combinations of settings there are hundreds. */
const MOST_DEPLOYMENTS = 12

/** What one came for: the verdict, what it rests on, and of what run it speaks. */
export function verdictPart(report: Report): Html {
  const found = findings(report)
  const sentence = verdictSentence(report, found)
  const colon = sentence.indexOf(':')
  const partial = partialSentence(report)
  const { suite, target } = report
  return html`<header class="verdict ${report.verdict}">
<p class="kicker">${suite.name} ${suite.version} · ${target.name}</p>
<h1>${sentence.slice(0, colon)}</h1>
<p class="why">${sentence.slice(colon + 1).trim()}</p>
${found.broken.length > 0 ? html`<ul class="chips" aria-label="Broken rules">${found.broken.map(({ rule }) => html`<li><a class="cell failed" href="#${anchor('rule', rule.id)}"><span aria-hidden="true">✗</span> ${rule.id}</a></li>`)}</ul>` : undefined}
${partial === undefined ? undefined : html`<p class="partial">${partial}</p>`}
<ul class="counts" aria-label="Results by outcome">${COUNTED.map((name) => html`<li class="${name} ${report.counts[name] === 0 ? 'none' : 'some'}"><b>${report.counts[name]}</b> <span aria-hidden="true">${LOOKS[name].mark}</span> ${LOOKS[name].words}</li>`)}</ul>
${runPart(report)}
</header>`
}

function runPart({ target, startedAt, durationMs, seed, plan }: Report): Html {
  const more = target.deployments.length - MOST_DEPLOYMENTS
  return html`<dl class="run">
${target.deployments.slice(0, MOST_DEPLOYMENTS).map(({ name, baseUrl }) => html`<div><dt>Deployment ${name}</dt><dd>${baseUrl}</dd></div>`)}
${more > 0 ? html`<div><dt>Deployments</dt><dd>${count(more, 'more', 'more')}</dd></div>` : undefined}
<div><dt>Started</dt><dd>${startedAt.slice(0, 19).replace('T', ' ')} UTC</dd></div>
<div><dt>Took</dt><dd>${duration(durationMs)}</dd></div>
<div><dt>Seed</dt><dd>${seed}</dd></div>
<div><dt>Plan</dt><dd>${plan.planned} cases, ${plan.hash.slice(0, 19)}</dd></div>
</dl>`
}
