import type { RequestTemplate } from '../../spec/model/case.js'
import { type CaseRun, caseSeed, freshBinding, seedOf } from '../drivers/send/session/case-run.js'
import { newAccount } from '../drivers/send/session/control.js'
import { send } from '../drivers/send/session/send.js'
import type { CaseRecord, SentRequest } from '../drivers/send/session/session.js'
import { HttpResponse } from '../exchange/http-response.js'
import { plain, type RedactableText } from '../exchange/redactable-text.js'
import { cantTell, NO_ACCOUNT, NOT_TRIED, oneFinding, type PropertyFinding, stopped } from './one-finding.js'
import {
  compareDurations,
  type DurationPair,
  ERROR_RATE,
  MIN_DIFFERENCE_MS,
  MIN_PAIRS,
  medianInterval,
} from './paired-durations.js'
import { compareLoginAnswers } from './same-answers.js'

/** How often a known account fails. */
const PAIRS_EACH = 2
/** Of each kind: an answer may be of a megabyte. */
const MAX_COMPARED = 10

type Form = NonNullable<RequestTemplate['form']>

const WRONG: Form = { grant_type: 'password', username: '$name.text', password: 'Not-this-1-Password' }

/** What else may be answered otherwise for a user name that is known. */
const CORNERS: readonly (readonly [what: string, form: Form])[] = [
  ['a login without a password', { grant_type: 'password', username: '$name.text' }],
  ['an empty password', { ...WRONG, password: '' }],
  ['a password of 4,096 characters', { ...WRONG, password: 'x'.repeat(4096) }],
  ['an unknown grant type', { ...WRONG, grant_type: 'token-assay' }],
]
const PAIRS_OF_CORNER = 2

interface LoginPair {
  readonly known: SentRequest
  readonly unknown: SentRequest
}

/**
 * Compares what a service answers for an unknown user name and for a known one, and how long it takes, by wrong passwords;
 * and the answers alone by malformed logins. The two are sent in pairs, in random order, one request at a time. Every known
 * account is a new one, and fails twice at most.
 */
export async function compareLogins(run: CaseRun): Promise<CaseRecord> {
  const budget = run.logins?.budget
  const cornerPairs = CORNERS.length * PAIRS_OF_CORNER
  const mostPairs = Math.floor((budget?.left ?? Number.POSITIVE_INFINITY) / 2) - cornerPairs
  if (mostPairs < MIN_PAIRS) {
    budget?.leaveOut(run.testCase.id, 2 * (MIN_PAIRS + cornerPairs))
    return oneFinding(run, [], NOT_TRIED)
  }
  const nextPair = loginPairs(run)
  const wrong: LoginPair[] = []
  const durations: DurationPair[] = []
  while (compareDurations(durations, mostPairs) === 'open') {
    const pair = await nextPair(WRONG)
    if ('judgements' in pair) return pair
    durations.push({ one: pair.known.exchange.durationMs, other: pair.unknown.exchange.durationMs })
    if (wrong.length < MAX_COMPARED) wrong.push(pair)
  }
  let answers = compared('a wrong password', wrong)
  let shown = wrong.slice(0, 1)
  for (const [what, form] of CORNERS) {
    if (answers.outcome === 'failed') break
    const pairs: LoginPair[] = []
    while (pairs.length < PAIRS_OF_CORNER) {
      const pair = await nextPair(form)
      if ('judgements' in pair) return pair
      pairs.push(pair)
    }
    answers = compared(what, pairs)
    if (answers.outcome === 'failed') shown = pairs.slice(0, 1)
  }
  const sent = shown.flatMap(({ known, unknown }) => [known, unknown])
  const { judgements, ...rest } = oneFinding(run, sent, judged(durations, mostPairs))
  // In the order of the expectations.
  return {
    ...rest,
    judgements: judgements.map(({ rule, ...time }) => ({
      rule,
      ...(rule === 'security:login-same-answer' ? answers : time),
    })),
  }
}

/** The same login for a known and for an unknown user name, as often as asked; the record of the case where it ends there. */
function loginPairs(run: CaseRun): (form: Form) => Promise<LoginPair | CaseRecord> {
  let known: RedactableText = plain('')
  let pairs = 0
  return async (form) => {
    if (run.session.run.signal.aborted) return stopped([])
    if (pairs % PAIRS_EACH === 0) {
      const made = await newAccount(run)
      if (made.account === undefined) return oneFinding(run, [made.sent], NO_ACCOUNT)
      known = { wire: made.account.userName, shown: '‹a new account›' }
    }
    const isKnownFirst = (caseSeed(seedOf(run), run.testCase.id, String(pairs++)) & 1) === 0
    const unknown = freshBinding(run).loginName
    const first = await login(run, form, isKnownFirst ? known : unknown)
    const second = await login(run, form, isKnownFirst ? unknown : known)
    run.logins?.budget.failed(2)
    const trouble = troubleOf(first) ?? troubleOf(second)
    if (trouble !== undefined) return oneFinding(run, [first, second], cantTell(trouble))
    return isKnownFirst ? { known: first, unknown: second } : { known: second, unknown: first }
  }
}

function login(run: CaseRun, form: Form, name: RedactableText): Promise<SentRequest> {
  return send(run, { label: 'login', template: { form }, bindings: { name: { text: name } } })
}

/** What makes a duration say nothing of the two. */
function troubleOf({ exchange, response }: SentRequest): string | undefined {
  if (!(response instanceof HttpResponse)) return response.reason
  if (exchange.resent !== undefined) return `durations could not be compared: ${exchange.resent.why}`
  return response.yieldsToken ? 'a login that was to fail yields a token' : undefined
}

function compared(what: string, pairs: readonly LoginPair[]): PropertyFinding {
  const responses = (of: keyof LoginPair): readonly HttpResponse[] =>
    pairs.flatMap(({ [of]: { response } }) => (response instanceof HttpResponse ? [response] : []))
  return compareLoginAnswers(what, responses('known'), responses('unknown'))
}

function judged(pairs: readonly DurationPair[], mostPairs: number): PropertyFinding {
  const found = compareDurations(pairs, mostPairs)
  if (found === 'no difference') return { outcome: 'passed' }
  const [from, to] = medianInterval(pairs).map((ms) => Math.round(ms * 10) / 10)
  if (found === 'undecided')
    return cantTell(
      `after ${pairs.length} pairs of logins, a known user name takes ${from} to ${to} ms longer than an unknown one: durations vary too much to tell whether that is more than ${MIN_DIFFERENCE_MS} ms`,
    )
  const [slow, fast] = found === 'one takes longer' ? ['known', 'unknown'] : ['unknown', 'known']
  const differences = pairs.map(({ one, other }) => Math.abs(one - other)).sort((a, b) => a - b)
  const median = Math.round(differences[Math.floor(differences.length / 2)] ?? 0)
  return {
    outcome: 'failed',
    message: `a login fails later for a user name that is ${slow} than for one that is ${fast}: ${median} ms, in the median of ${pairs.length} pairs (chance shows a difference once in ${1 / ERROR_RATE} runs)`,
    expected: `a difference of no more than ${MIN_DIFFERENCE_MS} ms`,
    actual: `${median} ms`,
  }
}
