import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'

/** `argon2id` for real use; `fast` for tests alone: it does not withstand a reader of the process's memory. */
export type Hashing = 'argon2id' | 'fast'

/** Turns passwords into what is stored. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Costs one hash computation whatever comes out. */
  verify(hash: string, password: string): Promise<boolean>
  /** The hash of a password that no one has: an unknown user is verified against it, at the same cost. */
  readonly unknownUser: string
}

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one degree of parallelism. */
const owasp = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export async function createPasswordHasher(hashing: Hashing): Promise<PasswordHasher> {
  return hashing === 'fast' ? keyedDigest() : argon2id()
}

async function argon2id(): Promise<PasswordHasher> {
  // Loaded on demand: a server with `fast` hashing never pays for the native module.
  const argon2 = await import('@node-rs/argon2')
  return {
    hash: (password) => argon2.hash(password, owasp),
    verify: (hash, password) => argon2.verify(hash, password),
    // Salt and digest are drawn: computing the hash of a password that no one has would take a third of the start.
    unknownUser: `$argon2id$v=19$m=${owasp.memoryCost},t=${owasp.timeCost},p=${owasp.parallelism}$${drawn(16)}$${drawn(32)}`,
  }
}

/** So many random bytes, as such hashes spell them. */
function drawn(bytes: number): string {
  return randomBytes(bytes).toString('base64').replaceAll('=', '')
}

function keyedDigest(): PasswordHasher {
  const key = unguessable()
  const digest = (password: string): string => digestOf('sha256', key + password, 'hex')
  return {
    hash: async (password) => digest(password),
    verify: async (hash, password) => timingSafeEqual(Buffer.from(hash), Buffer.from(digest(password))),
    unknownUser: digest(unguessable()),
  }
}

function unguessable(): string {
  return randomBytes(32).toString('base64url')
}
