import type { TokenMoment } from '../../../../spec/model/later-life.js'
import type { ObtainedToken } from '../grants/obtain-token.js'
import type { RehearsalStage } from './rehearsal-stage.js'
import { issueAll, presentAll } from './try-cells.js'

/** When a token is presented once more. */
interface Due {
  readonly obtained: ObtainedToken
  readonly when: TokenMoment
  /** Milliseconds, by the clock of the rehearsal. */
  readonly at: number
}

/** Seconds: of a life, so much at the most is left at its end. */
const MAX_SHARE = 4

/**
 * Presents a token shortly before its end and shortly after it. Between the two are the seconds by which the clocks of the
 * services may differ, on both sides. Longer than allowed is not waited.
 */
export async function tryEndOfLife(stage: RehearsalStage): Promise<void> {
  const { run, clock, sides } = stage
  const skew = Math.max(...sides.issuers.map(({ deployment }) => deployment.clockSkew)) + 1
  const tokens = await issueAll(stage, sides.issuers)
  const dues: Due[] = []
  for (const obtained of tokens) {
    if ('problem' in obtained) {
      await presentAll(stage, obtained, () => ['near-end', 'after-end'])
      continue
    }
    const { lifetime } = obtained
    const issued = clock.now()
    const seconds = {
      'near-end': lifetime - Math.min(skew, lifetime / MAX_SHARE),
      'after-end': lifetime + skew,
    }
    for (const [when, after] of Object.entries(seconds) as readonly ['near-end' | 'after-end', number][])
      if (after * 1000 <= stage.maxWaitMs) dues.push({ obtained, when, at: issued + after * 1000 })
      else leaveOut(stage, obtained, when, after)
  }
  for (const { obtained, when, at } of dues.toSorted((a, b) => a.at - b.at)) {
    await clock.wait(Math.max(0, at - clock.now()), run.signal)
    if (run.signal.aborted) return
    await presentAll(stage, obtained, () => [when])
  }
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
