import type { TokenMoment } from '../../../../spec/model/later-life.js'
import { observeRenewal } from '../facts/renewal.js'
import { grantsOf } from '../grants/grants-of.js'
import { issue } from '../grants/issue.js'
import type { ObtainedToken } from '../grants/obtain-token.js'
import { refreshTokenOf, renew } from '../grants/refresh-token.js'
import type { RehearsalStage } from './rehearsal-stage.js'
import { presentAll } from './try-cells.js'

/** What is tried later. */
interface DueTrial {
  /** Milliseconds, by the clock of the rehearsal. */
  readonly at: number
  readonly attempt: () => Promise<void>
}

/** Of a life, so much at the most is left at its end: a quarter. */
const MAX_SHARE = 4
/** Seconds that are left at the least: the dates of a token are whole seconds. */
const MIN_LEFT = 1.5
/** Seconds, beside those by which clocks may differ: dates are whole seconds, and a request takes its time. */
const SLACK = 5

/**
 * Presents a token shortly before its end and shortly after it, and uses a refresh token after its end. In between are the
 * seconds by which the clocks of the services may differ. Longer than allowed is not waited.
 */
export async function tryEndOfLife(stage: RehearsalStage): Promise<void> {
  const { run, clock, sides } = stage
  const skew = Math.max(...sides.issuers.map(({ deployment }) => deployment.clockSkew)) + SLACK
  const dues: DueTrial[] = []
  for (const issuer of sides.issuers)
    for (const grant of grantsOf(issuer.deployment)) {
      if (run.signal.aborted) return
      const asked = clock.now()
      const obtained = await issue(issuer, grant)
      if ('problem' in obtained) await presentAll(stage, obtained, () => ['near-end', 'after-end'])
      else dues.push(...trialsOf(stage, obtained, asked, skew))
    }
  for (const { at, attempt } of dues.toSorted((a, b) => a.at - b.at)) {
    await clock.wait(Math.max(0, at - clock.now()), run.signal)
    if (run.signal.aborted) return
    await attempt()
  }
}

/** @param asked when the token was asked for, by the clock of the rehearsal */
function trialsOf(
  stage: RehearsalStage,
  obtained: ObtainedToken,
  asked: number,
  skew: number,
): readonly DueTrial[] {
  const { lifetime, issuer, grant } = obtained
  const left = Math.min(skew, Math.max(lifetime / MAX_SHARE, MIN_LEFT))
  const near = asked + (lifetime - left) * 1000
  const trials: DueTrial[] = []
  if (lifetime <= left) {
    const why = `a token lives ${inWords(lifetime)}, too short for one that is near its end`
    leaveOut(stage, obtained, 'near-end', why)
  } else if (isTooLate(stage, lifetime - left))
    leaveOut(stage, obtained, 'near-end', tooLong(stage, lifetime, lifetime - left))
  else
    trials.push({
      at: near,
      attempt: () => presentNearEnd(stage, obtained, near + Math.min(SLACK - 1, (left - 1) / 2) * 1000),
    })
  const after = lifetime + skew
  if (isTooLate(stage, after)) leaveOut(stage, obtained, 'after-end', tooLong(stage, lifetime, after))
  else
    trials.push({ at: asked + after * 1000, attempt: () => presentAll(stage, obtained, () => ['after-end']) })
  const ended = (issuer.deployment.rehearsal?.refresh?.lifetime ?? Number.POSITIVE_INFINITY) + skew
  if (grant === 'password' && !isTooLate(stage, ended))
    trials.push({ at: asked + ended * 1000, attempt: () => renewAfterEnd(stage, obtained) })
  return trials
}

/** @param latest a token that is presented later says nothing: it may have ended */
async function presentNearEnd(stage: RehearsalStage, obtained: ObtainedToken, latest: number): Promise<void> {
  const { issuer, grant } = obtained
  for (const acceptor of stage.sides.acceptors) {
    if (stage.clock.now() > latest)
      stage.board.set(
        { issuer, acceptor, when: 'near-end', grant },
        { outcome: 'not-tried', why: 'its turn came too late: the token may have ended' },
      )
    else await presentAll(stage, obtained, (other) => (other === acceptor ? ['near-end'] : []))
  }
}

async function renewAfterEnd(stage: RehearsalStage, obtained: ObtainedToken): Promise<void> {
  const token = refreshTokenOf(obtained)
  if (token === undefined) return
  const renewed = await renew(obtained.issuer, token)
  observeRenewal(stage, renewed, 'refresh-ended', 'works after its end', 'is refused after its end')
}

function isTooLate({ maxWaitMs }: RehearsalStage, seconds: number): boolean {
  return seconds * 1000 > maxWaitMs
}

function leaveOut(
  { sides, board }: RehearsalStage,
  { issuer, grant }: ObtainedToken,
  when: TokenMoment,
  why: string,
): void {
  for (const acceptor of sides.acceptors)
    board.set({ issuer, acceptor, when, grant }, { outcome: 'not-tried', why })
}

function tooLong({ maxWaitMs }: RehearsalStage, lifetime: number, after: number): string {
  const wait = after > MAX_WAIT ? '' : `, or \`--max-wait ${Math.ceil(after)}\``
  return `a token lives ${inWords(lifetime)}, and \`--max-wait\` is ${maxWaitMs / 1000} s: give a deployment for tests a shorter token lifetime${wait}`
}

/** Seconds: a day, the most that `--max-wait` takes. */
export const MAX_WAIT = 86_400

function inWords(seconds: number): string {
  if (seconds >= 2 * 86_400) return `${Math.round(seconds / 86_400)} days`
  return seconds >= 7200 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds)} s`
}
