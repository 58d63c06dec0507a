import { existsSync } from 'node:fs'
import type { ReferenceServerOptions } from '../../reference/server.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Arguments, Flags } from '../shared/arguments.js'
import type { ServerConfigFile } from './config-file.js'
import {
  mergeConfigs,
  type ServerConfig,
  settingFlags,
  settingsOfEnvironment,
  settingsOfFlags,
  variableOf,
} from './settings.js'

export const SERVE_FLAGS = {
  config: { value: 'FILE', help: 'the configuration (default: server.yaml, when there)' },
  'user-name': { value: 'NAME', help: 'an account; its password comes from TOKEN_ASSAY_PASSWORD' },
  'user-id': { value: 'ID', help: "the account's userId (default: a UUID)" },
  ...settingFlags,
  'port-file': { value: 'FILE', help: 'file for the port; written once it listens, removed at the end' },
  'control-port-file': { value: 'FILE', help: "the same for the control plane's port" },
  'certificate-file': { value: 'FILE', help: 'file for the certificate that clients must trust' },
  'end-with-stdin': { help: 'end when standard input does, as with the process that holds it' },
  mutant: { value: 'ID', help: 'a server that is wrong on purpose (`list mutants`), to see a gate go red' },
} as const satisfies Flags

export type ServeArguments = Arguments<typeof SERVE_FLAGS>

const DEFAULT_CONFIG = 'server.yaml'

/** The file, where there is one. */
export function fileOf(args: ServeArguments): string | undefined {
  return args.one('config') ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined)
}

/**
 * The file, then the environment, then flags.
 * @param isAgain an empty file configures nothing at the start; later it is what an editor leaves for a moment
 * @throws AssayError also where the file has gone
 */
export async function configuration(
  args: ServeArguments,
  file: string | undefined,
  isAgain = false,
): Promise<ServerConfig> {
  const read = file === undefined ? undefined : await readFile(file)
  if (isAgain && read?.isEmpty)
    throw new AssayError('bad-server-config', `${file}: expected a configuration, found an empty file`)
  const ofFile = read?.config ?? {}
  const textOf = (name: keyof typeof settingFlags): string | undefined =>
    'value' in settingFlags[name] ? args.one(name) : args.on(name) ? 'true' : undefined
  const config = [settingsOfEnvironment(process.env), settingsOfFlags(textOf)].reduce(mergeConfigs, ofFile)
  read?.check(config)
  const secret = process.env[variableOf('control-secret')] || config.control?.secret
  const account = accountOf(args.one('user-name'), args.one('user-id'))
  const others = (config.accounts ?? []).filter(({ userName }) => userName !== account?.userName)
  return {
    ...config,
    accounts: account === undefined ? others : [account, ...others],
    // A secret alone opens nothing.
    ...(config.control !== undefined && {
      control: { ...config.control, ...(secret !== undefined && { secret }) },
    }),
  }
}

/** The parser is loaded on demand: without a file the server starts sooner. */
async function readFile(file: string): Promise<ServerConfigFile> {
  const { readServerConfig } = await import('./config-file.js')
  return readServerConfig(file, process.env)
}

function accountOf(
  flag: string | undefined,
  userIdFlag: string | undefined,
): NonNullable<ReferenceServerOptions['accounts']>[number] | undefined {
  const userName = flag ?? (process.env[variableOf('user-name')] || undefined)
  if (userName === undefined) {
    if (userIdFlag !== undefined)
      throw new AssayError('usage', '--user-id needs an account: --user-name NAME')
    return undefined
  }
  const userId = userIdFlag ?? (process.env[variableOf('user-id')] || undefined)
  const password = process.env.TOKEN_ASSAY_PASSWORD
  if (password === undefined || password === '')
    throw new AssayError(
      'usage',
      "the account's password is expected in the environment variable TOKEN_ASSAY_PASSWORD",
    )
  return { userName, password, ...(userId === undefined ? {} : { userId }) }
}
