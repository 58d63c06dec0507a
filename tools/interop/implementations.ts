import { fileURLToPath } from 'node:url'
import type { Account } from '../../conformance/target/deployment.js'
import type { Environment } from '../../conformance/target/environment.js'
import type { Expected } from './expected.js'
import { RFC_6749 } from './expected.js'
import type { Source } from './installed-version.js'
import type { Running } from './listen.js'
import { startNodeOauth2Server } from './node-oauth2-server.js'
import { startOauth2MockServer } from './oauth2-mock-server.js'

/** A token service that others wrote, set up as a team would that has to meet this contract. */
export interface Implementation {
  readonly name: string
  readonly language: string
  /** Whose versions are shown, its own first; it is skipped where one of them is not installed. */
  readonly packages: readonly string[]
  readonly from: Source
  /** How it is set up, in one sentence. */
  readonly setUp: string
  /** Its target file. */
  readonly file: string
  /** What reading its source says, before any run. */
  readonly expected: Expected
}

/** One that is started in this process, where its target file does not start it. */
export interface InProcess extends Implementation {
  readonly start: () => Promise<Running>
}

export const ALICE: Account = { userName: 'alice', password: 'Alice-1-pass-word' }
export const ZOE: Account = { userName: 'Zoë Straße', password: 'Zoë & 100% of =x+y' }
const CLIENT = { id: 'client', secret: 'client-secret' }

/** What the target files take from the environment, but for the base URL or the port. */
export const ENVIRONMENT: Environment = {
  INTEROP_ALICE_PASSWORD: ALICE.password,
  INTEROP_ZOE_PASSWORD: ZOE.password,
  INTEROP_CLIENT: Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64'),
  INTEROP_CLIENT_SECRET: CLIENT.secret,
}

const from: Source = { npm: new URL('../../node_modules/', import.meta.url) }

export const oauth2MockServer: InProcess = {
  name: 'oauth2-mock-server',
  language: 'TypeScript',
  packages: ['oauth2-mock-server'],
  from,
  setUp: 'As its documentation shows, with the token endpoint at `/Token` by its own option.',
  file: fileURLToPath(new URL('oauth2-mock-server.yaml', import.meta.url)),
  start: startOauth2MockServer,
  expected: {
    failed: {
      ...RFC_6749.failed,
      '4.1-R1': 'It calls a body that is no form `invalid_request`, as RFC 6749 5.2 has it.',
      '7-token-error-body': 'It gives errors other names.',
      '4.1-content-type':
        'It parses JSON for all of its endpoints, and grants to credentials in a JSON body.',
      '4.1-grant_type':
        'It supports client_credentials, authorization_code and refresh_token too, and asks for no proof.',
      '4.1-username': 'It is a mock: every user is granted a token, without a user name,',
      '4.1-password': 'without a password,',
      '4.1-credentials': 'and with any.',
    },
    cantTell: {
      ...RFC_6749.cantTell,
      '7-token-error-status':
        'Where it grants what the contract refuses, there is no error to judge: other grant types, JSON.',
      '7-token-error-media-type': 'The same.',
    },
  },
}

export const nodeOauth2Server: InProcess = {
  name: '@node-oauth/oauth2-server',
  language: 'JavaScript',
  packages: ['@node-oauth/oauth2-server', 'express'],
  from,
  setUp:
    'Behind Express at `/Token`, with an access token lifetime of 14 days, one client that may use the password grant, and the client by Basic authentication in every request.',
  file: fileURLToPath(new URL('node-oauth2-server.yaml', import.meta.url)),
  start: () => startNodeOauth2Server([ALICE, ZOE], CLIENT),
  expected: {
    failed: {
      ...RFC_6749.failed,
      '4.1-R1': 'It calls a body that is no form `invalid_request`, as RFC 6749 5.2 has it.',
      '7-token-error-body': 'It describes errors by `error_description`.',
      '4.1-R2':
        'Its error says what is wrong with the request, so that a missing grant_type reads otherwise than a wrong media type.',
    },
    cantTell: {
      ...RFC_6749.cantTell,
      '8-R3': 'It is configured for 14 days, but answers no dates to reckon them from.',
    },
  },
}
