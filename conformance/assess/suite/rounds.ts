import type { Outcome } from '../../../spec/model/report.js'
import type { Attempt } from './attempt.js'

/** Ten rounds of a service that takes three seconds. A shorter limit would leave some out where the machine is busy. */
const MAX_ROUNDS_MS = 60_000

/**
 * Repeats what goes wrong by chance alone, until a rule is broken. A round that could not be judged shows nothing beside
 * one that could.
 */
export async function inRounds(rounds: number, once: () => Promise<Attempt>): Promise<Attempt> {
  const begin = performance.now()
  let shown = await once()
  let latest = shown
  for (let round = 1; round < rounds; round++) {
    // Where the service asks to wait, there is no race.
    const isSlowed = latest.sent.some(({ exchange }) => exchange.resent !== undefined)
    if (has(latest, 'failed') || latest.stopped || isSlowed || performance.now() - begin > MAX_ROUNDS_MS)
      break
    latest = await once()
    if (latest.stopped || has(latest, 'failed') || has(shown, 'cantTell')) shown = latest
  }
  return shown
}

function has({ judgements }: Attempt, outcome: Outcome): boolean {
  return judgements.some((judgement) => judgement.outcome === outcome)
}
