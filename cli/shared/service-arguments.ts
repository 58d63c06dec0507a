import { resolve } from 'node:path'
import { passwordWarnings, plainHttpWarnings, readBaseUrl } from '../../conformance/target/check-target.js'
import type { Account, Deployment } from '../../conformance/target/deployment.js'
import type { TargetSettings } from '../../conformance/target/target-input.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { integerOf } from './arguments.js'
import { show } from './print.js'

export const PASSWORD = 'TOKEN_ASSAY_PASSWORD'
/** Seconds: a hundred years. */
const MAX_LIFETIME = 3_155_760_000

/** @throws AssayError `bad-base-url`; the text is not repeated, because it may contain a password */
export function baseUrlOf(text: string): string {
  const read = readBaseUrl(text)
  if (!('problem' in read)) return read.baseUrl
  const hint = /\.(?:ya?ml|json)$/i.test(text) ? '; a target file is given as `--target FILE`' : ''
  throw new AssayError('bad-base-url', `the base URL: ${read.problem}${hint}`)
}

const UNCHECKED =
  'TLS certificates are not checked: anyone in between can read the password and answer as the service'

/** What the user should know before a password is sent. */
export function serviceWarnings(
  deployments: readonly (Pick<Deployment, 'baseUrl' | 'shownBaseUrl' | 'tls'> & {
    readonly accounts: readonly Account[]
  })[],
): readonly string[] {
  const isUnchecked = deployments.some(({ tls }) => tls?.rejectUnauthorized === false)
  return [
    ...plainHttpWarnings(deployments),
    ...passwordWarnings(deployments.flatMap(({ accounts }) => accounts)),
    ...(isUnchecked ? [UNCHECKED] : []),
  ]
}

interface TrustArguments {
  readonly on: (name: 'insecure') => boolean
  readonly one: (name: 'ca') => string | undefined
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
  const tokenLifetime = integerOf('token-lifetime', args.one('token-lifetime'), 1, MAX_LIFETIME)
  return {
    ...(userName === undefined ? {} : { accounts: [{ userName, password: await readPassword(args) }] }),
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(args.on('includes-user-id') ? { includesUserId: true } : {}),
    ...trustOf(args),
  }
}

/** What the flags say of certificates. @throws AssayError `usage` */
export function trustOf(args: TrustArguments): TargetSettings {
  const ca = args.one('ca')
  const insecure = args.on('insecure')
  if (ca !== undefined && insecure)
    throw new AssayError(
      'usage',
      '--ca names the certificates to trust, --insecure trusts any: give only one of them',
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
const MAX_LINE = 65_536

async function firstLineOfStdin(): Promise<string> {
  const stdin = process.stdin
  if (stdin.isTTY) show('token-assay: type the password, then Enter (it is visible): ', 'stderr')
  let text = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin) {
    text += chunk
    if (text.includes('\n') || text.length > MAX_LINE) break
  }
  // Only the line end is removed: a password may begin or end with a space.
  const password = text.split(/\r?\n/, 1)[0] ?? ''
  if (password !== '' && password.length <= MAX_LINE) return password
  throw new AssayError(
    'usage',
    password === '' ? 'found no password on standard input' : 'the line on standard input is too long',
  )
}
