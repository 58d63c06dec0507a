import { createHash, randomBytes } from 'node:crypto'

/** A case's own seed, from (run seed, case id, deployment): results do not depend on order, concurrency or sharding. */
export function caseSeed(runSeed: number, caseId: string, deployment: string): number {
  return createHash('sha256').update(`${runSeed}\0${caseId}\0${deployment}`).digest().readInt32BE(0)
}

export function randomSeed(): number {
  return randomBytes(4).readInt32BE(0)
}

/** Set apart from every other run's names; rendered `‹run›` in reports. */
export function runNonce(): string {
  return randomBytes(5).toString('hex')
}
