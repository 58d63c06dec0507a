import type { Report } from '../../../spec/model/report.js'
import type { Requirement } from '../../../spec/model/specification.js'
import { anchor } from '../shared/escape.js'
import { byReason, type Failures, failuresOf } from '../shared/failures.js'
import { COUNTED, LOOKS, STATES } from '../shared/outcomes.js'
import { capital, count, duration } from '../shared/phrase.js'
import { runFacts } from '../shared/run-facts.js'
import { partialSentence, staleSentence, stopSentences, verdictSentence } from '../shared/verdict-sentence.js'
import { sentencePart } from './map-part.js'
import { type Html, html, prose } from './markup.js'

/** More deployments are folded: with all combinations of settings there are hundreds. */
const MAX_DEPLOYMENTS = 4
/** Of a run that went wrong in many ways the first few ways are enough. */
const MAX_REASONS = 5

/** The head of the page: the verdict, its grounds, and the run. */
export function verdictPart(report: Report): Html {
  const found = failuresOf(report)
  const sentence = verdictSentence(report, found)
  const colon = sentence.indexOf(':')
  const partial = partialSentence(report)
  const { suite, target } = report
  return html`<header class="verdict ${report.verdict}">
<p class="kicker">${suite.name} ${suite.version} · ${target.name}</p>
<h1>${sentence.slice(0, colon)}</h1>
${groundsPart(report, found, capital(sentence.slice(colon + 1).trim()))}
${undecidedPart(report)}
${partial === undefined ? undefined : html`<p class="partial">${partial}</p>`}
${countsPart(report)}
${factsPart(report)}
${runPart(report)}
${deploymentsPart(target.deployments.filter(({ baseUrl }) => baseUrl !== ''))}
</header>`
}

/** Broken rules are links, so the sentence does not name them as well. */
function groundsPart(report: Report, { broken }: Failures, grounds: string): Html {
  if (broken.length === 0) return html`<p class="why">${grounds}</p>`
  const more = [...stopSentences(report), staleSentence(report) ?? []].flat()
  return html`${brokenPart(broken.map(({ rule }) => rule))}
${more.map((sentence) => html`<p class="why">${sentence}</p>`)}`
}

export function brokenPart(rules: readonly Requirement[]): Html {
  const cells = rules.map(({ id, statement }) => {
    const mark = html`<span aria-hidden="true">${LOOKS.failed.mark}</span>`
    return html`<li><a class="cell failed" href="#${anchor('rule', id)}">${mark} ${id}${sentencePart(id, statement)}</a></li>`
  })
  return html`<p class="why">${count(rules.length, 'rule is', 'rules are')} broken:</p>
<ul class="chips" aria-label="Broken rules">${cells}</ul>`
}

/** What the baseline, the budgets and the way to the service did to the run. */
function factsPart(report: Report): Html | undefined {
  const facts = [...(report.baseline?.stale ?? []), ...waivedFacts(report), ...runFacts(report)]
  if (facts.length === 0) return undefined
  return html`<ul class="facts" aria-label="About this run">${facts.map((fact) => html`<li>${prose(fact)}</li>`)}</ul>`
}

/** A green page says at its head what it is green in spite of. */
function waivedFacts({ results }: Report): readonly string[] {
  const facts = results.flatMap(({ waived, judgements }) =>
    waived === undefined
      ? []
      : judgements
          .filter(({ outcome }) => outcome === 'failed')
          .map(({ rule }) => `Waived until ${waived.until}: \`${rule}\` is broken. ${waived.reason}`),
  )
  const shown = [...new Set(facts)]
  const left = shown.length - MAX_REASONS
  return left > 0 ? [...shown.slice(0, MAX_REASONS), `${left} more are waived.`] : shown
}

/** One paragraph for each reason, however many cases it concerns. */
function undecidedPart(report: Report): Html | undefined {
  const groups = byReason(report, 'cantTell').slice(0, MAX_REASONS)
  if (groups.length === 0) return undefined
  const items = groups.map(
    ({ reason, results }) =>
      html`<li>${prose(reason)} <span class="time">${count(results.length, 'case')}</span></li>`,
  )
  return html`<ul class="facts" aria-label="Why cases could not be judged">${items}</ul>`
}

/** What is counted is named in each tile: a case is no rule. An outcome that no case has needs no tile. */
function countsPart({ counts }: Report): Html {
  const names = COUNTED.filter((name) => counts[name] > 0 || name === 'passed' || name === 'failed').sort(
    (a, b) => STATES.indexOf(a) - STATES.indexOf(b),
  )
  return html`<ul class="counts" aria-label="Cases by outcome">${names.map((name) => countPart(name, counts[name]))}</ul>`
}

function countPart(name: (typeof COUNTED)[number], number: number): Html {
  const { mark, words } = LOOKS[name]
  const some = number === 0 ? 'none' : 'some'
  // They are among the failed ones as well.
  const noun = name === 'waived' ? 'of the failed' : number === 1 ? 'case' : 'cases'
  return html`<li class="${name} ${some}"><b>${number}</b> ${noun} <span aria-hidden="true">${mark}</span> ${words}</li>`
}

function runPart({ startedAt, durationMs, seed, plan }: Report): Html {
  return html`<dl class="run">
<div><dt>Started</dt><dd>${startedAt.slice(0, 19).replace('T', ' ')} UTC</dd></div>
<div><dt>Took</dt><dd>${duration(durationMs)}</dd></div>
<div><dt>Seed</dt><dd>${seed}</dd></div>
<div><dt>Plan</dt><dd>${plan.planned} cases, ${plan.hash.slice(0, 19)}</dd></div>
</dl>`
}

function deploymentsPart(deployments: Report['target']['deployments']): Html | undefined {
  if (deployments.length === 0) return undefined
  const list = html`<dl class="run">${deployments.map(
    ({ name, baseUrl }) => html`<div><dt>Deployment ${name}</dt><dd>${baseUrl}</dd></div>`,
  )}</dl>`
  if (deployments.length <= MAX_DEPLOYMENTS) return list
  return html`<details class="deployments"><summary>${count(deployments.length, 'deployment')}</summary>${list}</details>`
}
