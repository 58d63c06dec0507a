import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Account } from '../../../conformance/target/deployment.js'
import type { Environment } from '../../../conformance/target/environment.js'
import type { Packages } from '../installed-version.js'

/** The rules that a server breaks or leaves undecided, each with the reason from its source; empty where the fault says it all. */
export interface Expected {
  readonly failed: Readonly<Record<string, string>>
  readonly cantTell: Readonly<Record<string, string>>
}

/** A token service that others wrote, set up as a team that has to meet this contract would do. */
export interface Implementation extends Packages, Expected {
  readonly name: string
  readonly language: string
  /** The set-up, in one sentence. */
  readonly setUp: string
  /** Of its target file, which starts it. */
  readonly folder: string
  /** Written here, on what its language usually has: Debian has no token server for it. */
  readonly byHand?: boolean
  /** What `rehearse` finds where it replaces a reference server, each with the reason from its source. */
  readonly rehearsal?: Readonly<Record<string, string>>
}

export const SERVERS: readonly Implementation[] = parse(
  readFileSync(new URL('servers.yaml', import.meta.url), 'utf8'),
  { merge: true },
).servers

export const ALICE: Account = { userName: 'alice', password: 'Alice-1-pass-word' }
export const ZOE: Account = { userName: 'Zoë Straße', password: 'Zoë & 100% of =x+y' }
const CLIENT_SECRET = 'client-secret'

/** The environment that the target files need, without the ports. */
export const ENVIRONMENT: Environment = {
  INTEROP_ALICE_PASSWORD: ALICE.password,
  INTEROP_ZOE_PASSWORD: ZOE.password,
  INTEROP_CLIENT: Buffer.from(`client:${CLIENT_SECRET}`).toString('base64'),
  INTEROP_CLIENT_SECRET: CLIENT_SECRET,
}

export function serverNamed(name: string): Implementation {
  const found = SERVERS.find((server) => server.name === name)
  if (found === undefined) throw new TypeError(`there is no server ${name}`)
  return found
}
