import type { Report } from '../../spec/types.js'
import { anchor } from '../anchor.js'
import { type Findings, findings } from '../findings.js'
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

/** Beyond these they are folded: under all combinations of settings there are hundreds. */
const MOST_DEPLOYMENTS = 4

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
${brokenPart(found)}
${partial === undefined ? undefined : html`<p class="partial">${partial}</p>`}
<ul class="counts" aria-label="Results by outcome">${COUNTED.map((name) => countPart(name, report.counts[name]))}</ul>
${runPart(report)}
${deploymentsPart(target.deployments)}
</header>`
}

function brokenPart({ broken }: Findings): Html | undefined {
  if (broken.length === 0) return undefined
  const cells = broken.map(({ rule: { id } }) => {
    const mark = html`<span aria-hidden="true">${LOOKS.failed.mark}</span>`
    return html`<li><a class="cell failed" href="#${anchor('rule', id)}">${mark} ${id}</a></li>`
  })
  return html`<ul class="chips" aria-label="Broken rules">${cells}</ul>`
}

function countPart(name: (typeof COUNTED)[number], number: number): Html {
  const { mark, words } = LOOKS[name]
  const some = number === 0 ? 'none' : 'some'
  return html`<li class="${name} ${some}"><b>${number}</b> <span aria-hidden="true">${mark}</span> ${words}</li>`
}

function runPart({ startedAt, durationMs, seed, plan }: Report): Html {
  return html`<dl class="run">
<div><dt>Started</dt><dd>${startedAt.slice(0, 19).replace('T', ' ')} UTC</dd></div>
<div><dt>Took</dt><dd>${duration(durationMs)}</dd></div>
<div><dt>Seed</dt><dd>${seed}</dd></div>
<div><dt>Plan</dt><dd>${plan.planned} cases, ${plan.hash.slice(0, 19)}</dd></div>
</dl>`
}

function deploymentsPart(deployments: Report['target']['deployments']): Html {
  const list = html`<dl class="run">${deployments.map(
    ({ name, baseUrl }) => html`<div><dt>Deployment ${name}</dt><dd>${baseUrl}</dd></div>`,
  )}</dl>`
  if (deployments.length <= MOST_DEPLOYMENTS) return list
  return html`<details class="deployments"><summary>${count(deployments.length, 'deployment')}</summary>${list}</details>`
}
