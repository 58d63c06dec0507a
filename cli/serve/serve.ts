import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LogSink } from '../../reference/log.js'
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../../reference/server.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type Arguments, describeFlags, type Flags, readArguments } from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import type { ServerConfigFile } from './config-file.js'
import { createLogSink } from './log-sink.js'
import { preparePortFiles, removePortFiles, type Written, writePortFiles } from './port-files.js'
import { serverOptions } from './server-options.js'
import type { ServerConfig } from './settings.js'
import {
  mergeConfigs,
  misspeltVariables,
  settingFlags,
  settingsOfEnvironment,
  settingsOfFlags,
  variableOf,
} from './settings.js'

const FLAGS = {
  config: { value: 'FILE', help: 'the configuration (default: server.yaml, when there)' },
  'user-name': { value: 'NAME', help: 'an account; its password comes from TOKEN_ASSAY_PASSWORD' },
  'user-id': { value: 'ID', help: "the account's userId (default: a UUID)" },
  ...settingFlags,
  'port-file': { value: 'FILE', help: 'gets the port once it listens, and is removed at the end' },
  'control-port-file': { value: 'FILE', help: "the same for the control plane's port" },
  'certificate-file': { value: 'FILE', help: 'gets the certificate that clients must trust' },
  mutant: { value: 'ID', help: 'one that is wrong on purpose (`list mutants`), to see a gate go red' },
} as const satisfies Flags

const DEFAULT_CONFIG = 'server.yaml'

export const serveCommand: Command = {
  usage: `Usage: token-assay serve [flags]

Serves the reference server: POST /Token as specified, accounts in memory. Its base URL
is the first line on standard output, \`control URL\` the second where there is a control
plane. SIGINT and SIGTERM end it with exit code 0 once requests in progress are answered;
a second one ends it at once. SIGHUP reads server.yaml again.

It is configured by server.yaml (schema: token-assay/schemas/server-config.schema.json),
then by the environment, then by flags; the later wins. The variable of --port is
${variableOf('port')}, and so on; switches take true or false.

Of registered accounts and of tokens it keeps 10,000, of its journal 1,000 entries, unless
server.yaml says otherwise (limits); beyond, the oldest are forgotten.

${describeFlags(FLAGS)}
`,
  execute: serve,
}

async function serve(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [extra] = args.positionals
  if (extra !== undefined) throw new AssayError('usage', 'serve takes flags only: --port N, --host HOST')
  const { file, config } = await configuration(args)
  const portFiles = {
    'port-file': args.one('port-file'),
    'control-port-file': args.one('control-port-file'),
    'certificate-file': args.one('certificate-file'),
  }
  refuseUnwritten(portFiles, config)
  const stop = stopSignals()
  // A person reads a terminal, a program all else.
  const format = process.stderr.isTTY ? 'text' : 'json'
  const log = createLogSink({ format, ...config.log }, (text) => process.stderr.write(text))
  const mutant = args.one('mutant')
  const base = mutant === undefined ? {} : await mutantOptions(mutant, log)
  const optionsOf = (read: ServerConfig): ReferenceServerOptions => ({
    ...base,
    ...serverOptions(read, file),
    log,
  })
  const options: ReferenceServerOptions = {
    ...optionsOf(config),
    ...(file !== undefined && { reload: async () => optionsOf((await configuration(args)).config) }),
  }
  if (file !== undefined) log({ level: 'info', event: 'configuration', file })
  for (const { name, meant } of misspeltVariables(process.env))
    log({ level: 'warn', event: 'unknown-variable', name, message: `did you mean ${meant}?` })

  preparePortFiles(portFiles)
  const server = await Promise.race([listen(options), stop.asked])
  if (server === undefined) {
    log({ level: 'info', event: 'stopping' })
    // Hash computations that are under way cannot be called back: those of many accounts would hold it up for a minute.
    process.exit(0)
  }
  if (options.accounts?.length === 0) {
    const message = `no one can sign in: --user-name NAME and ${variableOf('password')}, or accounts in server.yaml`
    log({ level: 'warn', event: 'no-accounts', message })
  }
  const written: Written = new Map()
  try {
    // Before anyone can know that it runs.
    if (file !== undefined) onHangUp(() => void server.reload().catch(() => undefined), stop.ask)
    writePortFiles(portFiles, server, written)
    const control = server.controlUrl === undefined ? '' : `control ${server.controlUrl}\n`
    process.stdout.write(`${server.url}\n${control}`)
    await stop.asked
    log({ level: 'info', event: 'stopping' })
    await Promise.race([server.close(), stop.askedAgain.then(() => server.close(0))])
  } finally {
    await server.close(0)
    removePortFiles(written)
  }
  return 0
}

