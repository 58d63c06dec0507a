import { type Judgement, UNSTABLE } from '../../../spec/model/report.js'
import { isSpent } from '../../drivers/send/session/budgets.js'
import { type CaseRun, newAccountOf } from '../../drivers/send/session/case-run.js'
import { explainOutage } from '../../drivers/send/session/control.js'
import { afterLost } from '../../drivers/send/session/send.js'
import type { SentRequest } from '../../drivers/send/session/session.js'
import {
  easeIfBusy,
  explainUnstable,
  learnIfEased,
  MAX_SENDINGS,
  mayRepeat,
  troubleOf,
} from '../../drivers/send/session/trouble.js'
import { type Attempt, countRefusals, evidenceOf } from './attempt.js'

/** For what cannot be judged in either case: to know whether it is unstable. */
const MAX_UNDECIDED = 2
/** While a counterexample is made smaller: a wrong guess only makes it less small. */
const MAX_BRIEFLY = 3

/**
 * One attempt; where a judgement of it fails, or cannot be made, for a status of 500 or more, a dropped connection or a
 * time-out, the same requests are sent again. What recurs is judged; what does not is `cantTell`, unless the content of a
 * later answer is wrong.
 * @param attempt sends the same bytes each time, but for the names of new accounts
 * @param isBrief whether a few times are enough
 */
export async function repeatTroubled(
  run: CaseRun,
  attempt: () => Promise<Attempt>,
  isBrief = false,
): Promise<Attempt> {
  const once = async (): Promise<Attempt> => {
    const made = await attempt()
    if (!made.lost) return made
    run.logins?.budget.failed(countRefusals(made), newAccountOf(run))
    // Only a used connection loses anything, and after the first that did none is used again.
    const again = await attempt()
    return { ...again, sent: again.sent.map((sent, index) => (index === 0 ? afterLost(sent) : sent)) }
  }
  const all = [await once()]
  while (isWorthRepeating(run, all, isBrief)) {
    // The caller counts the last one.
    run.logins?.budget.failed(countRefusals(all.at(-1) ?? NOTHING), newAccountOf(run))
    easeIfBusy(run.session, troublesOf(all))
    all.push(await once())
  }
  const isRecurring = all.length > 1 && !isBrief && isFailing(run, all.at(-1))
  const outage = isRecurring ? await explainOutage(run.session) : undefined
  // After an outage that is over by now, another sending shows what it was.
  const isAnswered = troublesOf(all).at(-1)?.exchange.response !== undefined
  if (isRecurring && outage === undefined && isAnswered && mayFailOnce(run)) {
    run.logins?.budget.failed(countRefusals(all.at(-1) ?? NOTHING), newAccountOf(run))
    all.push(await once())
  }
  const [first = NOTHING] = all
  const last = all.at(-1) ?? first
  if (all.length > 1) learnIfEased(run.session, troublesOf(all), troublesOf([last])[0])
  if (last.stopped) return last
  if (all.length === 1 && !isTroubled(run, first)) return first
  const judgements = first.judgements.map((_, index) => merge(run, all, index, outage))
  const isUnstable = judgements.some(({ reason }) => reason?.startsWith(UNSTABLE))
  if (all.length === 1) return { ...first, judgements }
  const before = first.sent.map((sent) => ({ ...sent, label: `${sent.label}, first` }))
  return {
    sent: [...before, ...last.sent],
    judgements,
    stopped: false,
    ...(isUnstable ? { isUnstable } : {}),
  }
}

const NOTHING: Attempt = { sent: [], judgements: [], stopped: false }

/** The trouble that a judgement rests on: of its own request, or of one before it. */
function troubleBehind({ testCase }: CaseRun, made: Attempt, index: number): SentRequest | undefined {
  const { about } = evidenceOf(testCase, made, index)
  const until = about === undefined ? made.sent : made.sent.slice(0, made.sent.indexOf(about) + 1)
  return until.find((sent) => troubleOf(sent) !== undefined)
}

/** Of each attempt the first trouble. */
function troublesOf(all: readonly Attempt[]): readonly SentRequest[] {
  return all.flatMap(({ sent }) => sent.find((one) => troubleOf(one) !== undefined) ?? [])
}

function isBad({ outcome }: Judgement): boolean {
  return outcome === 'failed' || outcome === 'cantTell'
}

function isFailed({ outcome }: Judgement): boolean {
  return outcome === 'failed'
}

function isTroubled(run: CaseRun, made: Attempt): boolean {
  return made.judgements.some((judgement, index) => isBad(judgement) && troubleBehind(run, made, index))
}

/** Whether its logins may fail once more. */
function mayFailOnce({ logins, ...run }: CaseRun): boolean {
  return logins === undefined || !(isSpent(logins) || logins.budget.needsGoodLogin(newAccountOf(run)))
}

function isFailing(run: CaseRun, made: Attempt = NOTHING): boolean {
  return !made.stopped && made.judgements.some(isFailed) && isTroubled(run, made)
}

function isWorthRepeating(run: CaseRun, all: readonly Attempt[], isBrief: boolean): boolean {
  const { testCase, session } = run
  const last = all.at(-1)
  if (last === undefined || last.stopped || session.run.signal.aborted || !isTroubled(run, last)) return false
  // A sign-in through a provider uses up its code: only where each has a new one is there a second.
  const prepares = session.deployment.externalLogin?.prepare !== undefined
  if (testCase.steps.some(({ signIn }) => signIn !== undefined) && !prepares) return false
  if (!mayFailOnce(run)) return false
  const fails = last.judgements.some(
    ({ outcome }, index) => outcome === 'failed' && troubleBehind(run, last, index),
  )
  return mayRepeat(troublesOf(all), fails ? (isBrief ? MAX_BRIEFLY : MAX_SENDINGS) : MAX_UNDECIDED)
}

function merge(run: CaseRun, all: readonly Attempt[], index: number, outage: string | undefined): Judgement {
  const judged = all.flatMap((made) => {
    const judgement = made.judgements[index]
    if (judgement === undefined) return []
    const trouble = troubleBehind(run, made, index)
    return [{ judgement, trouble, place: trouble && made.sent.indexOf(trouble) }]
  })
  const [first] = judged
  if (first === undefined) throw new TypeError('an expectation was never judged')
  // Wrong content is wrong though it was seen once.
  const wrong = judged.find(
    ({ judgement, trouble }) => judgement.outcome === 'failed' && trouble === undefined,
  )
  if (wrong !== undefined) return wrong.judgement
  if (!isBad(first.judgement) || first.trouble === undefined) return first.judgement
  const { rule } = first.judgement
  // A status that comes now at one request and now at another is not the answer to either.
  const areAnswers = judged.every(({ trouble }) => trouble?.exchange.response !== undefined)
  const wanders = areAnswers && judged.some(({ place }) => place !== first.place)
  if (wanders || judged.some(({ judgement, trouble }) => trouble === undefined || !isBad(judgement)))
    return { rule, outcome: 'cantTell', reason: explainUnstable(first.trouble) }
  return outage === undefined || first.judgement.outcome !== 'failed'
    ? first.judgement
    : { rule, outcome: 'cantTell', reason: outage }
}
