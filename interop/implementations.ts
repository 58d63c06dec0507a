import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Account } from '../conformance/target/deployment.js'
import type { Environment } from '../conformance/target/environment.js'
import type { Running } from './listen.js'
import { startNodeOauth2Server } from './node-oauth2-server.js'
import { startOauth2MockServer } from './oauth2-mock-server.js'

/** A token service that others wrote, set up as a team would that has to meet this contract. */
export interface Implementation {
  readonly name: string
  readonly version: string
  /** How it is set up, in one sentence. */
  readonly setUp: string
  /** Its target file. */
  readonly file: string
  /** What the target file takes from the environment, but for the base URL. */
  readonly environment: Environment
  readonly start: () => Promise<Running>
}

export const ALICE: Account = { userName: 'alice', password: 'Alice-1-pass-word' }
export const ZOE: Account = { userName: 'Zoë Straße', password: 'Zoë & 100% of =x+y' }
const CLIENT = { id: 'client', secret: 'client-secret' }

const environment: Environment = {
  INTEROP_ALICE_PASSWORD: ALICE.password,
  INTEROP_ZOE_PASSWORD: ZOE.password,
  INTEROP_CLIENT: Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64'),
}

export const oauth2MockServer: Implementation = {
  name: 'oauth2-mock-server',
  version: versionOf('oauth2-mock-server'),
  setUp: 'As its documentation shows, with the token endpoint at `/Token` by its own option.',
  file: fileURLToPath(new URL('oauth2-mock-server.yaml', import.meta.url)),
  environment,
  start: startOauth2MockServer,
}

export const nodeOauth2Server: Implementation = {
  name: '@node-oauth/oauth2-server',
  version: versionOf('@node-oauth/oauth2-server'),
  setUp:
    'Behind Express at `/Token`, with an access token lifetime of 14 days, one client that may use the password grant, and the client by Basic authentication in every request.',
  file: fileURLToPath(new URL('node-oauth2-server.yaml', import.meta.url)),
  environment,
  start: () => startNodeOauth2Server([ALICE, ZOE], CLIENT),
}

function versionOf(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  const { version }: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
