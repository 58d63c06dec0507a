import type { ReferenceServerOptions } from '../../../reference/server.js'

/** The path of the protected resource. */
export const RESOURCE = '/me'

/** What a client is reported: the variables of its command. */
export interface ClientEnvironment {
  /** The base URL: `/Token` is below it. */
  readonly url: string
  readonly userName: string
  readonly password: string
  /** Answers 200 to a token that is valid, and 401 to anything else. */
  readonly resourceUrl: string
  /** The id of the scenario. */
  readonly scenario: string
  /** How often a client that goes on asks for the resource, one time after the other. One, but for scenarios of expiry. */
  readonly fetches: number
}

/** What a client may report of its sign-in, as one line of JSON. */
export interface SignInReport {
  readonly signedIn?: boolean
  readonly userName?: string
  readonly expiresAt?: string | number
}

/** How one call of a client ended. */
export interface ClientEnd {
  readonly signedIn: boolean
  /** Such as `exit code 1`. */
  readonly how: string
  /** It did not end by itself, or left something behind: one sentence. */
  readonly problem?: string
  /** The suite ended it, for want of time. */
  readonly outOfTime?: true
  readonly reported?: SignInReport
}

/** A client, for the suite: signs in once. Rejects with an `AssayError` where it cannot be started at all. */
export type Client = (environment: ClientEnvironment, signal: AbortSignal) => Promise<ClientEnd>

/** One service that a client meets. */
export interface Scenario {
  /** As a case's id: `client:answer/other-member-order`. */
  readonly id: string
  readonly title: string
  /** What the client should make of it. */
  readonly expects: 'signed-in' | 'refused' | 'safe'
  /** The rules that are judged. */
  readonly rules: readonly string[]
  /** Uses of tokens that the scenario needs: only a client that goes on meets it. */
  readonly fetches?: number
  readonly userName?: string
  readonly password?: string
  /** What the service takes for the password, where it is another one. */
  readonly registered?: string
  /** How the service differs from the reference server. Called for each play: it may count. */
  readonly service: () => ReferenceServerOptions
}