/** The file, then the environment, then flags. @throws AssayError */
async function configuration(args: Arguments<typeof FLAGS>): Promise<{
  readonly file: string | undefined
  readonly config: ServerConfig
}> {
  const file = args.one('config') ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined)
  const read = file === undefined ? undefined : await readFile(file)
  const ofFile = read?.config ?? {}
  const textOf = (name: keyof typeof settingFlags): string | undefined =>
    'value' in settingFlags[name] ? args.one(name) : args.on(name) ? 'true' : undefined
  const config = [settingsOfEnvironment(process.env), settingsOfFlags(textOf)].reduce(mergeConfigs, ofFile)
  read?.check(config)
  const secret = process.env[variableOf('control-secret')] || config.control?.secret
  const account = accountOf(args.one('user-name'), args.one('user-id'))
  const others = (config.accounts ?? []).filter(({ userName }) => userName !== account?.userName)
  return {
    file,
    config: {
      ...config,
      accounts: account === undefined ? others : [account, ...others],
      // A secret alone opens nothing.
      ...(config.control !== undefined && {
        control: { ...config.control, ...(secret !== undefined && { secret }) },
      }),
    },
  }
}

/** The parser is loaded on demand: without a file the server starts sooner. */
async function readFile(file: string): Promise<ServerConfigFile> {
  const { readServerConfig } = await import('./config-file.js')
  return readServerConfig(file, process.env)
}

/** @throws AssayError `usage` for a file that would stay empty, or hold another's content */
function refuseUnwritten(
  portFiles: Parameters<typeof preparePortFiles>[0],
  { control, tls }: ServerConfig,
): void {
  const files = Object.values(portFiles).flatMap((file) => (file === undefined ? [] : [resolve(file)]))
  if (new Set(files).size < files.length)
    throw new AssayError(
      'usage',
      'each of --port-file, --control-port-file and --certificate-file needs a file of its own',
    )
  if (portFiles['control-port-file'] !== undefined && control === undefined)
    throw new AssayError('usage', '--control-port-file needs a control plane: --control-port 0')
  if (portFiles['certificate-file'] !== undefined && tls === undefined)
    throw new AssayError('usage', '--certificate-file needs a certificate: --tls self-signed')
}

/** From before the server listens: a signal while it starts counts too. */
function stopSignals(): {
  readonly asked: Promise<void>
  readonly askedAgain: Promise<void>
  readonly ask: () => void
} {
  const resolvers: (() => void)[] = []
  const [asked, askedAgain] = [0, 1].map(() => new Promise<void>((resolve) => resolvers.push(resolve)))
  if (asked === undefined || askedAgain === undefined) throw new TypeError('two are made')
  const ask = (): void => resolvers.shift()?.()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask)
  return { asked, askedAgain, ask }
}

/** SIGHUP asks to read the configuration again, but when its terminal was closed: then no one is left to end the server. */
function onHangUp(reload: () => void, stop: () => void): void {
  const hadTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  process.on('SIGHUP', () => (hadTerminal && !hasTerminal() ? stop : reload)())
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/** The mutant under the settings that it shows under; the configuration comes on top. Loaded on demand. */
async function mutantOptions(id: string, log: LogSink): Promise<ReferenceServerOptions> {
  const { findMutant } = await import('../../prove/jobs/selection.js')
  const { settingsOf } = await import('../../prove/jobs/setups.js')
  const { needs, description, violates, behaviour } = findMutant(id)
  const { policy, includesUserId, tokenLifetime } = settingsOf(needs)
  const declared = { includesUserId, tokenLifetime, policy }
  const message = `this server is wrong on purpose: ${description}`
  log({ level: 'warn', event: 'mutant', id, message, violates: [...violates], declared: { ...declared } })
  return { ...declared, behaviour: behaviour() }
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

/** @throws AssayError `usage` where the address cannot be listened at, or an option will not do */
async function listen(options: ReferenceServerOptions): Promise<ReferenceServer> {
  try {
    return await startReferenceServer(options)
  } catch (cause) {
    const { code, message, port } = cause as NodeJS.ErrnoException & { readonly port?: number }
    const flag = port !== options.port && port === options.control?.port ? '--control-port' : '--port'
    if (code === 'EADDRINUSE')
      throw new AssayError('usage', `port ${port} is in use${holderOf(port)}: ${flag} 0 takes a free one`, {
        cause,
      })
    if (code !== undefined)
      throw new AssayError('usage', `the server cannot be started: ${message}`, { cause })
    throw cause
  }
}

/** Of macOS's own services one listens where `serve` does by default. */
function holderOf(port: number | undefined): string {
  return port === 5000 && process.platform === 'darwin' ? ', on macOS by AirPlay' : ''
}
