import { type Html, html, own, prose, textLines } from '../../../reports/formats/html/markup.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import { EXTERNAL_LOGIN, fieldsOf, REGISTRATION, type RequestFields, shownRequest } from './own-requests.js'
import type { Findings, Setup } from './setup.js'
import { UNSAVED } from './target-text.js'

/** The parts of the view, by the ids under which they change. */
export function setupParts(setup: Setup): Readonly<Record<string, Html | undefined>> {
  return {
    welcome: setup.text() === '' ? welcomePart() : undefined,
    'password-part': passwordPart(setup),
    findings: findingsPart(setup),
    more: morePart(setup),
    target: targetPart(setup),
  }
}

export function setupView(setup: Setup): Html {
  const { welcome, findings, more, target } = setupParts(setup)
  return html`<div id="welcome">${welcome}</div>
<h1>Which service?</h1>
<p class="lead">Give its base URL and an account. <b>Check service</b> sends about ten harmless requests, signs in once, and shows what it finds.</p>
${servicePart(setup)}
<div id="findings">${findings}</div>
<div id="target">${target}</div>
<div id="more">${more}</div>`
}

/** For anyone who opens the page for the first time. */
function welcomePart(): Html {
  return html`<section class="panel" aria-label="What this is"><p>Token Assay tests a service that exchanges a user name and a password for a token. It sends the requests of the specification, judges every answer, and shows which rules are broken, why, and how to fix them.</p>
<form data-post="run/demonstrate"><div class="actions"><button class="do">Show a demonstration</button> <span class="hint">Tests a server of its own on this machine, which has one fault. No service of yours is involved.</span></div>
<p class="message" id="demonstrate-message" role="alert"></p></form></section>`
}

function servicePart(setup: Setup): Html {
  const shape = setup.shape()
  const account: Json | undefined = Array.isArray(shape.accounts) ? shape.accounts[0] : undefined
  const userName = isMap(account) ? textOf(account.userName) : ''
  return html`<section class="panel" aria-label="The service"><form data-post="setup/check" data-finds="findings">
<div class="fields">
${field('baseUrl', 'Base URL', html`<input id="baseUrl" name="baseUrl" inputmode="url" required autofocus autocomplete="off" spellcheck="false" placeholder="http://127.0.0.1:5000" value="${textOf(shape.baseUrl)}" aria-describedby="baseUrl-hint">`, '/Token is appended to it.')}
${field('userName', 'User name', html`<input id="userName" name="userName" required autocomplete="off" spellcheck="false" value="${userName}">`)}
<div id="password-part">${passwordPart(setup)}</div>
</div>
<div class="actions"><button class="do main">Check service</button></div>
<p class="message" id="check-message" role="alert"></p>
</form></section>`
}

function passwordPart(setup: Setup): Html {
  const known = setup.hasPassword()
  return field(
    'password',
    'Password',
    html`<input id="password" name="password" type="password" autocomplete="off"${known ? undefined : html` required`} aria-describedby="password-hint">`,
    known
      ? 'Kept in memory only. Type another one to replace it.'
      : 'Kept in memory only. The target file names an environment variable instead.',
  )
}

/** What was found, what was not, and what only a person knows. */
function findingsPart(setup: Setup): Html | undefined {
  const findings = setup.findings()
  if (setup.text() === '') return undefined
  const { warnings = [], lines = [], problem } = findings ?? {}
  const missing = setup.missing()
  // What is missing is asked for below.
  const misfit = missing.length === 0 ? setup.load.now().problem : undefined
  const list = [
    ...warnings.map((line) => html`<li class="warn">${line}</li>`),
    ...lines.map((line) => html`<li>${prose(line)}</li>`),
  ]
  return html`<section class="panel" aria-labelledby="found">
<h2 id="found">${findingsTitle(findings, misfit)}</h2>
${[problem, misfit].map((text) => text && html`<p class="message">${text}</p>`)}
${list.length === 0 ? undefined : html`<ul class="found">${list}</ul>`}
<form data-post="run/start">
<div class="asks">${userIdPart(setup)}${lifetimePart(setup)}${missing.map(missingPart)}</div>
${loadPart(setup)}
<div class="actions"><button class="do${problem === undefined && misfit === undefined ? ' main' : ''}">Run the suite${problem === undefined ? '' : ' anyway'}</button></div>
<p class="message" id="run-message" role="alert"></p>
</form></section>`
}

