import type { Answer } from '../conformance/wire/answer.js'
import { instantOf } from '../conformance/wire/http-date.js'
import type { TemplateValues } from './target-template.js'

/** What an answer tells: values for the target file, and sentences about them. */
export interface Lesson {
  readonly values: Partial<TemplateValues>
  readonly lines: readonly string[]
}

const DAY_S = 86_400
/** Seconds. */
const DEFAULT_SKEW = 60
/** Longer ones are no names, and would fill the file. */
const LONGEST_TEXT = 256

/**
 * Learns from an answer that carries a token. What it shows is what the service does, and need not be what it is
 * configured to do: the sentences say so.
 * @param isPublic whether a text of the answer may be shown and written
 */
export function learnFromToken(
  answer: Answer,
  userName: string,
  isPublic: (text: string) => boolean,
): Lesson {
  const lessons = [
    learnUserName(textOf(answer, 'userName', isPublic), userName),
    learnUserId(answer, isPublic),
    learnLifetime(answer),
    learnSkew(answer),
  ]
  return {
    values: Object.assign({}, ...lessons.map(({ values }) => values)),
    lines: lessons.flatMap(({ lines }) => lines),
  }
}

function learnUserName(answered: string | undefined, userName: string): Lesson {
  if (answered === undefined || answered === userName) return { values: {}, lines: [] }
  if (answered.toLowerCase() === userName.toLowerCase())
    return {
      values: { userName: answered },
      lines: [`The service spells the user name "${answered}": written so.`],
    }
  return {
    values: {},
    lines: [`The answer's userName is "${answered}": rule 2.1-userName asks for "${userName}".`],
  }
}

function learnUserId(answer: Answer, isPublic: (text: string) => boolean): Lesson {
  if (answer.member('userId') === undefined)
    return { values: { includesUserId: false }, lines: ['It holds no userId.'] }
  const userId = textOf(answer, 'userId', isPublic)
  const known = userId === undefined || userId === '' ? {} : { userId }
  return { values: { includesUserId: true, ...known }, lines: ['It holds a userId.'] }
}

function learnLifetime(answer: Answer): Lesson {
  const issued = dateOf(answer, '.issued')
  const expires = dateOf(answer, '.expires')
  const seconds = issued === undefined || expires === undefined ? Number.NaN : (expires - issued) / 1000
  if (!Number.isSafeInteger(seconds) || seconds < 1)
    return { values: {}, lines: ['Its lifetime cannot be told: .issued and .expires are no two such dates.'] }
  const inDays = seconds === DAY_S ? ', a day' : seconds % DAY_S === 0 ? `, ${seconds / DAY_S} days` : ''
  return {
    values: { tokenLifetime: seconds },
    lines: [`It lives for ${seconds} s${inDays}: make sure that this is what is configured.`],
  }
}

/** As 2.1-issue-time judges it: a Date of the service's own comes before this machine's clock. */
function learnSkew(answer: Answer): Lesson {
  const issued = dateOf(answer, '.issued')
  if (issued === undefined) return { values: {}, lines: [] }
  const { instant, source } = answer.time
  const skew = Math.ceil(Math.abs(issued - instant) / 1000)
  if (skew <= DEFAULT_SKEW) return { values: {}, lines: [] }
  if (source === 'Date')
    return { values: {}, lines: [`.issued is ${skew} s away from its Date: rule 2.1-issue-time will fail.`] }
  const clockSkew = Math.ceil(skew / 60) * 60
  return {
    values: { clockSkew },
    lines: [`It sends no Date, and its clock differs from this one by ${skew} s: clockSkew is ${clockSkew}.`],
  }
}

function dateOf(answer: Answer, name: string): number | undefined {
  const value = answer.member(name)?.value
  return value?.kind === 'string' ? instantOf(value.value) : undefined
}

function textOf(answer: Answer, name: string, isPublic: (text: string) => boolean): string | undefined {
  const value = answer.member(name)?.value
  if (value?.kind !== 'string' || value.value.length > LONGEST_TEXT) return undefined
  return isPublic(value.value) ? value.value : undefined
}
