import { Redactor } from '../../../evidence/redact.js'
import { encodeFormText } from '../../../exchange/form.js'
import { type HttpResponse, textIn } from '../../../exchange/http-response.js'
import type { Account } from '../../../target/deployment.js'
import { findPaths } from './find-paths.js'
import { type Lesson, learnFromToken } from './learn-from-token.js'
import { type Ask, withService } from './probe-client.js'

/** Seconds. */
const NOTABLE_SKEW = 60
const LONGEST_LOCATION = 120

/**
 * Finds out what a service can do: one request from the specification, at most one login, and OPTIONS at a few paths.
 * No account is made.
 * @param account the account to sign in with, once
 */
export function probeService(baseUrl: string, account: Account | undefined): Promise<Lesson> {
  return withService(baseUrl, async (ask) => {
    const refusal = await ask({ method: 'POST', path: '/Token', contentType: 'application/json' })
    if (typeof refusal === 'string')
      return { ...problem(`Could not reach the service. ${refusal}`), isUnreachable: true }
    if ([429, 503].includes(refusal.status))
      return problem(`The service is busy (${refusal.status}): try again later.`)
    const found = [
      learnFromRefusal(refusal),
      learnFromDate(refusal),
      account === undefined ? noAccount : await learnFromLogin(ask, refusal, account),
      await findPaths(ask),
    ]
    const first = found.find((one) => one.problem !== undefined)
    const lessons = first === undefined ? found : [first, ...found.filter((one) => one !== first)]
    return {
      ...first,
      values: Object.assign({}, ...lessons.map(({ values }) => values)),
      lines: lessons.flatMap(({ lines }) => lines),
    }
  })
}

const noAccount = lesson(
  'No login was tried. To learn more, give --user-name NAME, and its password in TOKEN_ASSAY_PASSWORD.',
)

/** 4.1-R1: the documented answer to a request that needs no account. */
function learnFromRefusal(answer: HttpResponse): Lesson {
  const { status } = answer
  if (status === 400 && textIn(answer, 'error') === 'unsupported_grant_type') {
    const { root } = answer.json
    const extra = root?.kind === 'object' ? root.members.length - 1 : 0
    return lesson(
      extra === 0
        ? 'POST /Token refuses a JSON request, as it should.'
        : 'POST /Token answers an empty JSON body with the documented error, but not with it alone (7-token-error-body).',
    )
  }
  if (leadsElsewhere(answer)) {
    const location = answer.header('location')?.slice(0, LONGEST_LOCATION) ?? 'nowhere'
    return problem(`POST /Token is redirected (${status}) to "${location}". Redirects are never followed.`)
  }
  if (status === 404)
    return problem('POST /Token is not found (404). Is the base URL right? /Token is appended to it.')
  return lesson(`POST /Token answers an empty JSON body with ${status}, not as documented (4.1-R1).`)
}

/** For information only: 2.1-issue-time is judged by the Date header itself. */
function learnFromDate({ time: { instant, source }, receivedAt }: HttpResponse): Lesson {
  const seconds = Math.round((instant - receivedAt) / 1000)
  if (source !== 'Date' || Math.abs(seconds) <= NOTABLE_SKEW) return lesson()
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return lesson(`Its Date header is ${Math.abs(seconds)} s ${direction} the clock of this machine.`)
}

async function learnFromLogin(ask: Ask, refusal: HttpResponse, account: Account): Promise<Lesson> {
  const { userName, password } = account
  // Do not send a password to something that is not a token service.
  if (refusal.status === 404 || leadsElsewhere(refusal)) return lesson('No login was tried.')
  const form = { grant_type: 'password', username: userName, password }
  const pairs = Object.entries(form).map(([name, value]) => `${name}=${encodeFormText(value)}`)
  const answer = await ask({
    method: 'POST',
    path: '/Token',
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from(pairs.join('&'), 'utf8'),
  })
  if (typeof answer === 'string') return problem(`The login got no answer. ${answer}`)
  if (!answer.yieldsToken)
    return problem(
      `"${userName}" gets no token (${answer.status}). Are the user name and the password right?`,
    )
  const { values, lines } = learnFromToken(answer, userName, publicTexts(answer, password))
  return { values, lines: [`"${userName}" gets a token.`, ...lines] }
}

/** A text is public unless it repeats the password or the token, in any spelling. */
function publicTexts(answer: HttpResponse, password: string): (text: string) => boolean {
  const secrets = [password, textIn(answer, 'access_token') ?? ''].filter((secret) => secret !== '')
  const redactor = new Redactor(secrets.map((value) => ({ value, label: 'secret' })))
  // The redactor leaves short ones alone.
  return (text) => redactor.text(text) === text && !secrets.some((secret) => text.includes(secret))
}

function leadsElsewhere({ status }: HttpResponse): boolean {
  return status >= 300 && status < 400
}

function problem(line: string): Lesson {
  return { ...lesson(line), problem: line }
}

function lesson(...lines: readonly string[]): Lesson {
  return { values: {}, lines }
}
