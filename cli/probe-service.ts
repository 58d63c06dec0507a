import type { Account } from '../conformance/deployment.js'
import { Redactor } from '../conformance/evidence/redact.js'
import type { Answer } from '../conformance/wire/answer.js'
import { encodeFormText } from '../conformance/wire/form.js'
import { type Ask, withService } from './ask.js'
import { findPaths } from './find-paths.js'
import { type Lesson, learnFromToken } from './learn-from-token.js'

/** Seconds. */
const NOTABLE_SKEW = 60
const LONGEST_LOCATION = 120

/**
 * Asks a service what it can do: one request that the specification documents, at most one login, and OPTIONS at a few
 * paths. Nothing is guessed, and no account is made.
 * @param account whose login is tried, once
 */
export function probeService(baseUrl: string, account: Account | undefined): Promise<Lesson> {
  return withService(baseUrl, async (ask) => {
    const refusal = await ask({ method: 'POST', path: '/Token', contentType: 'application/json' })
    if (typeof refusal === 'string') return tell(`Nothing could be learnt. ${refusal}`)
    if ([429, 503].includes(refusal.status))
      return tell(
        `Nothing could be learnt. The service asks for patience (${refusal.status}): try again later.`,
      )
    const lessons = [
      learnFromRefusal(refusal),
      learnFromDate(refusal),
      account === undefined ? noAccount : await learnFromLogin(ask, refusal, account),
      await findPaths(ask),
    ]
    return {
      values: Object.assign({}, ...lessons.map(({ values }) => values)),
      lines: lessons.flatMap(({ lines }) => lines),
    }
  })
}

const noAccount = tell(
  'No login was tried: --user-name NAME, with its password in the environment, tells more.',
)

/** 4.1-R1: what the specification documents of a request that needs no account. */
function learnFromRefusal(answer: Answer): Lesson {
  const { status } = answer
  const error = answer.member('error')?.value
  if (status === 400 && error?.kind === 'string' && error.value === 'unsupported_grant_type')
    return tell('POST /Token answers an empty JSON body as documented (4.1-R1).')
  if (leadsElsewhere(answer)) {
    const location = answer.header('location')?.slice(0, LONGEST_LOCATION) ?? 'nowhere'
    return tell(`POST /Token is redirected (${status}) to "${location}": redirects are never followed.`)
  }
  if (status === 404)
    return tell('There is nothing at POST /Token (404): is the base URL right? /Token is appended to it.')
  return tell(`POST /Token answers an empty JSON body by ${status}, not as documented (4.1-R1).`)
}

/** Of interest to people alone: 2.1-issue-time goes by the Date that the service sends itself. */
function learnFromDate({ time: { instant, source }, receivedAt }: Answer): Lesson {
  const seconds = Math.round((instant - receivedAt) / 1000)
  if (source !== 'Date' || Math.abs(seconds) <= NOTABLE_SKEW) return tell()
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return tell(`Its Date is ${Math.abs(seconds)} s ${direction} this machine's clock.`)
}

async function learnFromLogin(ask: Ask, refusal: Answer, account: Account): Promise<Lesson> {
  const { userName, password } = account
  // No password for what is no token service.
  if (refusal.status === 404 || leadsElsewhere(refusal)) return tell('No login was tried.')
  const form = { grant_type: 'password', username: userName, password }
  const pairs = Object.entries(form).map(([name, value]) => `${name}=${encodeFormText(value)}`)
  const answer = await ask({
    method: 'POST',
    path: '/Token',
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from(pairs.join('&'), 'utf8'),
  })
  if (typeof answer === 'string') return tell(`The login got no answer. ${answer}`)
  if (!answer.yieldsToken)
    return tell(
      `"${userName}" is not granted a token (${answer.status}): is that the user name, and the password right?`,
    )
  const { values, lines } = learnFromToken(answer, userName, publicTexts(answer, password))
  return { values, lines: [`"${userName}" is granted a token.`, ...lines] }
}

/** Careless services repeat what they were sent, or their own token, in one spelling or another. */
function publicTexts(answer: Answer, password: string): (text: string) => boolean {
  const token = answer.member('access_token')?.value
  const secrets = [password, token?.kind === 'string' ? token.value : ''].filter((secret) => secret !== '')
  const redactor = new Redactor(secrets.map((value) => ({ value, label: 'secret' })))
  // The redactor leaves short ones alone.
  return (text) => redactor.text(text) === text && !secrets.some((secret) => text.includes(secret))
}

function leadsElsewhere({ status }: Answer): boolean {
  return status >= 300 && status < 400
}

function tell(...lines: readonly string[]): Lesson {
  return { values: {}, lines }
}
