import { visible } from '../shared/escape.js'
import { YIELDS_TOKEN } from './answer-checks.js'
import { CONTROL } from './preparation.js'
import type { RuleTest, RuleTests, TestRequest } from './rule-tests.js'
import type { TextPart } from './text-parts.js'

/** How a language spells a file of tests. */
export interface TestLanguage {
  /** A text as a literal, whatever is in it. */
  readonly quote: (text: string) => string
  /** Of words, such as `status is`. */
  readonly functionName: (words: string) => string
  /** So many times this text. */
  readonly repeat: (literal: string, times: number) => string
  readonly run: Readonly<Record<'lower' | 'upper', string>>
  /** As its formatter spells it between arguments. */
  readonly plus: string
  readonly indent: string
  /** What comes before the arguments of a helper: the test, where a language passes it on. */
  readonly context: string
  /** What a file begins and ends with, by helpers of which those that it needs are written. */
  readonly file: (suite: RuleTests, tests: readonly string[], helpers: readonly string[]) => string
  /** One test; or, where nothing can be checked, one that is skipped. */
  readonly test: (test: RuleTest, name: string, lines: readonly string[]) => string
  /** A statement that sends a request; its answer has this name. */
  readonly sending: (answer: string, call: string) => string
  readonly statement: (call: string) => string
  /** A list of pairs of expressions. */
  readonly pairs: (pairs: readonly (readonly [name: string, value: string])[]) => string
  readonly none: string
}

/**
 * The texts of an answer that a test prints, as a regular expression: a short word, an error code of RFC 6749, a media type, a
 * date. A log is no place for a token, or for what a service echoes, and either may be a longer word.
 */
export const PLAIN_TEXT = String.raw`[A-Za-z]{0,6}|(?:invalid|unsupported|unauthorized)_[a-z_]{1,24}|(?:application|text)/[a-z+.-]{1,40}(?:;\s*charset=[\w-]{1,20})?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT`

/** The names of members that it prints: `error_description` is a long one. */
export const PLAIN_NAME = '[A-Za-z_.]{1,18}'

/** All broken rules as a file of tests in one language. */
export function testFile(suite: RuleTests, language: TestLanguage): string {
  const names = namesOf(suite.tests)
  const tests = suite.tests.map((test, at) => language.test(test, names[at] ?? '', linesOf(test, language)))
  const helpers = new Set(
    suite.tests.flatMap(({ checks, granted }) => [
      ...granted.map(() => YIELDS_TOKEN),
      ...checks.map(({ name }) => name),
    ]),
  )
  return language.file(suite, tests, [...helpers])
}

function linesOf({ requests, judged, granted, checks }: RuleTest, language: TestLanguage): readonly string[] {
  const needed = new Set(
    requests.flatMap(({ label }, at) =>
      at === judged || granted.includes(at) || checks.some(({ other }) => other === label) ? [at] : [],
    ),
  )
  const nameOf = (at: number): string =>
    at === judged ? 'answer' : requests[at]?.label === CONTROL ? CONTROL : `answer${at + 1}`
  const sent = requests.flatMap((request, at) => {
    const call = sendCall(request, language)
    const sending = needed.has(at) ? language.sending(nameOf(at), call) : language.statement(call)
    return granted.includes(at)
      ? [sending, language.statement(callOf(YIELDS_TOKEN, [nameOf(at)], language))]
      : [sending]
  })
  const checked = checks.map(({ name, args, other }) => {
    const otherAt = requests.findIndex(({ label }) => label === other)
    const values = args.map((value) => (typeof value === 'number' ? String(value) : language.quote(value)))
    const all = ['answer', ...(other === undefined ? [] : [nameOf(otherAt)]), ...values]
    return language.statement(callOf(name, all, language))
  })
  return [...sent, ...checked].flatMap((call) => call.split('\n'))
}

function sendCall({ method, base, target, headers, body }: TestRequest, language: TestLanguage): string {
  const url = base === undefined ? [] : [callOf('environment', [language.quote(base)], language)]
  const args = [
    language.quote(method),
    [...url, ...expressions(target, language)].join(language.plus),
    language.pairs(headers.map(([name, value]) => [language.quote(name), textOf(value, language)])),
    body === undefined ? language.none : textOf(body, language),
  ]
  const first = language.context === '' ? [] : [language.context]
  return `send(\n${[...first, ...args].map((arg) => language.indent + arg).join(',\n')})`
}

function callOf(words: string, args: readonly string[], { functionName, context }: TestLanguage): string {
  return `${functionName(words)}(${[...(context === '' ? [] : [context]), ...args].join(', ')})`
}

function textOf(parts: readonly TextPart[], language: TestLanguage): string {
  return parts.length === 0 ? language.quote('') : expressions(parts, language).join(language.plus)
}

function expressions(parts: readonly TextPart[], language: TestLanguage): readonly string[] {
  return parts.map((part) => {
    if ('text' in part) return language.quote(part.text)
    if ('run' in part) return language.run[part.run]
    if ('repeat' in part) return language.repeat(language.quote(part.repeat), part.times)
    const value = callOf('environment', [language.quote(part.variable)], language)
    return part.encoding === 'raw' ? value : `${language.functionName(`in ${part.encoding}`)}(${value})`
  })
}

/** Of each rule, in letters, digits and underscores; each once. */
function namesOf(tests: readonly RuleTest[]): readonly string[] {
  const taken = new Map<string, number>()
  return tests.map(({ rule }) => {
    const name = rule.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')
    const times = (taken.get(name.toLowerCase()) ?? 0) + 1
    taken.set(name.toLowerCase(), times)
    return times === 1 ? name : `${name}_${times}`
  })
}

/** A text for a comment: on one line, with nothing that ends a comment of any of these languages, or escapes in it. */
export function forComment(text: string): string {
  return visible(text).replaceAll('\\', '/').replaceAll('*/', '* /').replaceAll('/*', '/ *')
}

/**
 * A text in ASCII within double quotes; `spell` gives all other characters, controls, and the second of two `#`: a test
 * framework prints the lines that failed, and Azure Pipelines obeys `##[`.
 */
export function quoted(text: string, spell: (character: string) => string): string {
  const inner = text.replace(/["\\]|[^ -~]|(?<=#)#/gu, (character) =>
    character === '"' || character === '\\' ? `\\${character}` : spell(character),
  )
  return `"${inner}"`
}

/** `\u00e9`; of a character beyond the basic plane by its two halves. */
export function escapeUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** `\u00e9`, `\U0001f511`; half of a character is none. */
export function escapeCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0xfffd
  const valid = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code
  const hex = valid.toString(16)
  return valid > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** The lines of a comment that begins a file. */
export function preamble({ suite, verdict, variables }: RuleTests, how: string): readonly string[] {
  const width = Math.max(0, ...variables.map(([name]) => name.length))
  return [
    `Written by ${forComment(suite)}: the rules of the token service that a run found broken.`,
    forComment(verdict),
    '',
    variables.length === 0 ? how : `${how} It needs in the environment:`,
    ...variables.map(([name, content]) => `  ${name.padEnd(width)}  ${forComment(content)}`),
  ]
}
