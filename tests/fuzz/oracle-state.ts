/** Who may log in, and what is taken: what an oracle must know of a server. */
export interface OracleState {
  /** Passwords of the accounts of the start, by user name. */
  readonly passwords: ReadonlyMap<string, string>
  /** Names of accounts that were registered while the server ran. */
  readonly registered: Set<string>
  readonly emails: Set<string>
}

export const bodyLimit = 4096

/** So far apart that no answer to one can pass for an answer to another. */
export const accounts = [
  { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' },
  { userName: 'Zoë & Søn', password: 'pä+ss %&=wörd', userId: 'id-of-zoe' },
  { userName: 'ben 🦊', password: '\u{1f511} Key-2', userId: 'id-of-ben' },
] as const

export function newOracleState(): OracleState {
  return {
    passwords: new Map(accounts.map(({ userName, password }) => [userName, password])),
    registered: new Set(),
    emails: new Set(),
  }
}
