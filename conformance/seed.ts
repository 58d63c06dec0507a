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
  return letters(randomBytes(5))
}

/** Two lower-case letters for each byte: no policy takes offence at a name of these. */
export function letters(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/./g, (digit) => 'bcdefghijklmnopq'.charAt(Number.parseInt(digit, 16)))
}
