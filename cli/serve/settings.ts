import type { Environment } from '../../conformance/target/environment.js'
import type { ServerConfig } from '../../spec/generated/types/server-config.js'
import { nearest } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type Flags, wholeNumber } from '../shared/arguments.js'

export type { ServerConfig }

/** One setting that the environment, or a flag, may give as a text. */
interface Setting {
  /** The placeholder for its value in the help; absent for a switch, which the environment gives as true or false. */
  readonly value?: string
  readonly help: string
  /** @param name how the setting was given, for messages @throws AssayError `usage` */
  readonly read: (text: string, name: string) => ServerConfig
}

const settings = {
  host: { value: 'HOST', help: 'address to listen on (default: 127.0.0.1)', read: (host) => ({ host }) },
  port: {
    value: 'N',
    help: 'port; 0 takes a free one (default: 5000)',
    read: (text, name) => ({ port: wholeNumber(text, name, 0, 65_535) }),
  },
  'base-path': { value: 'PATH', help: 'path that comes before /Token', read: (basePath) => ({ basePath }) },
  'public-url': {
    value: 'URL',
    help: 'the base URL that clients use, if it is another one',
    read: (publicUrl) => ({ publicUrl }),
  },
  'token-lifetime': {
    value: 'S',
    help: 'lifetime of a token in seconds (default: 1209600, 14 days)',
    read: (text, name) => ({ tokenLifetime: wholeNumber(text, name, 1, 3_155_760_000) }),
  },
  'includes-user-id': {
    help: 'add userId to the token response',
    read: (text, name) => ({ includesUserId: flag(text, name) }),
  },
  'protected-resource': {
    help: 'also serve GET /me, which answers a token with its account',
    read: (text, name) => ({ protectedResource: flag(text, name) }),
  },
  'refresh-tokens': {
    help: 'also give refresh tokens, each good once and then rotated',
    read: (text, name) => ({ refreshTokens: flag(text, name) }),
  },
  hashing: {
    value: 'KIND',
    help: 'argon2id (default), or fast, for tests only',
    read: (text, name) => ({ hashing: oneOf(text, name, ['argon2id', 'fast'] as const) }),
  },
  tls: {
    value: 'self-signed',
    help: 'serve https with a certificate made at the start (your own: server.yaml)',
    read: (text, name) => ({ tls: oneOf(text, name, ['self-signed'] as const) }),
  },
  'cors-origins': {
    value: 'LIST',
    help: '*, or a comma-separated list of origins whose pages may read the answers',
    read: (text) => ({ cors: text === '*' ? text : text.split(',').map((origin) => origin.trim()) }),
  },
  'body-limit': {
    value: 'BYTES',
    help: 'longer bodies get 413 (default: 65536)',
    read: (text, name) => ({ bodyLimitBytes: wholeNumber(text, name, 1, 2 ** 30) }),
  },
  grace: {
    value: 'S',
    help: 'seconds for requests in progress when it stops (default: 2)',
    read: (text, name) => ({ graceMs: wholeNumber(text, name, 0, 3600) * 1000 }),
  },
  'log-level': {
    value: 'LEVEL',
    help: 'info (default), warn, error or silent',
    read: (text, name) => ({
      log: { level: oneOf(text, name, ['info', 'warn', 'error', 'silent'] as const) },
    }),
  },
  'log-format': {
    value: 'FORMAT',
    help: 'json, or text (default on a terminal), on standard error',
    read: (text, name) => ({ log: { format: oneOf(text, name, ['json', 'text'] as const) } }),
  },
  'control-port': {
    value: 'N',
    help: 'open the control plane on this port; secret: TOKEN_ASSAY_CONTROL_SECRET',
    read: (text, name) => ({ control: { port: wholeNumber(text, name, 0, 65_535) } }),
  },
  'control-host': {
    value: 'HOST',
    help: 'address of the control plane (default: 127.0.0.1)',
    read: (host) => ({ control: { host } }),
  },
  'control-remote': {
    help: 'allow an address that other machines can reach',
    read: (text, name) => ({ control: { remote: flag(text, name) } }),
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export const settingFlags = Object.fromEntries(
  Object.entries(settings).map(([name, setting]: [string, Setting]) => [
    name,
    { help: setting.help, ...(setting.value !== undefined && { value: setting.value }) },
  ]),
) as { readonly [N in SettingName]: Flags[string] }

const prefix = 'TOKEN_ASSAY_'

/** `TOKEN_ASSAY_PORT` for `--port`. */
export function variableOf(flag: string): string {
  return `${prefix}${flag.toUpperCase().replaceAll('-', '_')}`
}

/** Read too, though no setting of the list. */
const otherVariables = ['user-name', 'user-id', 'password', 'control-secret', 'debug'].map(variableOf)

/** Variables that nothing reads, though they look like ones that are read, each with the name that was meant. */
export function misspeltVariables(
  env: Environment,
): readonly { readonly name: string; readonly meant: string }[] {
  const known = [...Object.keys(settings).map(variableOf), ...otherVariables]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(prefix) || known.includes(name)) return []
    const meant = nearest(
      name.slice(prefix.length),
      known.map((variable) => variable.slice(prefix.length)),
    )
    return meant === undefined ? [] : [{ name, meant: prefix + meant }]
  })
}

/** What the environment sets; an empty variable is as good as none. @throws AssayError `usage` */
export function settingsOfEnvironment(env: Environment): ServerConfig {
  return read((name) => env[variableOf(name)] || undefined, variableOf)
}

/** What flags set. @throws AssayError `usage` */
export function settingsOfFlags(textOf: (name: SettingName) => string | undefined): ServerConfig {
  return read(textOf, (name) => `--${name}`)
}

function read(
  textOf: (name: SettingName) => string | undefined,
  called: (name: string) => string,
): ServerConfig {
  const given = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    const text = textOf(name)
    const setting: Setting = settings[name]
    return text === undefined ? [] : [setting.read(text, called(name))]
  })
  return given.reduce(mergeConfigs, {})
}

/** The later wins; of `log` and `control` member by member. */
export function mergeConfigs(earlier: ServerConfig, later: ServerConfig): ServerConfig {
  const both = { ...earlier, ...later }
  return {
    ...both,
    ...(both.log !== undefined && { log: { ...earlier.log, ...later.log } }),
    ...(both.control !== undefined && { control: { ...earlier.control, ...later.control } }),
  }
}

function flag(text: string, name: string): boolean {
  return oneOf(text, name, ['true', 'false'] as const) === 'true'
}

function oneOf<T extends string>(text: string, name: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw new AssayError('usage', `${name} takes ${values.join(' or ')}, not \`${text}\``)
}
