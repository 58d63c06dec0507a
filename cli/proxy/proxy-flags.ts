import { AssayError } from '../../spec/model/assay-error.js'
import { type Arguments, describeFlags, type Flags, integer } from '../shared/arguments.js'
import {
  MAX_DURATION_FLAG,
  outFlag,
  SELECTION_FLAGS,
  SERVICE_FLAGS,
  STRICT_FLAG,
} from '../shared/common-flags.js'
import { FORMATS, RENDER_FLAGS } from '../shared/outputs.js'

export const DEFAULT_PORT = 5080
export const FOLDER = 'token-assay-proxy-report'

/** When the exit code is 1, or 3. */
export type FailOn = 'broken' | 'inconclusive'

export const PROXY_FLAGS = {
  target: { value: 'URL', help: 'the base URL of the service, or a target file of `run`' },
  deployment: { value: 'NAME', help: 'the deployment of the target file, if it has several' },
  port: { value: 'N', help: `port to listen on; 0 takes a free one (default: ${DEFAULT_PORT})` },
  host: { value: 'HOST', help: 'address to listen on (default: 127.0.0.1)' },
  'port-file': { value: 'FILE', help: 'file for the port; written once it listens, removed at the end' },
  tls: {
    value: 'self-signed',
    values: ['self-signed'],
    help: 'serve https with a certificate made at the start',
    parse: readTls,
    option: 'tls',
  },
  'tls-cert': { value: 'FILE', help: 'serve https with this certificate, in PEM' },
  'tls-key': { value: 'FILE', help: 'its private key, in PEM' },
  'certificate-file': { value: 'FILE', help: 'file for the certificate that clients must trust' },
  'rewrite-host': { help: 'send the name of the target as Host; other bytes pass unchanged' },
  'allow-host': {
    value: 'NAME',
    many: true,
    help: 'on loopback, also pass requests with this name as Host; * is any',
    option: 'allowHosts',
    parse: readHost,
  },
  'allow-cross-site': {
    help: 'on loopback, also pass requests that pages of other sites send',
    option: 'allowCrossSite',
  },
  ...SERVICE_FLAGS,
  ...SELECTION_FLAGS,
  strict: STRICT_FLAG,
  'fail-on': {
    value: 'WHAT',
    values: ['broken', 'inconclusive'],
    help: 'broken: exit 0 for what was read and not judged (default: inconclusive)',
    option: 'failOn',
    parse: readFailOn,
  },
  'allow-unread': {
    value: 'N',
    help: 'exchanges and pieces that may be unread without exit 3 (default: 0)',
    option: 'allowUnread',
    parse: integer(0, 1_000_000),
  },
  'max-duration': MAX_DURATION_FLAG,
  record: {
    value: 'FILE',
    help: 'FILE.har: token requests without secrets; else the shape of each exchange',
  },
  out: outFlag(FOLDER),
  ...RENDER_FLAGS,
} as const satisfies Flags

export type ProxyArguments = Arguments<typeof PROXY_FLAGS>

export const PROXY_USAGE = `Usage: token-assay proxy --target URL [flags]

Judges real traffic. It listens in place of a service and passes every byte on unchanged;
it judges what the client sends and what the service answers as it passes. Its base URL
is the first line on standard output: give it to the client in place of the service's.
SIGINT and SIGTERM stop it; then it writes the report to DIR/report.json, and DIR/index.html
shows it as a page. What no request exercised is not judged, and the report says so.
Every byte that passes is in a judged exchange, passed by as no token request, or unread:
bytes that are no readable HTTP/1.1, and token requests or answers that are cut short.

Requests for another host (CONNECT, or a whole URL in the first line) are refused; on
loopback so are those with a foreign Host, and those that pages of other sites send.

${describeFlags(PROXY_FLAGS)}

${FORMATS}

Exit codes: 0 conformant in what passed · 1 a rule is broken
            2 misuse, nothing was passed on
            3 inconclusive, something was unread, or nothing was judged · 70 a bug in token-assay
`

function readTls(text: string): 'self-signed' {
  if (text === 'self-signed') return text
  throw new AssayError(
    'usage',
    `--tls takes self-signed, not \`${text}\`; --tls-cert FILE takes a certificate`,
  )
}

function readHost(text: string): string {
  if (/^(?:\*|[\w.-]+(?::\d+)?|\[[\da-f:]+\])$/i.test(text)) return text
  throw new AssayError('usage', `--allow-host takes a name such as app.test, or *, not \`${text}\``)
}

function readFailOn(text: string): FailOn {
  if (text === 'broken' || text === 'inconclusive') return text
  throw new AssayError('usage', `--fail-on takes broken or inconclusive, not \`${text}\``)
}
