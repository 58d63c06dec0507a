import type { TokenMoment } from '../../../../spec/model/later-life.js'
import { observeRenewal } from '../facts/refreshes.js'
import type { ObtainedToken } from '../grants/obtain-token.js'
import { refreshTokenOf, renew } from '../grants/refresh-token.js'
import type { RehearsalStage } from './rehearsal-stage.js'
import { issueAll, presentAll } from './try-cells.js'

/** What is tried later. */
interface DueTrial {
  /** Milliseconds, by the clock of the rehearsal. */
  readonly at: number
  readonly attempt: () => Promise<void>
}

/** Of a life, so much at the most is left at its end: a quarter. */
const MAX_SHARE = 4

/**
 * Presents a token shortly before its end and shortly after it, and uses a refresh token after its end. In between are the
 * seconds by which the clocks of the services may differ. Longer than allowed is not waited.
 */
export async function tryEndOfLife(stage: RehearsalStage): Promise<void> {
  const { run, clock, sides } = stage
  const skew = Math.max(...sides.issuers.map(({ deployment }) => deployment.clockSkew)) + 1
  const dues: DueTrial[] = []
  for (const obtained of await issueAll(stage, sides.issuers)) {
    const issued = clock.now()
    if ('problem' in obtained) {
      await presentAll(stage, obtained, () => ['near-end', 'after-end'])
      continue
    }
    const { lifetime } = obtained
    const later = {
      'near-end': lifetime - Math.min(skew, lifetime / MAX_SHARE),
      'after-end': lifetime + skew,
    }
    for (const [when, seconds] of Object.entries(later) as readonly ['near-end' | 'after-end', number][])
      if (isTooLate(stage, seconds)) leaveOut(stage, obtained, when, seconds)
      else
        dues.push({ at: issued + seconds * 1000, attempt: () => presentAll(stage, obtained, () => [when]) })
    const ended = (obtained.issuer.deployment.rehearsal?.refresh?.lifetime ?? Number.POSITIVE_INFINITY) + skew
    if (obtained.grant === 'password' && !isTooLate(stage, ended))
      dues.push({ at: issued + ended * 1000, attempt: () => renewAfterEnd(stage, obtained) })
  }
  for (const { at, attempt } of dues.toSorted((a, b) => a.at - b.at)) {
    await clock.wait(Math.max(0, at - clock.now()), run.signal)
    if (run.signal.aborted) return
    await attempt()
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
  { sides, board, maxWaitMs }: RehearsalStage,
  { issuer, grant, lifetime }: ObtainedToken,
  when: TokenMoment,
  after: number,
): void {
  const why = `a token lives ${inWords(lifetime)}: \`--max-wait ${Math.ceil(after)}\` would wait for it (now ${maxWaitMs / 1000}); or give a deployment for tests a shorter life`
  for (const acceptor of sides.acceptors)
    board.set({ issuer, acceptor, when, grant }, { outcome: 'not-tried', why })
}

function inWords(seconds: number): string {
  if (seconds >= 2 * 86_400) return `${Math.round(seconds / 86_400)} days`
  return seconds >= 7200 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds)} s`
}
