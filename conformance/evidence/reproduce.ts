import { lastSegment } from '../../spec/model/json.js'
import { isSecret } from '../exchange/redactable-text.js'
import { accountBinding } from '../target/account-binding.js'
import type { Account, Deployment } from '../target/deployment.js'
import { isBareCredential } from './hidden-fields.js'
import type { Redactor } from './redact.js'
import type { OwnRequest } from './render-exchange.js'

const HAS_CONTROLS = /[\x00-\x1f\x7f]/

/** A request that another one builds on: one that registers its account, or one whose answer it repeats a part of. */
export interface EarlierRequest extends OwnRequest {
  /** The values that are taken from the answer: JSON pointers by name. */
  readonly capture?: Readonly<Record<string, string>>
  /** Its answer is printed: the other one should be the same. */
  readonly isShown?: boolean
}

/**
 * A `curl` that sends the request again, after those that it builds on. Secrets are taken from the environment; what is
 * derived from a password is named, not spelled: the command ends in a comment that says so, and `--replay` repeats it exactly.
 * @param options `isReplayed`: the command that sends it has a `--replay`
 */
export function reproduce(
  request: OwnRequest,
  redactor: Redactor,
  accounts: readonly [Account, ...Account[]],
  earlier: readonly EarlierRequest[] = [],
  { isReplayed = true } = {},
): string {
  const variables = new Map(secretVariables({ ...request.target, accounts }))
  const commands = earlier.flatMap(({ capture, isShown = false, ...before }) => {
    if (isShown) return [`${curl(before, '-i', redactor, variables)}; echo`]
    if (capture === undefined) return [curl(before, '-s -o /dev/null', redactor, variables)]
    const answer = `ANSWER=$(${curl(before, '-s', redactor, variables)})`
    const taken = Object.entries(capture).map(([name, pointer]) => {
      // Of its own, so that no variable of the shell's is overwritten.
      variables.set(`‹${name}›`, `ASSAY_${name}`)
      return `ASSAY_${name}=$(printf %s "$ANSWER" | ${textAt(pointer)})`
    })
    return [answer, ...taken]
  })
  commands.push(curl(request, '-i', redactor, variables))
  // So that it can be repeated: new names each time, of letters and digits and as long as the run's.
  const whole = commands.join('; ')
  const [isNamed, isUpper] = [whole.includes('"$RUN"'), whole.includes('"$UPPER_RUN"')]
  const names = [...(isNamed || isUpper ? [NEW_NAMES] : []), ...(isUpper ? [IN_UPPER_CASE] : [])]
  return (
    [...names, whole].join('; ') +
    (LABEL.test(whole) ? ` # cannot be run: ${isReplayed ? REPLAYED : UNSHOWN}` : '')
  )
}

const NEW_NAMES = `RUN=$(od -An -N3 -tx1 /dev/urandom | tr -d ' \\n')`
const IN_UPPER_CASE = `UPPER_RUN=$(printf %s "$RUN" | tr a-f A-F)`
const REPLAYED = '--replay sends what ‹…› stands for'
const UNSHOWN = 'what ‹…› stands for is not shown'

/** A filter for the text under the last name of a JSON pointer: no shell reads JSON. */
function textAt(pointer: string): string {
  const literal = JSON.stringify(lastSegment(pointer)).replace(/[\\.*[\]^$|]/g, '\\$&')
  return `sed -n ${quote(`s|.*${literal} *: *"\\{0,1\\}\\([^",}]*\\).*|\\1|p`)}`
}

function curl(
  { prepared, shownBase, target }: OwnRequest,
  flags: string,
  redactor: Redactor,
  variables: ReadonlyMap<string, string>,
): string {
  const text = (shown: string, isJson = false): ShellText =>
    shellText(redactor.text(shown), variables, isJson)
  const word = (shown: string): string => text(shown).word
  const sendsBody = prepared.wire.body !== undefined
  const words = ['curl', flags, '--path-as-is', ...methodWords(word(prepared.method), sendsBody)]
  if (target.tls?.rejectUnauthorized === false) words.push('-k')
  const { ca, cert, key } = target.tls?.files ?? {}
  for (const [option, file] of Object.entries({ '--cacert': ca, '--cert': cert, '--key': key }))
    if (file !== undefined) words.push(option, word(file))
  const headers = [...(target.shownHeaders ?? target.headers), ...prepared.headers]
  // With a colon an empty one would be left out.
  for (const [name, value] of headers) {
    const given = isBareCredential(name, value, redactor) ? `‹value of ${name}›` : value
    words.push('-H', word(value === '' ? `${name};` : `${name}: ${given}`))
  }
  if (sendsBody && !prepared.headers.some(([name]) => name.toLowerCase() === 'content-type'))
    words.push('-H', word('Content-Type:'))
  let piped: string | undefined
  for (const { value, spelled } of prepared.form ?? []) {
    const [name = ''] = spelled.wire.split('=', 1)
    const padding = PADDING.exec(value.shown)?.[1]
    if (padding !== undefined && piped === undefined) {
      // No shell takes so long a word.
      piped = `head -c ${padding} /dev/zero | tr '\\0' x`
      words.push('--data-urlencode', word(`${name}@-`))
    } else if (isSecret(value)) words.push('--data-urlencode', word(`${name}=${value.shown}`))
    else words.push('--data-raw', word(spelled.shown))
  }
  if (sendsBody && (prepared.form ?? []).length === 0) {
    const body = text(prepared.shownBody ?? '', prepared.isJson)
    // A line break inside quotes would tear the command apart when it is copied.
    if (HAS_CONTROLS.test(prepared.shownBody ?? '')) piped = body.printf
    words.push('--data-binary', piped === undefined ? body.word : '@-')
  }
  const [path = '', query] = prepared.shownPath.split('?', 2)
  const pairs = query === undefined ? [] : query.split('&')
  const inClear = pairs.filter((pair) => !pair.includes('‹')).join('&')
  // What a variable holds is not encoded yet.
  for (const pair of pairs) if (pair.includes('‹')) words.push('--url-query', word(pair))
  // An empty query has its question mark, and what curl adds brings its own.
  const url =
    shownBase +
    path +
    (inClear === '' && pairs.join('') !== '' ? '' : query === undefined ? '' : `?${inClear}`)
  // To curl they stand for several addresses.
  if (/[[\]{}]/.test(url)) words.push('--globoff')
  words.push(word(url))
  return [...(piped === undefined ? [] : [piped]), words.join(' ')].join(' | ')
}

