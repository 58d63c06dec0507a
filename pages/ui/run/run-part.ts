import { exchangesPart } from '../../../reports/formats/html/evidence-part.js'
import { causePart } from '../../../reports/formats/html/failure-part.js'
import { judgementPart } from '../../../reports/formats/html/judgement-part.js'
import { gridPart, legendPart, ruleCell } from '../../../reports/formats/html/map-part.js'
import { badge } from '../../../reports/formats/html/marks.js'
import { type Html, html, prose, textLines } from '../../../reports/formats/html/markup.js'
import { rulePart } from '../../../reports/formats/html/rule-part.js'
import { sectionsOf } from '../../../reports/formats/html/sections.js'
import { brokenPart, verdictPart } from '../../../reports/formats/html/verdict-part.js'
import { anchor } from '../../../reports/formats/shared/escape.js'
import { LOOKS } from '../../../reports/formats/shared/outcomes.js'
import { capital, count } from '../../../reports/formats/shared/phrase.js'
import { roughly } from '../../../reports/formats/shared/run-time.js'
import { grouped } from '../../../spec/model/items.js'
import type { Report, Result } from '../../../spec/model/report.js'
import { judgedExchange, requestText } from './edit-request.js'
import type { LiveRun } from './live-run.js'
import type { Runner, RunStatus } from './runner.js'

/** What is watched: each change of a file there starts a run. */
export interface Watched {
  readonly folder: string | undefined
  /** What a run of everything does to the service. */
  readonly load: () => readonly string[]
}

export function partOf(kind: 'cell' | 'fail' | 'sent', rule: string): string {
  return anchor('rule', rule).replace(/^rule/, kind)
}

export function runView(runner: Runner, watched: Watched): Html {
  const { live } = runner
  return html`<div id="verdict">${verdictOf(runner)}</div>
<section class="panel now" aria-label="This run"><div id="progress">${progressPart(runner)}</div>
<div id="controls">${controlsPart(runner, watched)}</div></section>
<div class="beside"><section aria-labelledby="fails-title"><h2 id="fails-title">Failures</h2>
<div id="fails-note">${failsNote(runner)}</div>
<div id="beside"></div>
<div id="fails">${failsPart(runner)}</div></section>
<section aria-labelledby="map-title"><h2 id="map-title">The specification, rule by rule</h2>
${legendPart((state) => state !== 'waived' && state !== 'advisory')}
<div id="map">${mapOf(live)}</div></section></div>`
}

/** How far it is. */
export function progressPart(runner: Runner): Html {
  const status = runner.status()
  const { phase, problem } = status
  const isBusy = phase === 'running' || phase === 'stopping'
  return html`${headingPart(runner)}
${isBusy ? figuresPart(status) : undefined}
${phase === 'idle' ? html`<p class="lead">A run sends every request of the suite to the service. It takes from seconds to minutes.</p>` : undefined}
${problem === undefined ? undefined : html`<p class="message">${textLines(problem)}</p>`}`
}

/** What can be done: apart from the figures, which change while someone presses a button. */
export function controlsPart(runner: Runner, { folder, load }: Watched): Html {
  const { phase } = runner.status()
  // After a run of a part it is beside what that says.
  const start = phase === 'done' && isOfPart(runner) ? undefined : startPart(phase)
  const starts = html`${start}${againPart(runner.live)}`
  const stops = html`<button class="do" id="stop" data-post="run/stop">Stop</button>`
  const unwatch = html`<button class="do" id="unwatch" data-post="run/unwatch" formnovalidate>Stop watching</button>`
  return html`<div class="strip"><form data-post="run/start"><div class="actions">${phase === 'running' ? stops : phase === 'stopping' ? undefined : starts}</div><p class="message" id="${start === undefined ? 'again' : 'start'}-message" role="alert"></p></form>
<form data-post="run/watch"><div class="actions"><label for="folder">Run on change of</label>
<input class="watch" id="folder" name="folder" required autocomplete="off" spellcheck="false" placeholder="a folder, such as src" value="${folder ?? ''}">
<button class="do" id="watch">${folder === undefined ? 'Watch' : 'Change'}</button>${folder === undefined ? undefined : unwatch}</div><p class="message" id="watch-message" role="alert"></p></form></div>
${phase === 'idle' || phase === 'done' ? load().map((sentence) => html`<p class="hint">${prose(sentence)}</p>`) : undefined}`
}

function startPart(phase: RunStatus['phase']): Html {
  return html`<button class="do main" id="start">${phase === 'idle' ? 'Run the suite' : 'Run all'}</button>`
}

