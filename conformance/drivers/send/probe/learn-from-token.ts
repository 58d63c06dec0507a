import { instantOf } from '../../../exchange/headers.js'
import { type HttpResponse, textIn } from '../../../exchange/http-response.js'

/** Settings of a target file that the answers of a service show. */
export interface LearntSettings {
  readonly userId?: string
  /** Seconds. */
  readonly tokenLifetime?: number
  readonly includesUserId?: boolean
  /** Seconds. */
  readonly clockSkew?: number
  /** A path at which the service answers. */
  readonly registrationPath?: string
  readonly externalLoginPath?: string
}

/** What answers show: settings for the target file, and sentences about them. */
export interface Lesson {
  readonly values: LearntSettings
  readonly lines: readonly string[]
  /** Why no one can sign in there; the first of the lines. */
  readonly problem?: string
  readonly isUnreachable?: true
}

/** Begins what is said of the lifetime. */
const LIVES = 'The token lives for'
const NO_USER_ID = 'The answer has no userId.'
const ADDS_USER_ID =
  'The answer has a userId, which is absent by default. Check that the service is configured to add it; if not, set includesUserId to false.'
const DAY_S = 86_400
const DEFAULT_LIFETIME_S = 14 * DAY_S
/** Seconds. */
const DEFAULT_SKEW = 60
/** Longer texts are not names, and would fill the file. */
const MAX_TEXT = 256

/** Whether a line is about what only a person knows: a page asks for it, and needs no line. */
export function isQuestion(line: string): boolean {
  return line === NO_USER_ID || line === ADDS_USER_ID || line.startsWith(LIVES)
}

/**
 * Learns from an answer with a token. It shows what the service does, which may differ from its configuration: the
 * sentences say so.
 * @param isPublic whether a text of the answer may be shown and written
 */
export function learnFromToken(
  answer: HttpResponse,
  userName: string,
  isPublic: (text: string) => boolean,
): Lesson {
  const lessons = [
    learnUserName(textOf(answer, 'userName', isPublic), userName),
    learnUserId(answer, isPublic),
    learnLifetime(answer, isPublic),
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
      values: {},
      lines: [
        `The service answers userName "${answered}" for "${userName}". If the account is "${userName}", rule 2.1-userName is broken; if it is "${answered}", change userName in the file.`,
      ],
    }
  return {
    values: {},
    lines: [`The userName in the answer is "${answered}"; rule 2.1-userName expects "${userName}".`],
  }
}

function learnUserId(answer: HttpResponse, isPublic: (text: string) => boolean): Lesson {
  if (answer.member('userId') === undefined) return { values: { includesUserId: false }, lines: [NO_USER_ID] }
  const userId = textOf(answer, 'userId', isPublic)
  const known = userId === undefined || userId === '' ? {} : { userId }
  return { values: { includesUserId: true, ...known }, lines: [ADDS_USER_ID] }
}

function learnLifetime(answer: HttpResponse, isPublic: (text: string) => boolean): Lesson {
  const issued = dateOf(answer, '.issued')
  const expires = dateOf(answer, '.expires')
  const seconds = issued === undefined || expires === undefined ? Number.NaN : (expires - issued) / 1000
  if (!Number.isSafeInteger(seconds) || seconds < 1)
    return {
      values: {},
      lines: ['The lifetime of the token is unknown: .issued and .expires are not two valid dates in order.'],
    }
  const lifetime = answer.member('expires_in')?.value
  const answered =
    lifetime?.kind === 'string' ? lifetime.value : lifetime?.kind === 'number' ? lifetime.raw : ''
  const isOther = /^\d{1,12}$/.test(answered) && ![seconds, seconds - 1].includes(Number(answered))
  if (seconds !== DEFAULT_LIFETIME_S && isOther && isPublic(answered))
    return {
      values: {},
      lines: [
        `.expires is ${seconds} s after .issued, but expires_in is ${answered}: a rule is broken (2.1-R2 or 2.1-expires_in). Write the configured lifetime into tokenLifetime.`,
      ],
    }
  const inDays = seconds === DAY_S ? ', a day' : seconds % DAY_S === 0 ? `, ${seconds / DAY_S} days` : ''
  return {
    values: { tokenLifetime: seconds },
    lines: [`${LIVES} ${seconds} s${inDays}. Check that this is the configured lifetime.`],
  }
}

/** As 2.1-issue-time is judged: by the Date header of the answer, else by the clock of this machine. */
function learnSkew(answer: HttpResponse): Lesson {
  const issued = dateOf(answer, '.issued')
  if (issued === undefined) return { values: {}, lines: [] }
  const { instant, source } = answer.time
  const skew = Math.ceil(Math.abs(issued - instant) / 1000)
  if (skew <= DEFAULT_SKEW) return { values: {}, lines: [] }
  if (source === 'Date')
    return {
      values: {},
      lines: [`.issued differs from the Date header by ${skew} s: rule 2.1-issue-time will fail.`],
    }
  const clockSkew = Math.ceil(skew / 60) * 60
  return {
    values: { clockSkew },
    lines: [
      `The answer has no Date header, and .issued differs from the clock of this machine by ${skew} s: clockSkew is set to ${clockSkew}.`,
    ],
  }
}

function dateOf(answer: HttpResponse, name: string): number | undefined {
  return instantOf(textIn(answer, name) ?? '')
}

function textOf(answer: HttpResponse, name: string, isPublic: (text: string) => boolean): string | undefined {
  const text = textIn(answer, name)
  return text !== undefined && text.length <= MAX_TEXT && isPublic(text) ? text : undefined
}
