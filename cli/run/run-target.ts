import { resolve } from 'node:path'
import { passwordWarnings, plainHttpWarnings, readBaseUrl } from '../../conformance/target/check-target.js'
import type { Target } from '../../conformance/target/deployment.js'
import { resolveTarget, withBaseUrl } from '../../conformance/target/target.js'
import type { TargetSettings } from '../../conformance/target/target-input.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { integerOf } from '../shared/arguments.js'
import { findTargetFile, implicitFiles, noTarget } from '../shared/target-files.js'
import type { RunArguments } from './run-flags.js'

export const PASSWORD = 'TOKEN_ASSAY_PASSWORD'
/** Seconds: a hundred years. */
const LONGEST_LIFETIME = 3_155_760_000

/** What a run tests, and what the user should know about the choice. */
export interface ChosenTarget {
  /** Undefined: the embedded reference server. */
  readonly target: Target | undefined
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * The target of a run: the base URL of the command line, the target file, both, or the embedded server.
 * @throws AssayError where no target is given, or a base URL, file or account cannot be used; nothing has been sent then
 */
export async function chooseTarget(args: RunArguments): Promise<ChosenTarget> {
  // Further arguments are not repeated in the message: one may be a password.
  if (args.positionals.length > 1)
    throw new AssayError('usage', `run takes one base URL, found ${args.positionals.length} arguments`)
  const [text] = args.positionals
  const baseUrl = text === undefined ? undefined : baseUrlOf(text)
  if (args.on('embedded')) return embedded(args)
  if (args.on('exhaustive'))
    throw new AssayError('usage', '--exhaustive tests the embedded server: it goes with --embedded')
  const file = args.one('target') ?? (baseUrl === undefined ? findTargetFile() : undefined)
  if (file === undefined) {
    if (baseUrl !== undefined) return urlAlone(baseUrl, await settingsOf(args))
    throw noTarget('give a base URL or --target FILE; --embedded tests the embedded reference server')
  }
  const overrides = await settingsOf(args)
  // Loading the YAML parser takes 25 ms: only runs with a file pay for it.
  const { loadTargetFile } = await import('../../conformance/target/target-file.js')
  const target = loadTargetFile(file, process.env, overrides)
  return chosen(baseUrl === undefined ? target : withBaseUrl(target, baseUrl))
}
function urlAlone(baseUrl: string, settings: TargetSettings): ChosenTarget {
  if (settings.accounts === undefined)
    throw new AssayError(
      'usage',
      `an account is needed to sign in: give --user-name NAME, and its password in ${PASSWORD}`,
    )
  const ignored = implicitFiles().map(
    (name) => `${name} is ignored because a base URL was given; --target ${name} uses both`,
  )
  return chosen(resolveTarget({ ...settings, baseUrl }), ignored)
}

/** @throws AssayError `bad-base-url`; the text is not repeated, because it may contain a password */
export function baseUrlOf(text: string): string {
  const read = readBaseUrl(text)
  if ('problem' in read) throw new AssayError('bad-base-url', `the base URL: ${read.problem}`)
  return read.baseUrl
}

/** Flags that describe a service; the embedded server has its own accounts and settings. */
const OF_A_SERVICE = [
  'target',
  'user-name',
  'password-stdin',
  'token-lifetime',
  'includes-user-id',
  'ca',
  'insecure',
] as const

function embedded(args: RunArguments): ChosenTarget {
  const other =
    args.positionals.length > 0
      ? 'a base URL'
      : OF_A_SERVICE.find((name) => args.on(name))?.replace(/^/, '--')
  if (other !== undefined)
    throw new AssayError(
      'usage',
      `--embedded tests the embedded reference server: it does not go with ${other}`,
    )
  const how = args.on('exhaustive') ? ' with every policy' : ''
  const ignored = implicitFiles().map((name) => `${name} is ignored because of --embedded`)
  return {
    target: undefined,
    notes: [...ignored, `testing the embedded reference server${how}`],
    warnings: [],
  }
}

export const UNCHECKED =
  'TLS certificates are not checked: anyone on the way can read the password, and answer in place of the service'

export function chosen(target: Target, notes: readonly string[] = []): ChosenTarget {
  const { deployments } = target
  const isUnchecked = deployments.some(({ tls }) => tls?.rejectUnauthorized === false)
  const warnings = [
    ...plainHttpWarnings(deployments),
    ...passwordWarnings(deployments.flatMap(({ accounts }) => accounts)),
    ...(isUnchecked ? [UNCHECKED] : []),
  ]
  return { target, notes, warnings }
}

/** The flags that describe a service, whichever command has them. */
export interface ServiceArguments {
  readonly on: (name: 'password-stdin' | 'includes-user-id' | 'insecure') => boolean
  readonly one: (name: 'user-name' | 'token-lifetime' | 'ca') => string | undefined
}

/** What the flags say of a service. @throws AssayError `usage` */
export async function settingsOf(args: ServiceArguments): Promise<TargetSettings> {
  const userName = args.one('user-name')
  if (userName === undefined && args.on('password-stdin'))
    throw new AssayError('usage', '--password-stdin needs an account: --user-name NAME')
  const tokenLifetime = integerOf('token-lifetime', args.one('token-lifetime'), 1, LONGEST_LIFETIME)
  return {
    ...(userName === undefined ? {} : { accounts: [{ userName, password: await readPassword(args) }] }),
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(args.on('includes-user-id') ? { includesUserId: true } : {}),
    ...tlsOf(args),
  }
}

function tlsOf(args: ServiceArguments): TargetSettings {
  const ca = args.one('ca')
  const insecure = args.on('insecure')
  if (ca !== undefined && insecure)
    throw new AssayError(
      'usage',
      '--ca says which certificates are trusted, --insecure that any is: give one of them',
    )
  // The paths of a target file are relative to its folder, those of flags to the working folder.
  if (ca !== undefined) return { tls: { ca: resolve(ca) } }
  return insecure ? { tls: { rejectUnauthorized: false } } : {}
}

async function readPassword(args: ServiceArguments): Promise<string> {
  if (args.on('password-stdin')) return firstLineOfStdin()
  const password = process.env[PASSWORD]
  if (password !== undefined && password !== '') return password
  throw new AssayError(
    'usage',
    `set the environment variable ${PASSWORD} to the account's password, or use --password-stdin`,
  )
}

/** Characters: a longer line is not a password, and may never end. */
const LONGEST_LINE = 65_536

async function firstLineOfStdin(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) process.stderr.write('token-assay: type the password, then Enter (it is visible): ')
  let text = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin) {
    text += chunk
    if (text.includes('\n') || text.length > LONGEST_LINE) break
  }
  // Only the line end is removed: a password may begin or end with a space.
  const password = text.split(/\r?\n/, 1)[0] ?? ''
  if (password !== '' && password.length <= LONGEST_LINE) return password
  throw new AssayError(
    'usage',
    password === '' ? 'found no password on standard input' : 'the line on standard input is too long',
  )
}
