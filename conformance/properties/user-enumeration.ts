import { type CaseRun, caseSeed, freshBinding, seedOf } from '../drivers/send/session/case-run.js'
import { newAccount } from '../drivers/send/session/control.js'
import { send } from '../drivers/send/session/send.js'
import type { CaseRecord, SentRequest } from '../drivers/send/session/session.js'
import { HttpResponse } from '../exchange/http-response.js'
import { plain, type RedactableText } from '../exchange/redactable-text.js'
import type { Account } from '../target/deployment.js'
import { cantTell, NO_ACCOUNT, NOT_TRIED, oneFinding, type PropertyFinding, stopped } from './one-finding.js'
import {
  compareDurations,
  type DurationPair,
  ERROR_RATE,
  INTERIM_LOOKS,
  MIN_DIFFERENCE_MS,
} from './paired-durations.js'
import { compareLoginAnswers } from './same-answers.js'

const PAIRS_EACH = 2
/** Of each kind: an answer may be of a megabyte. */
const MAX_COMPARED = 10
const WRONG = 'Not-this-1-Password'

/**
 * Compares what a service answers for an unknown user name and for a wrong password of a known one, and how long it takes. The two are sent in
 * pairs, in random order, one request at a time. Every known account is a new one, and fails twice at most.
 */
export async function compareLogins(run: CaseRun): Promise<CaseRecord> {
  const budget = run.logins?.budget
  const sent: SentRequest[] = []
  const max = INTERIM_LOOKS.at(-1) ?? 0
  if (budget !== undefined && budget.left < 2 * max) {
    budget.leaveOut(run.testCase.id, 2 * max)
    return oneFinding(run, sent, NOT_TRIED)
  }
  const pairs: DurationPair[] = []
  const known: HttpResponse[] = []
  const unknown: HttpResponse[] = []
  let account: Account | undefined
  while (compareDurations(pairs) === 'open') {
    if (run.session.run.signal.aborted) return stopped(sent)
    if (pairs.length % PAIRS_EACH === 0) {
      const made = await newAccount(run)
      if (made.account === undefined) return oneFinding(run, [made.sent], NO_ACCOUNT)
      account = made.account
    }
    const knownName = { wire: account?.userName ?? '', shown: '‹a new account›' }
    const { loginName } = freshBinding(run)
    const names = isKnownFirst(run, pairs.length) ? [knownName, loginName] : [loginName, knownName]
    const answers: SentRequest[] = []
    for (const name of names) answers.push(await login(run, name))
    budget?.failed(2)
    const trouble = answers.flatMap((answer) => troubleOf(answer) ?? [])[0]
    if (trouble !== undefined) return oneFinding(run, answers, cantTell(trouble))
    const [one, other] = names[0] === knownName ? answers : answers.toReversed()
    if (one === undefined || other === undefined) break
    if (sent.length === 0) sent.push(one, other)
    pairs.push({ one: one.exchange.durationMs, other: other.exchange.durationMs })
    if (known.length < MAX_COMPARED) {
      if (one.response instanceof HttpResponse) known.push(one.response)
      if (other.response instanceof HttpResponse) unknown.push(other.response)
    }
  }
  const { judgements, ...rest } = oneFinding(run, sent, judged(pairs))
  // In the order of the expectations.
  return {
    ...rest,
    judgements: judgements.map(({ rule, ...time }) => ({
      rule,
      ...(rule === 'security:login-same-answer' ? compareLoginAnswers(known, unknown) : time),
    })),
  }
}

function isKnownFirst(run: CaseRun, pair: number): boolean {
  return (caseSeed(seedOf(run), run.testCase.id, String(pair)) & 1) === 0
}

function login(run: CaseRun, name: RedactableText): Promise<SentRequest> {
  return send(run, {
    label: 'login',
    template: { form: { grant_type: 'password', username: '$name.text', password: '$name.password' } },
    bindings: { name: { text: name, password: plain(WRONG) } },
  })
}

/** What makes a duration say nothing of the two. */
function troubleOf({ exchange, response }: SentRequest): string | undefined {
  if (!(response instanceof HttpResponse)) return response.reason
  if (exchange.resent !== undefined) return `durations could not be compared: ${exchange.resent.why}`
  return response.yieldsToken ? 'a login that was to fail yields a token' : undefined
}

function judged(pairs: readonly DurationPair[]): PropertyFinding {
  const found = compareDurations(pairs)
  if (found === 'no difference') return { outcome: 'passed' }
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
