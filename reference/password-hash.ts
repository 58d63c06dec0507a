import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'

/** `argon2id` for real use; `fast` for tests alone: it withstands nobody who reads the process's memory. */
export type Hashing = 'argon2id' | 'fast'

/** Turns passwords into what is stored. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Costs one hash computation whatever comes out. */
  verify(hash: string, password: string): Promise<boolean>
  /** The hash of a password that nobody has: an unknown user is verified against it, at the same cost. */
  readonly nobody: string
}

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const owasp = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export async function createPasswordHasher(hashing: Hashing): Promise<PasswordHasher> {
  if (hashing === 'fast') return keyedDigest()
  argon2idOfProcess ??= argon2id()
  return argon2idOfProcess
}

/** One for all servers: a computation of its own would be half the time that one takes to start. */
let argon2idOfProcess: Promise<PasswordHasher> | undefined

async function argon2id(): Promise<PasswordHasher> {
  // Loaded on demand: a server with `fast` hashing never pays for the native module.
  const argon2 = await import('@node-rs/argon2')
  return {
    hash: (password) => argon2.hash(password, owasp),
    verify: (hash, password) => argon2.verify(hash, password),
    nobody: await argon2.hash(unguessable(), owasp),
  }
}

function keyedDigest(): PasswordHasher {
  const key = unguessable()
  const digest = (password: string): string => digestOf('sha256', key + password, 'hex')
  return {
    hash: async (password) => digest(password),
    verify: async (hash, password) => timingSafeEqual(Buffer.from(hash), Buffer.from(digest(password))),
    nobody: digest(unguessable()),
  }
}

function unguessable(): string {
  return randomBytes(32).toString('base64url')
}
