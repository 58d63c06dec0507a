import { digest } from '../../../spec/model/digest.js'
import type { Judgement, Result } from '../../../spec/model/report.js'

/** What names one answer or one run: UUIDs, long hexadecimal numbers, ids of Kestrel's, and members that are called such an id. */
const ID =
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b[\da-f]{16,}\b|\b0H[\dA-V]{11}(?::[\dA-F]{8})?\b|(?<="(?:activity|correlation|error|event|operation|request|span|trace)[-_]?id\\?"\s{0,9}:\s{0,9})(?:\\?"[^"\\]*\\?"|\d+)/gi

/** A name that the suite made up: which one depends on what else the run tries. */
const MADE_UP = /[\p{L}\p{N}]{1,64}(?=‹run›)/gu

/**
 * What is another each time: instants, also as a number since 1970 or as one of digits alone, durations, and how often
 * something was seen.
 */
const PASSING =
  /\b\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} GMT\b|\b\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?|\b\d+ (?:of|in|ms|s)\b(?: \d+\b)?|\bin \d+\b|(?<=\/\/[^\s/]{1,255}):\d{2,5}\b|\b(?:1[5-9]|2[0-4])\d{8}(?:\d{3})?\b|\b20\d{12}(?:\d{3})?\b|\b\d{18,}\b/g

/**
 * A date as no standard has it, which is what the rules on dates fail for: numbers with what separates them, and the words
 * before and between them, in any language.
 */
const ANY_DATE =
  /(?:\p{L}{2,10}\.?,? {1,2}){0,2}\d{1,4}(?:[ ,./:T-]{1,3}(?:\p{L}{3,10}[ ,./-]{1,3})?\d{1,9}){2,8}(?: ?[AP]\.?M\b)?/giu
const HAS_CLOCK = /\d{1,2}:\d\d|\d{4}[./-]\d\d?[./-]\d\d?|\d\d?[./-]\d\d?[./-]\d{4}/

/**
 * What failed, in 16 hexadecimal digits: the same for the same failure under another seed, at another time or port, and
 * another for a different failure of the same case. Of a generated input only the kind of failure counts, and what was done
 * to a password: a service that ignores its case does not take every password.
 */
export function fingerprint(result: Pick<Result, 'case'>, judgement: Judgement): string {
  const { rule, pointer = '', message = '', expected = '', actual = '', counterexample } = judgement
  const found = counterexample === undefined ? actual : ''
  const parts = [rule, result.case, pointer, ...[message, expected, found].map(lasting)]
  return digest([...parts, ...Object.values(counterexample?.values ?? {}).flatMap(mistakeOf)])
}

/** Longer ones are cut. */
const MAX_WORDS = 1000

/**
 * What kind of failure it is, whosever answer shows it: its words without values and numbers.
 * @param isOfText one text alone is right: what is found in its place counts
 */
export function failureKind(
  { message = '', actual = '', pointer = '' }: Pick<Judgement, 'message' | 'actual' | 'pointer'>,
  isOfText: boolean,
): string {
  return JSON.stringify([
    pointer,
    withoutValues(message),
    isOfText ? lasting(actual.slice(0, MAX_WORDS)) : withoutValues(actual),
  ])
}

/** The fingerprints of a failure: its own, and those of other kinds that other answers show of the same expectation. */
export function fingerprints(result: Pick<Result, 'case'>, judgement: Judgement): readonly string[] {
  const { rule, expected = '', others = [] } = judgement
  const ofOthers = others.map((other) => {
    const isOfText = other.expected === expected && expected.startsWith('"')
    return digest([rule, result.case, failureKind(other, isOfText)])
  })
  return [fingerprint(result, judgement), ...ofOthers]
}

function withoutValues(text: string): string {
  return lasting(text.slice(0, MAX_WORDS))
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\d+/g, '0')
}

/** What was done to a password, wherever in it; nothing for other values. */
function mistakeOf(value: unknown): readonly string[] {
  const how = /^‹(?:password of .*: )?(.+)›$/s.exec(String(value))?.[1]
  return how === undefined ? [] : [how.replace(/(?:last )?character(?: \d+)?|\d+/g, '‹›')]
}

/** How far a time is off: of a clock that drifts, or a lifetime that varies, by about as much each time. */
const SECONDS_OFF =
  /\bis (\d+) s (before|after) the |\bis (-?\d+) s later than (`[^`]*`), not (\d+) s(?= \(|$)/g

function aboutHowFar(text: string): string {
  return text.replace(
    SECONDS_OFF,
    (_, off: string, side: string, lifetime: string, from: string, due: string) =>
      side === undefined
        ? `lives ${rangeOf(Number(lifetime) - Number(due))} from ${from}`
        : `is ${rangeOf(Number(off))} ${side} the `,
  )
}

/** Which of the ranges, each four times the last, that end beside the usual minutes and hours. */
function rangeOf(seconds: number): string {
  const range = Math.max(0, Math.ceil(Math.log(Math.abs(seconds) / 47) / Math.log(4)))
  return `${seconds < 0 ? '-' : '+'}${'…'.repeat(range)}`
}

/** What a text was cut to begins and ends with, as half of an id or a date, and how long it was. */
const AT_A_CUT = /^…[\w:.,+ -]{0,60}|(?:[\w:.,+ -]{0,60}…)? \(\d+ characters\)$/g

function lasting(text: string): string {
  const lasts = aboutHowFar(text.replace(AT_A_CUT, '…'))
    .replace(MADE_UP, '')
    .replace(ID, '‹›')
    .replace(PASSING, formOfPassing)
  return lasts.replace(ANY_DATE, (date) => (HAS_CLOCK.test(date) ? formOf(date) : date))
}

/** Of an instant the form counts: who reads one may read no other. But a fraction of zero is left out by some. */
function formOfPassing(passing: string): string {
  const [, between, zone = ''] = /^\d{4}-\d\d-\d\d([T ])[\d:.]+(Z|[+-].*)?$/.exec(passing) ?? []
  if (between !== undefined) return `‹${between}${zone.replace(/\d.*/, '')}›`
  return /^\d{10,17}$/.test(passing) ? `‹${passing.length}›` : '‹›'
}

function formOf(date: string): string {
  return date
    .replace(/\d+/g, '0')
    .replace(/\p{L}+\.?/gu, 'x')
    .replace(/ +/g, ' ')
}