function findingsTitle(findings: Findings | undefined, misfit: string | undefined): string {
  if (findings?.problem !== undefined)
    return findings.isUnreachable ? 'The service cannot be reached' : 'No one can sign in yet'
  if (misfit !== undefined) return 'Not ready to run'
  return findings === undefined ? 'Ready to run' : 'What the service shows'
}

/** What a run does to the service. Accounts that nothing removes are asked about, once. */
function loadPart(setup: Setup): Html {
  const { sentences, unasked } = setup.load.now()
  const choice = html`<label class="choice"><input type="checkbox" id="accountsStay" name="accountsStay" value="yes" required> The accounts may stay</label>`
  return html`${sentences.map((sentence) => html`<p class="hint load">${prose(sentence)}</p>`)}${unasked.length === 0 ? undefined : choice}`
}

function userIdPart(setup: Setup): Html | undefined {
  const seen = setup.findings()?.values.includesUserId
  if (seen === undefined) return undefined
  const { includesUserId } = setup.shape()
  // Where the answer has one, only a person knows whether that is right. Its absence is what the contract has by default.
  const value = typeof includesUserId === 'boolean' ? includesUserId : seen ? undefined : false
  const choice = (name: string, is: boolean, text: string): Html =>
    html`<label class="choice"><input type="radio" id="userId-${name}" name="includesUserId" value="${name}" required${value === is ? html` checked` : undefined}> ${text}</label>`
  return html`<fieldset><legend>Should <code>userId</code> be in the answer?</legend>
<p class="hint">${seen ? 'It is in this answer. By default the contract omits it.' : 'It is not in this answer, which is the default of the contract.'}</p>
${choice('yes', true, 'Yes, the service is configured to include it')}${choice('no', false, 'No')}</fieldset>`
}

function lifetimePart(setup: Setup): Html | undefined {
  const seen = setup.findings()?.values.tokenLifetime
  if (seen === undefined) return undefined
  const { tokenLifetime } = setup.shape()
  const value = typeof tokenLifetime === 'number' ? tokenLifetime : seen
  return field(
    'tokenLifetime',
    'Is this the configured lifetime of a token, in seconds?',
    html`<input id="tokenLifetime" name="tokenLifetime" type="number" min="1" required value="${value}" aria-describedby="tokenLifetime-hint">`,
    `The token of this answer lives for ${seen} s. The contract has 1209600 by default, 14 days.`,
  )
}

function missingPart(name: string): Html {
  return field(
    `value-${name}`,
    `The value of ${name}`,
    html`<input id="value-${name}" name="value:${name}" type="password" required autocomplete="off" aria-describedby="value-${name}-hint">`,
    'The page does not know this variable: it reads only those that the target file named when the command began. What you type is kept in memory only.',
  )
}

/** The target as text, and where to save it. */
function targetPart(setup: Setup): Html | undefined {
  if (setup.text() === '') return undefined
  const rows = Math.min(30, Math.max(8, setup.text().split('\n').length + 1))
  return html`<section class="panel" aria-labelledby="target-title">
<h2 id="target-title">The target file</h2>
<p class="hint">Everything above as text. Changes take effect at once. Passwords are variables, never values.</p>
<p class="message" id="text-message" role="alert"></p>
<div class="fields">${field('name', 'Name', html`<input id="name" autocomplete="off" spellcheck="false" data-live="setup/name" data-message="text-message" value="${textOf(setup.shape().name)}" aria-describedby="name-hint">`, 'In reports and in the history. The runs under an earlier name stay with it.')}</div>
<textarea id="text" aria-label="The target file" rows="${rows}" spellcheck="false" autocomplete="off" data-live="setup/text" data-message="text-message">
${areaText(setup.text())}</textarea>
<form data-post="setup/save"><div class="fields">
${field('file', 'Save it as', html`<input id="file" name="file" required autocomplete="off" spellcheck="false" value="${setup.file() || UNSAVED}" aria-describedby="file-hint">`, 'Relative to the folder in which the command was started, where `token-assay run` reads token-assay.yaml by default.')}
<div class="field"><span class="label">If the file exists</span><label class="choice"><input type="checkbox" id="replace" name="replace" value="yes"> replace it</label></div>
</div>
<div class="actions"><button class="do">Save</button></div>
<p class="message" id="save-message" role="alert"></p></form></section>`
}

