import { randomUUID } from 'node:crypto'
import { AssayError } from '../../spec/model/assay-error.js'
import type { SeedAccount, StoredAccount } from '../account.js'
import { ControlError } from '../control-error.js'
import type { LogSink } from '../log.js'
import { completeOptions, type FullOptions, type ReferenceServerOptions } from '../options/options.js'
import type { Reloaded } from '../store/control.js'
import type { PasswordHasher } from '../store/password-hash.js'
import type { Settings } from '../store/settings.js'

/** What a store begins with, and a reset goes back to. */
export interface StartValues {
  readonly settings: Settings
  readonly seed: readonly StoredAccount[]
}

interface Reloading {
  readonly read: ReferenceServerOptions['reload']
  readonly hasher: PasswordHasher
  readonly log: LogSink
  /** Told once all of it is known to be good. */
  readonly apply: (next: StartValues) => void
}

/** In force at once; all else is of the sockets, or of every store. */
const reloadable = ['accounts', 'tokenLifetime', 'includesUserId', 'policy'] as const
const ofProgram: readonly string[] = ['behaviour', 'clock', 'reload', ...reloadable]

/** Reads the configuration again, one at a time. What cannot be used changes nothing. */
export function createReload(
  started: FullOptions,
  seed: readonly StoredAccount[],
  { read, hasher, log, apply }: Reloading,
): () => Promise<Reloaded> {
  let current: { readonly full: FullOptions; readonly seed: readonly StoredAccount[] } = {
    full: started,
    seed,
  }
  let last: Promise<unknown> = Promise.resolve()

  const reload = async (): Promise<Reloaded> => {
    if (read === undefined)
      throw new ControlError(
        'not-found',
        'this server has no configuration to read again: it was started without a file',
      )
    const full = completeOptions(await read())
    const changed = reloadable.filter((name) => differs(full[name], current.full[name]))
    const needRestart = Object.keys(full)
      .filter((name) => !ofProgram.includes(name))
      .filter((name) => differs(settingOf(full, name), settingOf(started, name)))
    const hashed = await hashSeed(full, hasher, { given: current.full.accounts, hashed: current.seed })
    current = { full, seed: hashed }
    apply({ settings: { ...full, basePath: started.basePath }, seed: hashed })
    log({ level: needRestart.length === 0 ? 'info' : 'warn', event: 'reloaded', changed, needRestart })
    return { changed, needRestart }
  }
  const reported = async (): Promise<Reloaded> => {
    try {
      return await reload()
    } catch (cause) {
      if (!(cause instanceof AssayError)) throw cause
      // It names what is wrong, and quotes no value.
      log({ level: 'error', event: 'reload-failed', message: cause.message })
      throw cause instanceof ControlError ? cause : new ControlError('bad-request', cause.message, { cause })
    }
  }
  return () => {
    const done = last.then(reported)
    last = done.catch(() => undefined)
    return done
  }
}

/** @param known what was hashed before: an account that is as it was is not hashed again, and keeps its identifier */
export function hashSeed(
  { accounts, behaviour }: Pick<FullOptions, 'accounts' | 'behaviour'>,
  hasher: PasswordHasher,
  known: { readonly given: readonly SeedAccount[]; readonly hashed: readonly StoredAccount[] } = {
    given: [],
    hashed: [],
  },
): Promise<StoredAccount[]> {
  const before = new Map(
    known.given.map((given, index) => [given.userName, { given, hashed: known.hashed[index] }]),
  )
  return Promise.all(
    accounts.map(async (account) => {
      const old = before.get(account.userName)
      if (old?.hashed !== undefined && !differs(old.given, account)) return old.hashed
      const { password, userId = old?.hashed?.userId ?? randomUUID(), ...others } = account
      return { ...others, userId, passwordHash: await hasher.hash(behaviour.passwordAsHashed(password)) }
    }),
  )
}

/** Of a log, what it was made by: the function itself cannot be compared. */
function settingOf(full: FullOptions, name: string): unknown {
  return name === 'log' ? full.log.settings : Reflect.get(full, name)
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}
