import { resolve } from 'node:path'
import type { LogSink } from '../../reference/log.js'
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../../reference/server.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFlags, readArguments } from '../shared/arguments.js'
import { type Command, EXIT } from '../shared/command.js'
import { refuseSharedFiles } from '../shared/files.js'
import { listenError } from '../shared/listen-error.js'
import { isTerminal, passOn, show } from '../shared/print.js'
import { configuration, fileOf, SERVE_FLAGS, type ServeArguments } from './configuration.js'
import { createLogSink } from './log-sink.js'
import {
  type PortFiles,
  preparePortFiles,
  removePortFiles,
  type Written,
  writePortFiles,
} from './port-files.js'
import { certificateFiles, serverOptions } from './server-options.js'
import { endOfInput, onHangUp, type ServerSignals, serverSignals } from './server-signals.js'
import { misspeltVariables, type ServerConfig, variableOf } from './settings.js'

export const command: Command = {
  flags: SERVE_FLAGS,
  usage: `Usage: token-assay serve [flags]

Serves the reference server: POST /Token as specified, accounts in memory. Its base URL
is the first line on standard output, \`control URL\` the second where there is a control
plane. SIGINT and SIGTERM end it with exit code 0 once requests in progress are answered;
a second one ends it at once. SIGHUP reads server.yaml again.

It reads server.yaml (schema: token-assay/schemas/server-config.schema.json), then the
environment, then flags; the last one wins. The variable for --port is
${variableOf('port')}, and so on; switches take true or false.

It keeps 10,000 registered accounts, 10,000 tokens and 1,000 journal entries, unless
server.yaml sets other limits, and then forgets the oldest.

${describeFlags(SERVE_FLAGS)}
`,
  execute: serve,
}

async function serve(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, SERVE_FLAGS)
  const [extra] = args.positionals
  if (extra !== undefined) throw new AssayError('usage', 'serve takes flags only: --port N, --host HOST')
  const file = fileOf(args)
  const config = await configuration(args, file)
  const portFiles = {
    'port-file': args.one('port-file'),
    'control-port-file': args.one('control-port-file'),
    'certificate-file': args.one('certificate-file'),
  }
  refuseUnwritten(portFiles, config)
  refuseInputs(portFiles, config, file)
  const signals = signalsFor(args)
  // A person reads a terminal, a program all else.
  const format = isTerminal('stderr') ? 'text' : 'json'
  const logOf = (given: ServerConfig): LogSink =>
    createLogSink({ format, ...given.log }, (text) => passOn(text, 'stderr'))
  const log = logOf(config)
  const options = await optionsOf(args, file, config, logOf)
  if (file !== undefined) log({ level: 'info', event: 'configuration', file })
  for (const { name, meant } of misspeltVariables(process.env))
    log({ level: 'warn', event: 'unknown-variable', name, message: `did you mean ${meant}?` })

  preparePortFiles(portFiles)
  const server = await Promise.race([listen(options), signals.asked])
  if (server === undefined) {
    log({ level: 'info', event: 'stopping' })
    // Hash computations that are under way cannot be called back: those of many accounts would hold it up for a minute.
    process.exit(EXIT.conformant)
  }
  if (options.accounts?.length === 0) {
    const message = `no one can sign in: give --user-name NAME and ${variableOf('password')}, or accounts in server.yaml`
    log({ level: 'warn', event: 'no-accounts', message })
  }
  await serveUntilAsked(server, portFiles, signals, { isReloadable: file !== undefined, log })
  return EXIT.conformant
}

function signalsFor(args: ServeArguments): ServerSignals {
  const signals = serverSignals()
  return args.on('end-with-stdin')
    ? { ...signals, asked: Promise.race([signals.asked, endOfInput()]) }
    : signals
}

/** The options of the server, and of every later reading of its configuration. */
async function optionsOf(
  args: ServeArguments,
  file: string | undefined,
  config: ServerConfig,
  logOf: (given: ServerConfig) => LogSink,
): Promise<ReferenceServerOptions> {
  const mutant = args.one('mutant')
  const base = mutant === undefined ? {} : await mutantOptions(mutant, logOf(config))
  const toOptions = (given: ServerConfig): ReferenceServerOptions => ({
    ...base,
    ...serverOptions(given, file),
    log: logOf(given),
  })
  if (file === undefined) return toOptions(config)
  return { ...toOptions(config), reload: async () => toOptions(await configuration(args, file, true)) }
}

async function serveUntilAsked(
  server: ReferenceServer,
  portFiles: PortFiles,
  signals: ServerSignals,
  { isReloadable, log }: { readonly isReloadable: boolean; readonly log: LogSink },
): Promise<void> {
  const written: Written = new Map()
  try {
    // Before anyone can know that it runs.
    onHangUp(isReloadable ? () => void server.reload().catch(() => undefined) : signals.ask, signals.ask)
    writePortFiles(portFiles, server, written)
    const control = server.controlUrl === undefined ? '' : `control ${server.controlUrl}\n`
    show(`${server.url}\n${control}`)
    await signals.asked
    log({ level: 'info', event: 'stopping' })
    await Promise.race([server.close(), signals.askedAgain.then(() => server.close(0))])
  } finally {
    await server.close(0)
    removePortFiles(written)
  }
}

/** @throws AssayError `usage` for a file that would stay empty, or hold another's content */
function refuseUnwritten(portFiles: PortFiles, { control, tls }: ServerConfig): void {
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

/** @throws AssayError `usage` for an output that is the configuration, its certificate or its key */
function refuseInputs(portFiles: PortFiles, { tls }: ServerConfig, file: string | undefined): void {
  const own = tls === undefined || tls === 'self-signed' ? [] : Object.values(certificateFiles(tls, file))
  refuseSharedFiles(
    Object.values(portFiles).filter((name) => name !== undefined),
    file === undefined ? own : [file, ...own],
  )
}

/** The mutant under the settings that it shows under; the configuration comes on top. Loaded on demand. */
async function mutantOptions(id: string, log: LogSink): Promise<ReferenceServerOptions> {
  const { findMutant } = await import('../../prove/jobs/selection.js')
  const { settingsOf } = await import('../../prove/jobs/setups.js')
  const { needs, description, violates, options, behaviour } = findMutant(id)
  const { policy, includesUserId, tokenLifetime } = settingsOf(needs)
  const declared = { includesUserId, tokenLifetime, policy }
  const message = `this server is wrong on purpose: ${description}`
  log({ level: 'warn', event: 'mutant', id, message, violates: [...violates], declared: { ...declared } })
  return { ...declared, ...options, behaviour: behaviour() }
}

/** @throws AssayError `usage` where the address cannot be listened at, or an option will not do */
async function listen(options: ReferenceServerOptions): Promise<ReferenceServer> {
  try {
    return await startReferenceServer(options)
  } catch (cause) {
    const isControl = (port: number | undefined): boolean =>
      port !== options.port && port === options.control?.port
    throw listenError(cause, 'the server', (port) => (isControl(port) ? '--control-port' : '--port'))
  }
}