/** Registration and external sign-in: what is not declared is not judged. */
function morePart(setup: Setup): Html | undefined {
  if (setup.text() === '') return undefined
  const shape = setup.shape()
  const { registrationPath, externalLoginPath } = setup.findings()?.values ?? {}
  const { registration, externalLogin } = shape
  const baseUrl = textOf(shape.baseUrl)
  const account: Json | undefined = Array.isArray(shape.accounts) ? shape.accounts[0] : undefined
  const userName = isMap(account) ? textOf(account.userName) : ''
  const cleanUp = isMap(registration) && isMap(registration.cleanUp) ? textOf(registration.cleanUp.path) : ''
  return html`${requestPart({
    id: 'registration',
    title: 'Registration',
    declared: isMap(registration),
    found: registrationPath,
    fields: fieldsOf(registration, { ...REGISTRATION, path: registrationPath ?? REGISTRATION.path }),
    baseUrl,
    about:
      'With it, a run registers accounts of its own and judges the policy. The body may use $userName, $email and $password.',
    further: field(
      'registration-cleanUp',
      'Path at which DELETE removes an account',
      html`<input id="registration-cleanUp" name="cleanUp" autocomplete="off" spellcheck="false" placeholder="/accounts/$userName" value="${cleanUp}" aria-describedby="registration-cleanUp-hint">`,
      'Without it, accounts that a run registers remain.',
    ),
  })}
${requestPart({
  id: 'externalLogin',
  title: 'External sign-in',
  declared: isMap(externalLogin),
  found: externalLoginPath,
  fields: fieldsOf(externalLogin, { ...EXTERNAL_LOGIN, path: externalLoginPath ?? EXTERNAL_LOGIN.path }),
  baseUrl,
  about:
    'How a registered user signs in through a provider. To send another request first, add `prepare` in the text.',
  further: field(
    'externalLogin-account',
    'User name of the account that signs in',
    html`<input id="externalLogin-account" name="account" required autocomplete="off" spellcheck="false" value="${(isMap(externalLogin) && textOf(externalLogin.account)) || userName}">`,
  ),
})}`
}

interface RequestForm {
  readonly id: string
  readonly title: string
  readonly declared: boolean
  /** The path at which the service answers. */
  readonly found: string | undefined
  readonly fields: RequestFields
  readonly baseUrl: string
  readonly about: string
  readonly further: Html
}

function requestPart({ id, title, declared, found, fields, baseUrl, about, further }: RequestForm): Html {
  const state = declared
    ? 'declared'
    : found === undefined
      ? 'not declared'
      : `found at ${found}, not declared`
  const option = (value: string, text: string, chosen: string): Html =>
    html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${text}</option>`
  return html`<details class="panel" id="${id}-panel"><summary>${title} <span class="time">${state}</span></summary>
<p class="hint">${prose(about)}</p>
<form data-post="setup/${id}"><div class="fields">
${field(`${id}-method`, 'Method', html`<select id="${id}-method" name="method">${['POST', 'PUT'].map((name) => option(name, name, fields.method))}</select>`)}
${field(`${id}-path`, 'Path', html`<input id="${id}-path" name="path" required autocomplete="off" spellcheck="false" value="${fields.path}">`)}
${field(`${id}-kind`, 'Body', html`<select id="${id}-kind" name="kind">${option('json', 'JSON', fields.kind)}${option('form', 'form', fields.kind)}</select>`)}
<div class="field wide"><label for="${id}-body">Members of the body</label><textarea id="${id}-body" name="body" rows="3" spellcheck="false" required>
${textLines(fields.body)}</textarea></div>
${further}
</div>
<div class="actions"><button class="do">${declared ? 'Change' : 'Add to the target'}</button>${declared ? html`<button class="do" data-post="setup/${id}/remove" formnovalidate>Remove</button>` : undefined}</div>
<p class="message" id="${id}-message" role="alert"></p></form>
<p class="way">${declared ? 'The request that is sent' : 'The request that would be sent'}</p><pre>${textLines(shownRequest(baseUrl, fields))}</pre></details>`
}

function field(id: string, label: string, input: Html, hint?: string): Html {
  const more = hint === undefined ? undefined : html`<span class="hint" id="${id}-hint">${prose(hint)}</span>`
  return html`<div class="field"><label for="${id}">${prose(label)}</label>${input}${more}</div>`
}

/** To be edited: what is written there stays as it is, tabs too. */
function areaText(text: string): Html {
  return own(text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`))
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
