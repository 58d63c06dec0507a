import type { CaseRun } from '../drivers/send/session/case-run.js'
import { newAccount } from '../drivers/send/session/control.js'
import { send } from '../drivers/send/session/send.js'
import type { CaseRecord, SentRequest } from '../drivers/send/session/session.js'
import { HttpResponse } from '../exchange/http-response.js'
import { plain } from '../exchange/redactable-text.js'
import type { Account } from '../target/deployment.js'
import { cantTell, NO_ACCOUNT, NOT_TRIED, oneFinding, type PropertyFinding, stopped } from './one-finding.js'

/** OWASP ASVS 2.2.1: no more than a hundred an hour. */
const ALLOWED = 100
/** The last answers that take so much longer than the first are a limit too: in the median, as a machine may be busy for a moment. */
const DELAY_MS = 500
const COMPARED = 10

/** Guesses the password of a new account, which no one else has, once more often than may be; then logs in with the right one. */
export async function guessPasswords(run: CaseRun): Promise<CaseRecord> {
  const budget = run.logins?.budget
  if (budget !== undefined && budget.left < ALLOWED + 1) {
    budget.leaveOut(run.testCase.id, ALLOWED + 1)
    return oneFinding(run, [], NOT_TRIED)
  }
  const { account, sent: setUp } = await newAccount(run)
  if (account === undefined) return oneFinding(run, [setUp], NO_ACCOUNT)
  let first: SentRequest | undefined
  const durations: number[] = []
  for (let guess = 0; guess <= ALLOWED; guess++) {
    const sent = await login(run, account.userName, `Guess-${guess}-of-the-Password`)
    if (sent.exchange.failure?.kind === 'stopped') return stopped([])
    budget?.failed(1)
    durations.push(sent.exchange.durationMs)
    first ??= sent
    if (sent.response.yieldsToken) return oneFinding(run, [sent], cantTell('a wrong password yields a token'))
    if (isLimit(first, sent)) return oneFinding(run, [first, sent], { outcome: 'passed' })
  }
  const isLater = median(durations.slice(-COMPARED)) > median(durations.slice(0, COMPARED)) + DELAY_MS
  if (isLater) return oneFinding(run, first === undefined ? [] : [first], { outcome: 'passed' })
  const last = await login(run, account.userName, account.password)
  if (last.exchange.resent === undefined && last.response.yieldsToken)
    return oneFinding(run, [...(first === undefined ? [] : [first]), last], noLimit())
  return oneFinding(run, [last], { outcome: 'passed' })
}

/**
 * Another status than the first: too many, or locked; or no answer at all. Another body alone is none, such as an id of the
 * request: where it is one of a limit, the right password is refused in the end.
 */
function isLimit(first: SentRequest, { exchange, response }: SentRequest): boolean {
  if (exchange.resent !== undefined || !(response instanceof HttpResponse)) return true
  return first.response instanceof HttpResponse && response.status !== first.response.status
}

function login(run: CaseRun, userName: string, password: string): Promise<SentRequest> {
  const account: Account = { userName, password }
  return send(run, {
    label: 'login',
    template: { form: { grant_type: 'password', username: '$own.userName', password: '$own.password' } },
    bindings: { own: { userName: { wire: userName, shown: '‹a new account›' }, password: plain(password) } },
    account,
    // One that is to be sent later has met the limit that is looked for.
    isOneTime: true,
  })
}

function noLimit(): PropertyFinding {
  return {
    outcome: 'failed',
    message: `after ${ALLOWED + 1} wrong passwords in a row no status was another, and the right one is taken at once`,
    expected: `no more than ${ALLOWED} guesses an hour for one account`,
    actual: `${ALLOWED + 1} guesses without a limit`,
  }
}

function median(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0
}
