import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { documentOf } from '../html/document.js'
import { copyPart } from '../html/evidence-part.js'
import { exchangePart, foldPart } from '../html/exchange-part.js'
import { type Html, html, prose, textLines } from '../html/markup.js'
import { LOOKS as STATES, type State } from '../shared/outcomes.js'
import { count } from '../shared/phrase.js'
import {
  acceptedText,
  CLASS_WORDS,
  clientsText,
  differentialSentence,
  HURT_WORDS,
  hurtText,
  listsOf,
  replayLine,
  ruleOf,
} from './words.js'

const LOOKS = { same: 'conformant', different: 'nonconformant', inconclusive: 'inconclusive' } as const
const STATE_OF: Readonly<Record<Finding['class'], State>> = {
  breaks: 'failed',
  both: 'warning',
  mends: 'warning',
  silent: 'cantTell',
}
/** Of more differences between two answers the first tell enough: the others are folded. */
const MAX_OPEN = 3

/** The findings on the pattern of a report's page: the verdict, what each finding is, and its evidence, folded. */
export function renderDifferentialHtml(report: Differential): string {
  const { findings } = report
  const sections = Object.entries(HURT_WORDS).map(([hurts, heading]) => {
    const own = findings.filter((finding) => finding.hurts === hurts)
    return own.length === 0
      ? undefined
      : section(
          hurts,
          heading,
          own.map((finding) => findingPart(finding, report)),
        )
  })
  const content = html`<a class="skip" href="#findings">Skip to the findings</a>
${headPart(report)}
<main id="findings">
${sections}
${listsOf(report).map(({ id, heading, items }) => section(id, heading, [itemsPart(items)]))}
</main>
<p id="heard" class="unseen" role="status"></p>
<footer><p>${report.suite.name} ${report.suite.version}</p></footer>`
  return documentOf('Old against new', content)
}

/** One sentence, as in every format, then what it is about. */
function headPart(report: Differential): Html {
  const { verdict, findings, seed } = report
  const [, heading = '', , why = ''] = /^([^,.]+)([,.] ?)(.*)$/s.exec(differentialSentence(report)) ?? []
  const links = findings.map(
    (finding) =>
      html`<li><a class="cell ${stateOf(finding)}" href="#${finding.id}"><span aria-hidden="true">${STATES[stateOf(finding)].mark}</span> <span class="says">${prose(finding.title)}</span></a></li>`,
  )
  const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<header class="verdict ${LOOKS[verdict]}">
<p class="kicker">Old against new</p>
<h1>${heading}</h1>
<p class="why">${why}</p>
${links.length === 0 ? undefined : html`<ul class="chips" aria-label="Findings, the worst first">${links}</ul>`}
<dl class="run">${fact('Old', report.old.baseUrl)}${fact('New', report.new.baseUrl)}${fact('Started', `${report.startedAt.slice(0, 19).replace('T', ' ')} UTC`)}${fact('Seed', String(seed))}</dl>
</header>`
}

/** Where users or their sign-in are hurt, it is no milder for the specification's silence. */
const WORST: readonly Finding['hurts'][] = ['users', 'sign-in', 'registration']

function stateOf(finding: Finding): State {
  if (finding.accepted === undefined && WORST.includes(finding.hurts)) return 'failed'
  return finding.accepted === undefined ? STATE_OF[finding.class] : 'waived'
}

function section(id: string, heading: string, parts: readonly Html[]): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${parts}</section>`
}

function findingPart(finding: Finding, report: Differential): Html {
  const { id, title, also = [], differences, behind, examples, old, new: now } = finding
  const state = stateOf(finding)
  const accepted = acceptedText(finding)
  const clients = clientsText(finding, report)
  const broken = finding.clients?.breaks ?? []
  const rules = ruleOf(finding)
  const hurt = hurtText(finding)
  const more = differences.slice(MAX_OPEN)
  const [words = '', advice] = CLASS_WORDS[finding.class].split(': ')
  const badge = html`<span class="badge ${state}"><span aria-hidden="true">${STATES[state].mark}</span> ${words}</span>`
  return html`<article class="cause ${state}" id="${id}">
<div class="broken"><h3>${badge} ${prose(title)}</h3>
${rules === '' ? undefined : html`<p class="level">${rules}</p>`}
${hurt === HURT_WORDS[finding.hurts] ? undefined : html`<p class="note">${prose(hurt)}.</p>`}
${advice === undefined ? undefined : html`<p class="note">Note: ${advice}.</p>`}
${accepted === undefined ? undefined : html`<p class="note">${accepted}</p>`}
${clients === undefined ? undefined : html`<p>Clients: ${prose(clients)}</p>`}
${broken.length === 0 ? undefined : foldPart('How they end', itemsPart(broken.map(({ client, ended }) => `\`${client}\`: ${ended}`)))}
${differences.slice(0, MAX_OPEN).map(differencePart)}
${more.length === 0 ? undefined : foldPart(count(more.length, 'more difference'), html`${more.map(differencePart)}`)}
${also.length === 0 ? undefined : html`<p>Also: ${also.map((one, at) => html`${at === 0 ? '' : '; '}${prose(one)}`)}</p>`}</div>
<p class="where">Seen in ${count(behind, 'request')}: ${prose(examples.join(', '))}. Finding ${id}.</p>
${exchangesPart('old', old)}
${exchangesPart('new', now)}
${foldPart('How to repeat it', html`${commandPart('old', old)}${commandPart('new', now)}${copyPart('Compare this request again', 'the diff command', replayLine(finding, report))}`)}
</article>`
}

function differencePart({ at, old, new: now }: Finding['differences'][number]): Html {
  const side = (name: string, text: string): Html =>
    html`<div><dt>${name}</dt><dd><code>${textLines(text)}</code></dd></div>`
  return html`<p class="because">${at.trim()}</p><dl class="sides">${side('old', old)}${side('new', now)}</dl>`
}

function exchangesPart(name: 'old' | 'new', { exchanges }: Finding['old']): Html | undefined {
  if (exchanges.length === 0) return undefined
  return foldPart(`The request and the answer of ${name}`, html`${exchanges.map(exchangePart)}`)
}

function commandPart(name: 'old' | 'new', { reproduce }: Finding['old']): Html | undefined {
  if (reproduce === undefined) return undefined
  return copyPart(`The request to ${name}`, `the curl command for ${name}`, reproduce)
}

function itemsPart(items: readonly string[]): Html {
  return html`<ul class="facts">${items.map((item) => html`<li>${prose(item)}</li>`)}</ul>`
}
