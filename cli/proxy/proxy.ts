import { join } from 'node:path'
import {
  type ProxyOptions,
  refuseLoop,
  startProxy,
  type TrafficProxy,
} from '../../conformance/assess/traffic/proxy.js'
import { type Certificate, obtainCertificate, type TlsOptions } from '../../reference/tls/certificate.js'
import { renderJsonPieces } from '../../reports/formats/json.js'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import { verdictOf } from '../../spec/model/verdict.js'
import { preparePortFiles, removePortFiles, type Written, writePortFiles } from '../serve/port-files.js'
import { integerOf, readArguments } from '../shared/arguments.js'
import { type Command, EXIT, withoutOutput } from '../shared/command.js'
import { assertWritable, refuseSharedFiles, writeAtomic } from '../shared/files.js'
import {
  type Output,
  readOutputs,
  whereLine,
  writeEach,
  writeOutputs,
  writesConsole,
} from '../shared/outputs.js'
import { onStopSignals } from '../shared/stop-signals.js'
import {
  DEFAULT_PORT,
  type FailOn,
  FOLDER,
  PROXY_FLAGS,
  PROXY_USAGE,
  type ProxyArguments,
} from './proxy-flags.js'
import { proxyTarget } from './proxy-target.js'
import { openShapeFile } from './shape-file.js'

export const proxyCommand: Command = { usage: PROXY_USAGE, execute }

async function execute(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, PROXY_FLAGS)
  if (args.positionals.length > 0)
    throw new AssayError('usage', 'proxy takes flags only: --target URL, --port N')
  const outputs = readOutputs(args.all('reporter'))
  const files = filesOf(args, outputs)
  const { declared, warnings } = await proxyTarget(args)
  const portFiles = { 'port-file': args.one('port-file'), 'certificate-file': args.one('certificate-file') }
  const options = { ...args.options, ...listening(args), declared }
  const tls = tlsOf(args)
  if (portFiles['certificate-file'] !== undefined && tls === undefined)
    throw new AssayError('usage', '--certificate-file needs a certificate: --tls self-signed')
  const { host = '127.0.0.1', port } = options
  refuseLoop(declared, host, port)
  for (const warning of warnings) say(`warning: ${warning}`)
  assertWritable(files.all)
  preparePortFiles(portFiles)
  const record = args.one('record')
  using shapes = record === undefined ? undefined : openShapeFile(record, declared)
  using stop = onStopSignals(() => say('stopping, then writing the report'))
  const certificate = tls === undefined ? undefined : await obtainCertificate(tls, host)
  const proxy = await listen({
    ...options,
    ...(certificate === undefined ? {} : { certificate }),
    onTrouble: say,
    ...(shapes === undefined ? {} : { onExchange: shapes.add }),
  })
  const written: Written = new Map()
  try {
    writePortFiles(portFiles, listeningAs(proxy, certificate), written)
    // A format that has standard output is alone there.
    const isAlone = !writesConsole(outputs) && outputs.some(({ file }) => file === undefined)
    const stream = isAlone ? process.stderr : process.stdout
    stream.write(`${proxy.url}\n`)
    await stopped(stop.signal, args.options.maxDurationMs)
    await proxy.close()
    const report = await proxy.report()
    const kept = await writeEach([() => writeAtomic(files.report, renderJsonPieces(report))])
    const shown = await writeOutputs([files.page, ...outputs], report, args)
    if (writesConsole(outputs) && !args.on('quiet')) process.stdout.write(whereLine(files.page.file))
    const exitCode = exitCodeOf(report, args.options)
    return kept && shown ? exitCode : withoutOutput(exitCode)
  } finally {
    await proxy.close(0)
    removePortFiles(written)
  }
}

function filesOf(args: ProxyArguments, outputs: readonly Output[]) {
  const folder = args.one('out') ?? FOLDER
  const report = join(folder, 'report.json')
  const page: Output & { readonly file: string } = { reporter: 'html', file: join(folder, 'index.html') }
  const others = ['record', 'port-file', 'certificate-file'] as const
  const all = [
    report,
    ...[page, ...outputs].flatMap(({ file }) => file ?? []),
    ...others.flatMap((name) => args.one(name) ?? []),
  ]
  refuseSharedFiles(all)
  return { report, page, all }
}

function listeningAs({ port }: TrafficProxy, certificate: Certificate | undefined) {
  return { port, ...(certificate === undefined ? {} : { certificate: certificate.cert }) }
}

/** What the proxy itself serves https by. @throws AssayError `usage` */
function tlsOf(args: ProxyArguments): TlsOptions | undefined {
  const [certFile, keyFile] = [args.one('tls-cert'), args.one('tls-key')]
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new AssayError('usage', '--tls-cert and --tls-key go together: a certificate and its own key')
  if (certFile !== undefined && args.on('tls'))
    throw new AssayError('usage', '--tls makes a certificate, --tls-cert takes one: give one of them')
  return certFile === undefined || keyFile === undefined ? args.options.tls : { certFile, keyFile }
}

/** How the proxy is reached. @throws AssayError `usage` */
function listening(
  args: ProxyArguments,
): Pick<ProxyOptions, 'host' | 'rewriteHost'> & { readonly port: number } {
  const host = args.one('host')
  if (host !== undefined && !/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host))
    say(`warning: --host ${host}: other machines can reach the service through this proxy`)
  return {
    port: integerOf('port', args.one('port'), 0, 65_535) ?? DEFAULT_PORT,
    rewriteHost: args.on('rewrite-host'),
    ...(host === undefined ? {} : { host }),
  }
}

/** @throws AssayError `usage` where the address cannot be listened at */
async function listen(options: ProxyOptions): Promise<TrafficProxy> {
  try {
    return await startProxy(options)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (cause instanceof AssayError || code === undefined) throw cause
    const why =
      code === 'EADDRINUSE'
        ? `port ${options.port} is in use: --port 0 takes a free one`
        : `the proxy cannot listen: ${message}`
    throw new AssayError('usage', why, { cause })
  }
}

function stopped(signal: AbortSignal, maxDurationMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = maxDurationMs === undefined ? undefined : setTimeout(resolve, maxDurationMs)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** The verdict's, but that the user may let pass what cannot be judged; where nothing was judged, nothing is green. */
function exitCodeOf(
  report: Report,
  { strict = false, failOn = 'inconclusive' }: { readonly strict?: boolean; readonly failOn?: FailOn },
): number {
  const { exitCode } = verdictOf(report.results, report.rules, { strict })
  const isJudged = report.results.some(({ judgements }) =>
    judgements.some(({ outcome }) => outcome === 'passed'),
  )
  return exitCode === EXIT.inconclusive && failOn === 'broken' && isJudged ? EXIT.conformant : exitCode
}

function say(message: string): void {
  process.stderr.write(`token-assay: ${escapeForTerminal(message)}\n`)
}
