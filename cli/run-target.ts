import { existsSync } from 'node:fs'
import type { Target } from '../conformance/deployment.js'
import { readBaseUrl } from '../conformance/target/base-url.js'
import type { TargetSettings } from '../conformance/target/target-input.js'
import { resolveTarget, withBaseUrl } from '../conformance/target.js'
import { AssayError } from '../spec/assay-error.js'
import { type Arguments, integerOf } from './arguments.js'
import type { RUN_FLAGS } from './run-flags.js'

export const IMPLICIT_FILE = 'token-assay.yaml'
export const PASSWORD = 'TOKEN_ASSAY_PASSWORD'
/** Seconds: a hundred years are enough for anybody. */
const LONGEST_LIFETIME = 3_155_760_000

export type RunArguments = Arguments<typeof RUN_FLAGS>

/** What a run is against, and what is worth saying about the choice. */
export interface ChosenTarget {
  /** Undefined: the embedded reference server. */
  readonly target: Target | undefined
  readonly notes: readonly string[]
}

/**
 * The target of a run: the base URL of the command line, the target file, both, or neither.
 * @throws AssayError for a base URL, file or account that will not do; nothing has been sent then
 */
export async function chooseTarget(args: RunArguments): Promise<ChosenTarget> {
  const [baseUrl] = args.positionals
  // What is surplus is not repeated either: it may be a password.
  if (args.positionals.length > 1)
    throw new AssayError('usage', `run takes one base URL, found ${args.positionals.length} arguments`)
  const read = baseUrl === undefined ? undefined : readBaseUrl(baseUrl)
  // The text is not repeated: it may hold a password.
  if (read !== undefined && 'problem' in read)
    throw new AssayError('bad-base-url', `the base URL: ${read.problem}`)
  if (args.on('exhaustive')) {
    if (baseUrl !== undefined || args.on('target'))
      throw new AssayError(
        'usage',
        '--exhaustive is about the embedded server: it takes no base URL and no --target',
      )
    return { target: undefined, notes: ['assessing the embedded reference server under every policy'] }
  }
  const file =
    args.one('target') ?? (baseUrl === undefined && existsSync(IMPLICIT_FILE) ? IMPLICIT_FILE : undefined)
  const overrides = await settingsOf(args)
  if (file !== undefined) {
    // Reading YAML costs 25 ms at start: only who has a file pays for it.
    const { loadTargetFile } = await import('../conformance/target/target-file.js')
    const target = loadTargetFile(file, process.env, overrides)
    return { target: baseUrl === undefined ? target : withBaseUrl(target, baseUrl), notes: [] }
  }
  if (baseUrl === undefined) {
    if (Object.keys(overrides).length > 0)
      throw new AssayError(
        'usage',
        `there is no service that these flags could be about: give a base URL, or a target file (${IMPLICIT_FILE} is not here)`,
      )
    return {
      target: undefined,
      notes: ['no base URL given: assessing the embedded reference server'],
    }
  }
  if (overrides.accounts === undefined) {
    throw new AssayError(
      'usage',
      `an account is needed to be granted a token: --user-name NAME, with its password in ${PASSWORD}`,
    )
  }
  return {
    target: resolveTarget({ ...overrides, baseUrl }),
    notes: existsSync(IMPLICIT_FILE)
      ? [`${IMPLICIT_FILE} is ignored, since a base URL was given: --target ${IMPLICIT_FILE} takes both`]
      : [],
  }
}

/** Passwords over plain http can be read on the way, but for the loopback interface. */
export function plainHttpWarnings(target: Target): readonly string[] {
  const remote = target.deployments.filter(({ baseUrl }) => {
    const { protocol, hostname } = new URL(baseUrl)
    return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\]|.+\.localhost)$/.test(hostname)
  })
  return remote.map(({ baseUrl }) => `${baseUrl} is plain http: passwords and tokens can be read on the way`)
}

async function settingsOf(args: RunArguments): Promise<TargetSettings> {
  const userName = args.one('user-name')
  if (userName === undefined && args.on('password-stdin'))
    throw new AssayError('usage', '--password-stdin needs to know whose it is: --user-name NAME')
  const tokenLifetime = integerOf('token-lifetime', args.one('token-lifetime'), 1, LONGEST_LIFETIME)
  return {
    ...(userName === undefined ? {} : { accounts: [{ userName, password: await readPassword(args) }] }),
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(args.on('includes-user-id') ? { includesUserId: true } : {}),
  }
}

async function readPassword(args: RunArguments): Promise<string> {
  if (args.on('password-stdin')) return firstLineOfStdin()
  const password = process.env[PASSWORD]
  if (password !== undefined && password !== '') return password
  throw new AssayError(
    'usage',
    `the account's password is expected in the environment variable ${PASSWORD}, or with --password-stdin on standard input`,
  )
}

/** More is no password, and may never end. */
const LONGEST_LINE = 65_536

async function firstLineOfStdin(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) process.stderr.write('token-assay: the password, then Enter (it shows while you type): ')
  let text = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin) {
    text += chunk
    if (text.includes('\n') || text.length > LONGEST_LINE) break
  }
  // Only a line end is cut off: a password may begin or end with a space.
  const password = text.split(/\r?\n/, 1)[0] ?? ''
  if (password !== '' && password.length <= LONGEST_LINE) return password
  throw new AssayError(
    'usage',
    `standard input holds ${password === '' ? 'no password' : 'no line that could be a password'}`,
  )
}