/** Of `--head` curl knows that no body follows, but it sends none either: else it reads until the connection ends. */
function methodWords(method: string, sendsBody: boolean): readonly string[] {
  if (method !== 'HEAD') return ['-X', method]
  return sendsBody ? ['-X', method, '--ignore-content-length', '-H', "'Connection: close'"] : ['--head']
}

const PADDING = /^‹(\d+) × x›$/

/** A text with labels in place of its secrets, for a POSIX shell. */
export interface ShellText {
  /** As one word. */
  readonly word: string
  /** As a command that prints it, without a control character in it. */
  readonly printf: string
}

const LABEL = /(‹[^‹›]*›)/
const FROM_ENVIRONMENT = /^‹([A-Za-z_]\w*) from the environment›$/
const VALUE_OF = /^‹value of ([\w-]+)›$/

/** The environment variables that stand for a deployment's secrets, by the labels that are shown in their place. */
export function secretVariables({
  accounts,
  headers,
  tokenRequest,
}: Pick<Deployment, 'accounts' | 'headers' | 'tokenRequest'>): ReadonlyMap<string, string> {
  const names = [
    ...headers.map(([name]) => name),
    ...Object.keys(tokenRequest?.headers ?? {}),
    ...Object.keys(tokenRequest?.form ?? {}),
  ]
  const passwords = accounts.map((account) => accountBinding(account, { deployment: { accounts } }).password)
  return new Map([
    // It tells the accounts of one run from those of another.
    ['‹run›', 'RUN'] as const,
    ['‹run in upper case›', 'UPPER_RUN'] as const,
    ...passwords.map(({ shown, variable = '' }) => [shown, variable] as const),
    ...names.map((name) => [`‹value of ${name}›`, variableFor(name)] as const),
  ])
}

function variableFor(name: string): string {
  return `TOKEN_ASSAY_${name.toUpperCase().replace(/\W/g, '_')}`
}

/** Of a value that is declared as it is. */
function variableOf(label: string): string | undefined {
  const name = VALUE_OF.exec(label)?.[1]
  return name === undefined ? undefined : variableFor(name)
}

/**
 * Takes what its labels stand for from the environment; any other label stays as it is shown.
 * @param isJson the labels are inside strings of JSON
 */
export function shellText(text: string, variables: ReadonlyMap<string, string>, isJson = false): ShellText {
  const parts = text.split(LABEL).flatMap((part) => {
    const variable = variables.get(part) ?? FROM_ENVIRONMENT.exec(part)?.[1] ?? variableOf(part)
    if (part === '') return []
    return [variable === undefined ? { text: part } : { variable }]
  })
  const inShell = (variable: string): string =>
    isJson && !IN_JSON.test(variable)
      ? `"$(printf %s "$${variable}" | sed 's/["\\\\]/\\\\&/g')"`
      : `"$${variable}"`
  return {
    word:
      parts.map(({ text, variable }) => (text === undefined ? inShell(variable) : quote(text))).join('') ||
      "''",
    printf: [
      'printf',
      quote(parts.map(({ text }) => (text === undefined ? '%s' : forPrintf(text))).join('')),
      ...parts.flatMap(({ variable }) => (variable === undefined ? [] : [`"$${variable}"`])),
    ].join(' '),
  }
}

/** A command as a person types it. What is secret in a word is hidden first: in quotes it would be spelled otherwise. */
export function commandLine(words: readonly string[], redact: (word: string) => string): string {
  return words.map((word) => shellText(redact(word), new Map()).word).join(' ')
}

/** Hexadecimal digits, and what was taken out of JSON as it is: a quote or a backslash is escaped there. */
const IN_JSON = /^(?:UPPER_)?RUN$|^ASSAY_/

function forPrintf(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[\x00-\x1f\x7f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