/** Runs again what failed, and what was not judged: each is named for what it is. */
function againPart(live: LiveRun): Html | undefined {
  const ids = live.failed()
  if (ids.length === 0) return undefined
  const outcomes = new Set(ids.map((id) => live.result(id)?.outcome))
  const what = [
    ...(outcomes.has('failed') ? ['failed'] : []),
    ...(outcomes.has('cantTell') ? ['was not judged'] : []),
  ]
  return html`<button class="do" id="again" data-post="run/failed">Run what ${what.join(' or ')} (${count(ids.length, 'case')})</button>`
}

/** Once there is a verdict, that is the heading of the page. */
function headingPart(runner: Runner): Html | undefined {
  const status = runner.status()
  const heading = headingOf(status)
  if (verdictOf(runner) === undefined) return html`<h1>${heading}</h1>`
  return status.phase === 'done' ? undefined : html`<h2>${heading}</h2>`
}

function headingOf({ phase, isPart, problem }: RunStatus): string {
  if (phase === 'idle') return 'Nothing has run yet'
  if (phase === 'stopping') return 'Stopping'
  if (phase === 'running') return isPart ? 'Running a part again' : 'Running'
  return problem === undefined ? 'The run has ended' : 'The run failed'
}

function figuresPart(status: RunStatus): Html {
  const { phase, planned, inapplicable, sent, failures, msLeft, foretold, wait } = status
  const finished = Math.min(status.finished, planned)
  const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const left = phase !== 'running' || msLeft === undefined ? undefined : `about ${roughly(msLeft)}`
  return html`<progress aria-label="Cases done" max="${Math.max(1, planned - inapplicable)}" value="${finished - inapplicable}"></progress>
<dl class="run">${fact('Requests sent', grouped(sent))}${fact('Cases done', `${finished} of ${planned}`)}${fact('Failures so far', grouped(failures))}${left && fact('Time left', left)}</dl>
${left && foretold && html`<p class="hint">${capital(foretold)}.</p>`}
${wait === undefined ? undefined : html`<p class="wait">The service asked to wait (status ${wait.status}): continuing in ${roughly(wait.msLeft)}.</p>`}`
}

/** What is known once nothing runs: the verdict of a run of everything, or what a part has changed since. */
export function verdictOf(runner: Runner): Html | undefined {
  const report = runner.report()
  const { phase, isPart, problem } = runner.status()
  if (report === undefined || phase !== 'done' || (problem !== undefined && !isPart)) return undefined
  const link = html`<a href="report">every rule and every result of the run of ${report.startedAt.slice(11, 16)} UTC</a>`
  return isPart
    ? html`${partVerdict(runner.live, report)}\n<p class="hint">The last full report is older: ${link}.</p>`
    : html`${verdictPart(report)}\n<p class="hint">Full report: ${link}.</p>`
}

/** Whether what is shown is of a part: it says nothing of the rest, which may have changed. */
function isOfPart(runner: Runner): boolean {
  return runner.status().isPart && runner.report() !== undefined
}

/** Of the newest results: a run of a part has no verdict of its own, and is never green. */
function partVerdict(live: LiveRun, { target, verdict }: Report): Html {
  const broken = live.rules.filter(({ id }) => live.stateOf(id) === 'failed')
  const open = live.rules.filter(({ id }) => live.stateOf(id) === 'cantTell')
  const isMended = verdict !== 'conformant' && live.failed().length === 0
  const [look, heading, why] =
    broken.length > 0
      ? (['nonconformant', '✗ NOT CONFORMANT', brokenPart(broken)] as const)
      : open.length > 0
        ? ([
            'inconclusive',
            '? INCONCLUSIVE',
            html`${count(open.length, 'rule')} could not be judged.`,
          ] as const)
        : (['part', isMended ? 'What failed now passes' : 'What ran again passes', undefined] as const)
  return html`<header class="verdict ${look}"><p class="kicker">${target.name}</p><h1>${heading}</h1>
${why && html`<div class="why">${why}</div>`}
<form data-post="run/start"><p class="partial">Only a part ran again. The rest may have changed: run all for the verdict.</p>
<div class="actions">${startPart('done')}</div><p class="message" id="start-message" role="alert"></p></form></header>`
}

/** The specification's sentences as a grid. */
export function mapOf(live: LiveRun): Html {
  const rules = live.rules.flatMap(({ id }) => live.ruleOf(id) ?? [])
  return gridPart(
    sectionsOf({ rules }),
    (rule) => html`<li id="${partOf('cell', rule.id)}">${ruleCell(rule, live.stateOf(rule.id))}</li>`,
  )
}

