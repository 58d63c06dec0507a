import { type Html, type HtmlPart, html, prose } from '../../reports/formats/html/markup.js'
import { MARKS } from './page.js'
import { faultsOf, type InteropFault, tableOf } from './read-page.js'
import { MARKS as SIGN_IN_MARKS } from './sign-ins-page.js'

/** A rule, as the page shows it. */
interface ShownRule {
  readonly statement: string
  /** Of its page on the site. */
  readonly link: string
}

interface Column {
  readonly name: string
  readonly language: string
  readonly link: string
}

const RULE_STATES: Readonly<Record<string, string>> = {
  [MARKS.failed]: 'broken',
  [MARKS.cantTell]: 'cannot tell',
  [MARKS.passed]: 'holds',
}
const SIGN_IN_STATES: Readonly<Record<string, string>> = {
  [SIGN_IN_MARKS['signs in']]: 'signs in',
  [SIGN_IN_MARKS['not taken']]: 'does not sign in',
  [SIGN_IN_MARKS.refused]: 'is refused',
}
/**
 * The page of the site with both matrices, as Markdown with HTML, from `docs/interop.md` and `docs/sign-ins.md`. Its filters are
 * `pages/matrix/browser/matrix.ts`.
 */
export function renderMatrixPage(
  servers: string,
  signIns: string,
  ruleOf: (id: string) => ShownRule | undefined,
): string {
  const columns = tableOf(servers, '').map(
    ([_, name = '', language = '']): Column => ({
      ...{ name, language },
      link: `/docs/interop.html#${slugOf(name)}`,
    }),
  )
  const faults = faultsOf(servers)
  const rules = tableOf(servers, 'rule').map(([id = '', ...marks]) => {
    const { statement = '', link = '' } = ruleOf(id) ?? {}
    const head = html`<a href="${link}">${id}</a><span>${prose(statement)}</span>`
    const cells = marks.map((mark, index) => ruleCell(mark, id, columns[index], faults, servers))
    return rowOf(`${id} ${statement}`, undefined, head, cells)
  })
  const reference = {
    name: 'token-assay serve',
    language: 'the contract',
    link: '/docs/reference-server.html',
  }
  const clients = tableOf(signIns, 'client').map(([name = '', language = '', ...marks]) => {
    const head = html`<a href="/docs/clients.html#${slugOf(name)}">${name}</a><span>${language}</span>`
    const cells = marks.map((mark) => cellOf(SIGN_IN_STATES[mark] ?? 'not tried', mark))
    return rowOf(name, language, head, cells)
  })
  return `---
layout: page
title: Servers and clients
sidebar: false
---
<script setup>
import { onMounted } from 'vue'
import { enableFilters } from '../../../pages/matrix/browser/matrix.ts'
onMounted(enableFilters)
</script>
${
  html`<main class="vp-doc matrices" v-pre>
<h1>Servers and clients</h1>
<p>What the suite says of token servers that do not know this contract, and of services of one file, written <em>by hand</em> in languages for which Debian has no token server; then which clients sign in where. How they were set up, and why each rule is broken, is in <a href="/docs/interop.html">Servers that others wrote</a> and <a href="/docs/sign-ins.html">Clients at servers</a>.</p>
<h2>Every rule and every server</h2>
<p>A ✗ or a ? is a button: it shows what was seen.</p>
${matrix({ title: 'Rule', columns, states: RULE_STATES, rows: rules, languages: columns.map(({ language }) => language) })}
<h2>Which client signs in where</h2>
${matrix({ title: 'Client', columns: [reference, ...columns], states: SIGN_IN_STATES, rows: clients })}
</main>`.markup
}
`
}

interface Matrix {
  readonly title: string
  readonly columns: readonly Column[]
  /** By their marks. */
  readonly states: Readonly<Record<string, string>>
  readonly rows: readonly MatrixRow[]
  /** Of the columns, where these are chosen by language; otherwise rows are. */
  readonly languages?: readonly string[]
}

function matrix({ title, columns, states, rows, languages }: Matrix): Html {
  const choice = (name: string, values: readonly string[]): Html =>
    html`<label>${name}<select name="${name.toLowerCase()}"><option value="">all</option>${[
      ...new Set(values),
    ].map((value) => html`<option>${value}</option>`)}</select></label>`
  const heads = columns.map(
    ({ name, language, link }) =>
      html`<th scope="col" data-server="${name}" data-language="${languages && language}"><a href="${link}">${name}</a><small>${language}</small></th>`,
  )
  const legend = Object.entries(states).map(
    ([mark, state]) => html` <span><b data-state="${state}">${mark}</b> ${state}</span>`,
  )
  const ofRows = rows.flatMap(({ language }) => language ?? [])
  return html`<section class="matrix">
<form hidden><label>${title}<input type="search" name="text" placeholder="contains"></label>${[
    choice(
      'Server',
      columns.map(({ name }) => name),
    ),
    choice('Language', languages ?? ofRows),
    choice('State', Object.values(states)),
  ]}<button type="reset">Show all</button><output aria-live="polite"></output></form>
<p class="legend">${legend}</p>
<div class="scroll" role="region" tabindex="0" aria-label="${title}s and servers">
<table><thead><tr><th scope="col">${title}</th>${heads}</tr></thead><tbody>
${rows.map(({ markup }) => html`${markup}\n`)}</tbody></table>
</div>
<p class="detail" aria-live="polite"></p>
</section>`
}

interface MatrixRow {
  readonly language: string | undefined
  readonly markup: Html
}

function rowOf(text: string, language: string | undefined, head: Html, cells: readonly Html[]): MatrixRow {
  const markup = html`<tr data-text="${text.toLowerCase()}" data-language="${language}"><th scope="row">${head}</th>${cells}</tr>`
  return { language, markup }
}

function cellOf(state: string, mark: string, content: HtmlPart = mark): Html {
  return html`<td data-state="${state}">${content}<span class="visually-hidden">${state}</span></td>`
}

/** A cell that has more to say is a button. */
function ruleCell(
  mark: string,
  rule: string,
  column: Column | undefined,
  faults: readonly InteropFault[],
  page: string,
): Html {
  const state = RULE_STATES[mark]
  if (column === undefined || mark === MARKS.passed || state === undefined)
    return cellOf(state ?? 'does not apply', mark)
  const { name, link } = column
  const fault =
    faults.find((one) => one.rule === rule && one.in === name)?.fault ?? openReasonOf(page, name, rule)
  const title = `${rule} at ${name}, ${state}: ${fault.replaceAll('`', '')}`
  const button = html`<button type="button" aria-pressed="false" title="${title}" data-link="${link}">${mark}</button>`
  return cellOf(state, mark, button)
}

/** Why a rule could not be judged, as the section of the server has it. */
function openReasonOf(page: string, server: string, rule: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${server}\n`)) ?? ''
  const lines = section.matchAll(/^Cannot tell (.*?): (.*)$/gm)
  const [, , reason = ''] = [...lines].find(([, rules = '']) => rules.split(', ').includes(rule)) ?? []
  return reason
}

/** As VitePress names headings. */
function slugOf(heading: string): string {
  const words = heading.replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, '-').replace(/^-+|-+$/g, '')
  return words.toLowerCase()
}
