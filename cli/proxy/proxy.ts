import {
  type ProxyOptions,
  refuseLoop,
  startProxy,
  type TrafficProxy,
} from '../../conformance/assess/traffic/proxy.js'
import { UNREAD } from '../../conformance/assess/traffic/traffic-account.js'
import { isLoopback } from '../../conformance/drivers/relay/request-guard.js'
import { obtainCertificate, type TlsOptions } from '../../reference/tls/certificate.js'
import { PEM_LIMIT, readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import { verdictOf } from '../../spec/model/verdict.js'
import { preparePortFiles, removePortFiles, type Written, writePortFiles } from '../serve/port-files.js'
import { integerOf, readArguments } from '../shared/arguments.js'
import { type Command, EXIT } from '../shared/command.js'
import { assertWritable } from '../shared/files.js'
import { listenError } from '../shared/listen-error.js'
import { type Output, writesConsole } from '../shared/outputs.js'
import { print, show } from '../shared/print.js'
import { reportingRefusal } from '../shared/refusal.js'
import { clearReportOutput, finishReport, type ReportOutput, reportOutput } from '../shared/report-output.js'
import { serviceWarnings } from '../shared/service-arguments.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { tellWatchdog, watchDeadline } from '../shared/watchdog/command-thread.js'
import { openHarFile } from './har-file.js'
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

export const command: Command = { flags: PROXY_FLAGS, usage: PROXY_USAGE, execute }

async function execute(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, PROXY_FLAGS)
  if (args.positionals.length > 0)
    throw new AssayError('usage', 'proxy takes flags only: --target URL, --port N')
  const own = (['record', 'port-file', 'certificate-file'] as const).flatMap((name) => args.one(name) ?? [])
  const read = (['target', 'tls-cert', 'tls-key'] as const).flatMap((name) => args.one(name) ?? [])
  const isNarrowed = args.on('only') || args.on('skip')
  const output = reportOutput(args, args.one('out') ?? FOLDER, { isNarrowed, others: own, read })
  return reportingRefusal(output, args, () => unlessRefused(args, output, own))
}

async function unlessRefused(
  args: ProxyArguments,
  output: ReportOutput,
  own: readonly string[],
): Promise<number> {
  const declared = await proxyTarget(args)
  const portFiles = { 'port-file': args.one('port-file'), 'certificate-file': args.one('certificate-file') }
  const options = { ...args.options, ...listening(args), declared }
  const tls = tlsOf(args)
  if (portFiles['certificate-file'] !== undefined && tls === undefined)
    throw new AssayError('usage', '--certificate-file needs a certificate: --tls self-signed')
  const { host = '127.0.0.1', port } = options
  refuseLoop(declared, host, port)
  // It tries no password: whether one is good for a test does not matter.
  for (const warning of serviceWarnings([{ ...declared, accounts: [] }])) print(`warning: ${warning}`)
  assertWritable(own)
  clearReportOutput(output)
  preparePortFiles(portFiles)
  const record = args.one('record')
  const isHar = record !== undefined && /\.har$/i.test(record)
  using har = isHar ? openHarFile(record) : undefined
  using shapes = record === undefined || isHar ? undefined : openShapeFile(record, declared)
  using stop = onStopSignals(() => print('stopping, then writing the report'))
  const certificate = tls === undefined ? undefined : await obtainCertificate(tls, host)
  const proxy = await startProxy({
    ...options,
    ...(certificate === undefined ? {} : { certificate }),
    ...(shapes === undefined ? {} : { onExchange: shapes.add }),
    ...(har === undefined ? {} : { onTokenRequest: har.add }),
    onTrouble: print,
  }).catch((error: unknown) => {
    throw listenError(error, 'the proxy')
  })
  const written: Written = new Map()
  try {
    const pem = certificate === undefined ? {} : { certificate: certificate.cert }
    writePortFiles(portFiles, { port: proxy.port, ...pem }, written)
    announce(proxy.url, output.outputs)
    using _deadline = watchDeadline(args.options.maxDurationMs)
    using _known = keepKnown(proxy, output.partialFile, args.on('strict'))
    await stop.asked(args.options.maxDurationMs)
    await proxy.close()
    const { strict } = args.options
    const exitCodeOf = (report: Report): number => proxyExitCode(report, args.options)
    const ends = [har, shapes].flatMap((recording) => recording?.end ?? [])
    return (await finishReport(await proxy.report(), output, args, { strict, ends, exitCodeOf })).exitCode
  } finally {
    await proxy.close(0)
    removePortFiles(written)
  }
}

const KNOWN_EVERY_MS = 5000

/** Has the watchdog know what went by until a short while ago. */
function keepKnown(proxy: TrafficProxy, file: string, strict: boolean): Disposable {
  const tell = async (): Promise<void> => {
    const report = await proxy.report()
    const results = report.results.map((result) =>
      result.outcome === 'untested' ? { ...result, reason: 'stopped' } : result,
    )
    tellWatchdog({
      kind: 'known',
      known: { file, parts: { ...report, start: report, results }, gate: { strict } },
    })
  }
  // What judging threw is reported at the end.
  const tellIfSound = (): void => void tell().catch(() => undefined)
  tellIfSound()
  const timer = setInterval(tellIfSound, KNOWN_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Prints the base URL, on standard output unless a format has that for itself. */
function announce(url: string, outputs: readonly Output[]): void {
  const isTaken = !writesConsole(outputs) && outputs.some(({ file }) => file === undefined)
  show(`${url}\n`, isTaken ? 'stderr' : 'stdout')
}

/** The certificate that the proxy serves https with. @throws AssayError `usage` */
function tlsOf(args: ProxyArguments): TlsOptions | undefined {
  const [certFile, keyFile] = [args.one('tls-cert'), args.one('tls-key')]
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new AssayError('usage', '--tls-cert and --tls-key go together: a certificate and its own key')
  if (certFile !== undefined && args.on('tls'))
    throw new AssayError('usage', '--tls makes a certificate, --tls-cert takes one: give only one of them')
  if (certFile === undefined || keyFile === undefined) return args.options.tls
  const read = (file: string): string => readTextFile(file, 'a PEM file', PEM_LIMIT)
  return { cert: read(certFile), key: read(keyFile) }
}

/** How the proxy is reached. @throws AssayError `usage` */
function listening(
  args: ProxyArguments,
): Pick<ProxyOptions, 'host' | 'rewriteHost'> & { readonly port: number } {
  const host = args.one('host')
  if (host !== undefined && !isLoopback(host))
    print(`warning: --host ${host}: other machines can reach the service through this proxy`)
  return {
    port: integerOf('port', args.one('port'), 0, 65_535) ?? DEFAULT_PORT,
    rewriteHost: args.on('rewrite-host'),
    ...(host === undefined ? {} : { host }),
  }
}

/** The verdict's, but that the user may let pass what cannot be judged; where nothing was judged or read, nothing is green. */
function proxyExitCode(
  report: Report,
  { strict = false, failOn = 'inconclusive' }: { readonly strict?: boolean; readonly failOn?: FailOn },
): number {
  const { exitCode } = verdictOf(report.results, report.rules, { strict })
  const isJudged = report.results.some(({ judgements }) =>
    judgements.some(({ outcome }) => outcome === 'passed'),
  )
  const mayPass = isJudged && !report.results.some((result) => result.case === UNREAD)
  return exitCode === EXIT.inconclusive && failOn === 'broken' && mayPass ? EXIT.conformant : exitCode
}