export function failsNote(runner: Runner): Html {
  const broken = runner.live.broken().length
  if (broken > 0) return html`<p class="hint">${count(broken, 'rule is', 'rules are')} broken.</p>`
  const found =
    runner.status().phase !== 'done'
      ? 'None so far.'
      : isOfPart(runner)
        ? `None in what ran again. ${LOOKS.untested.mark} marks what did not, or not wholly.`
        : 'No rule is broken.'
  return html`<p class="hint">${found} Choose any rule of the grid to open it here.</p>`
}

function failsPart(runner: Runner): Html {
  const { live } = runner
  const broken = live.broken()
  return html`${live.rules.map(
    ({ id }) =>
      html`<div class="fail" id="${partOf('fail', id)}">${broken.includes(id) ? failPart(runner, id) : undefined}</div>`,
  )}`
}

/** The rules whose evidence is shown: of more, the report has it. */
const MAX_EVIDENCE = 40

/** A broken rule with its evidence, and what can be done about it; nothing where it is not broken. */
export function failPart(runner: Runner, id: string): Html | undefined {
  const { live } = runner
  const rule = live.ruleOf(id)
  const state = live.stateOf(id)
  if (rule === undefined || state !== 'failed') return undefined
  const place = live.broken().indexOf(id)
  if (place >= MAX_EVIDENCE) return html`<p class="hint">${id}: its evidence is in the report.</p>`
  const occurrences = live.occurrencesOf(id)
  const shown = occurrences.find(({ judgement }) => judgement.outcome === 'failed')
  if (shown === undefined) return undefined
  return html`${causePart([{ rule, occurrences, shown }], () => occurrences, place === 0)}
${actionsPart(runner, id)}`
}

/** A rule that was asked for, whatever its state. */
export function askedPart(runner: Runner, id: string): Html | undefined {
  const { live } = runner
  const rule = live.ruleOf(id)
  return rule && html`${rulePart(rule, live.stateOf(id), live.occurrencesOf(id))}`
}

function actionsPart(runner: Runner, id: string): Html {
  const occurrence = runner.live.occurrencesOf(id).find(({ judgement }) => judgement.outcome === 'failed')
  const again = html`<form data-post="run/again"><div class="actions"><button class="do small" name="rule" value="${id}">Run this again<span class="unseen">: ${id}</span></button></div><p class="message" id="${partOf('sent', id)}-again" role="alert"></p></form>`
  const exchange = occurrence && judgedExchange(occurrence.result, occurrence.judgement)
  const deployment = runner.target()?.deployments.find(({ name }) => name === occurrence?.result.deployment)
  if (occurrence === undefined || exchange === undefined || deployment === undefined) return again
  const text = requestText(exchange, deployment)
  const rows = Math.min(16, text.split('\n').length + 1)
  const sent = partOf('sent', id)
  return html`<div class="tools">${again}
<details class="edit" id="${sent}-edit"><summary>Edit the request and send it</summary>
<form data-post="run/send"><p class="hint">${prose('The answer is judged by the rules of this case. `‹password of …›` is replaced by the password.')}</p>
<input type="hidden" name="rule" value="${id}"><input type="hidden" name="result" value="${occurrence.result.id}"><input type="hidden" name="label" value="${exchange.label}">
<textarea id="${sent}-text" name="text" aria-label="The request" rows="${rows}" spellcheck="false">
${textLines(text)}</textarea>
<div class="actions"><button class="do small">Send</button></div><p class="message" id="${sent}-message" role="alert"></p></form>
<div id="${sent}"></div></details></div>`
}

/** What came of a request that was edited. */
export function sentPart({ judgements, exchanges, reason }: Result): Html {
  const telling = judgements.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
  const passed = judgements.filter(({ outcome }) => outcome === 'passed').map(({ rule }) => rule)
  return html`${reason === undefined ? undefined : html`<p class="note">${prose(reason)}</p>`}
${telling.map((judgement) => html`<div class="occurrence ${judgement.outcome}"><p class="where">${badge(judgement.outcome)} ${judgement.rule}</p>${judgementPart(judgement)}</div>`)}
${passed.length === 0 ? undefined : html`<p class="links">${badge('passed')} ${[...new Set(passed)].join(', ')}</p>`}
${exchangesPart({ exchanges })}`
}

/** The title of the tab: it is read while another one is in front. */
export function titleOf(runner: Runner): string {
  const { phase, failures, sent, isPart } = runner.status()
  const report = verdictOf(runner) && runner.report()
  if (phase === 'running')
    return `${failures > 0 ? `✗ ${failures}` : '…'} after ${sent} requests · Token Assay`
  if (phase === 'done' && report !== undefined) {
    const broken = runner.live.broken().length
    const whole = isPart ? 'a part ran again' : report.verdict
    return `${broken > 0 ? `✗ ${count(broken, 'rule')} broken` : whole} · Token Assay`
  }
  return 'Run · Token Assay'
}
