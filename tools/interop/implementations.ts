import { fileURLToPath } from 'node:url'
import type { Account } from '../../conformance/target/deployment.js'
import type { Environment } from '../../conformance/target/environment.js'
import type { Expected } from './expected.js'
import { GRANTED, NO_DATES, RFC_6749 } from './expected.js'
import type { Source } from './installed-version.js'
import type { Running } from './listen.js'
import { startNodeOauth2Server } from './node-oauth2-server.js'
import { startOauth2MockServer } from './oauth2-mock-server.js'

/** A token service that others wrote, set up as a team that has to meet this contract would do. */
export interface Implementation {
  readonly name: string
  readonly language: string
  /** Packages whose versions are shown, its own first; the server is skipped where one is not installed. */
  readonly packages: readonly string[]
  readonly from: Source
  /** The set-up, in one sentence. */
  readonly setUp: string
  /** Its target file. */
  readonly file: string
  /** The expectations from reading its source, before any run. */
  readonly expected: Expected
}

/** A service that runs in this process because its target file does not start it. */
export interface InProcess extends Implementation {
  readonly start: () => Promise<Running>
}

export const ALICE: Account = { userName: 'alice', password: 'Alice-1-pass-word' }
export const ZOE: Account = { userName: 'Zoë Straße', password: 'Zoë & 100% of =x+y' }
const CLIENT = { id: 'client', secret: 'client-secret' }

/** The environment that the target files need, without the base URL and the port. */
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
  setUp: 'As in its documentation, with the token endpoint moved to `/Token` by its own option.',
  file: fileURLToPath(new URL('oauth2-mock-server.yaml', import.meta.url)),
  start: startOauth2MockServer,
  expected: {
    failed: {
      ...RFC_6749.failed,
      '4.1-R1': 'A body that is not a form is `invalid_request`, as in RFC 6749 5.2.',
      '7-token-error-body': 'Its errors have other names.',
      '4.1-content-type': 'It parses JSON at all of its endpoints.',
      '4.1-grant_type':
        'It also supports client_credentials, authorization_code and refresh_token, without any proof.',
      '4.1-username': 'This mock grants a token to everyone.',
      '4.1-password': '',
      '4.1-credentials': '',
    },
    cantTell: {
      ...RFC_6749.cantTell,
      '7-token-error-status': GRANTED,
      '7-token-error-media-type': GRANTED,
    },
  },
}

export const nodeOauth2Server: InProcess = {
  name: '@node-oauth/oauth2-server',
  language: 'JavaScript',
  packages: ['@node-oauth/oauth2-server', 'express'],
  from,
  setUp:
    'Behind Express at `/Token`, with a lifetime of 14 days and one client that may use the password grant; the client signs in by Basic authentication.',
  file: fileURLToPath(new URL('node-oauth2-server.yaml', import.meta.url)),
  start: () => startNodeOauth2Server([ALICE, ZOE], CLIENT),
  expected: {
    failed: {
      ...RFC_6749.failed,
      '4.1-R1': 'A body that is not a form is `invalid_request`, as in RFC 6749 5.2.',
      '7-token-error-body': 'Errors have an `error_description`.',
      '4.1-R2':
        'Its error names the cause, which differs between a missing grant_type and a wrong media type.',
    },
    cantTell: {
      ...RFC_6749.cantTell,
      '8-R3': NO_DATES,
    },
  },
}
