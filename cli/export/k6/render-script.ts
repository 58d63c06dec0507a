import type { ChosenCases } from './choose-cases.js'
import { expressionOf, literal, type ScriptText } from './script-text.js'

export type ScriptTexts = readonly (readonly [name: string, value: ScriptText])[]

/** What a script is made for: one deployment, its secrets as variables. */
export interface ScriptTarget {
  readonly deployment: string
  readonly baseUrl: ScriptText
  readonly accounts: readonly {
    readonly userName: ScriptText
    readonly password: ScriptText
    readonly userId?: ScriptText
  }[]
  readonly headers: ScriptTexts
  readonly tokenRequest?: {
    readonly path?: ScriptText
    readonly headers: ScriptTexts
    readonly form: ScriptTexts
  }
  /** Seconds. */
  readonly tokenLifetime: number
  /** Seconds. */
  readonly clockSkew: number
  readonly timeoutMs: number
  readonly maxRequestsPerSecond?: number
  readonly tls?: {
    readonly hasAuthority: boolean
    readonly hasCertificate: boolean
    readonly rejectUnauthorized: boolean
  }
}

export const CERTIFICATE = 'TOKEN_ASSAY_TLS_CERT'
export const KEY = 'TOKEN_ASSAY_TLS_KEY'

/**
 * A k6 script that sends the cases and checks the answers. Pure.
 * @param sample every so many-th answer of a case is judged, the others by their status alone
 * @param runtime the code that the script runs, with the judge of `run`: see `scripts/bundle-k6.ts`
 */
export function renderScript(
  target: ScriptTarget,
  chosen: ChosenCases,
  version: string,
  runtime: string,
  sample = 1,
): string {
  const { tokenLifetime, clockSkew, timeoutMs } = target
  const variables = target.tls?.hasCertificate ? [CERTIFICATE, KEY] : []
  return `${head(target, chosen, version)}
import { check, sleep } from 'k6'
import http from 'k6/http'

export const options = ${options(target, chosen)}

const read = () => ({
  // The service. TOKEN_ASSAY_BASE_URL takes the place of the declared one.
  baseUrl: (__ENV.TOKEN_ASSAY_BASE_URL || ${expressionOf(target.baseUrl)}).replace(/\\/$/, ''),
  accounts: [
${target.accounts.map(account).join('\n')}
  ],
  headers: ${textsOf(target.headers)},
  target: {
    ...${literal({ tokenLifetime, clockSkew, timeoutMs })},${tokenRequest(target)}
  },
  // What is sent, and what each rule expects of the answer: \`token-assay list cases\`, \`token-assay list rules\`.
  cases: [
${chosen.cases.map((one) => `    ${literal(one)},`).join('\n')}
  ],
  // Every answer that yields a token is judged by this.
  grant: ${literal(chosen.grant)},
  inputs: ${literal(chosen.inputs, 2)},
  // Every so many-th answer of a case is judged, the others by their status alone.
  sample: ${sample},
})

// A variable that is not set stops the test before its first request. \`k6 inspect\` and \`k6 archive\` need none.
export function setup() {
  read()${variables.map((name) => `\n  variable(${literal(name)})`).join('')}
}

let script
export default function () {
  script = script || read()
  tokenAssay.iterate({ check, sleep, http }, script, __VU, __ITER)
}

function variable(name) {
  if (__ENV[name] === undefined || __ENV[name] === '')
    throw new Error('expected the environment variable ' + name + ' to be set (or given with -e)')
  return __ENV[name]
}

// The code of token-assay ${version} itself: it sends the cases, and judges each answer as \`token-assay run\` does.
${runtime}`
}

function head(target: ScriptTarget, { cases, left }: ChosenCases, version: string): string {
  const needs = variablesOf(target).map((name) => `${name}='...' `)
  const { tls } = target
  return [
    `Made by token-assay ${version} (\`token-assay export k6\`): ${cases.length} cases, for the deployment \`${target.deployment}\`.`,
    '',
    `  ${needs.join('')}k6 run SCRIPT`,
    '  ... k6 run --vus 50 --duration 5m SCRIPT    more load',
    '',
    'No password is in this file. A check is called by its case and its rule; "answered" fails where no answer came,',
    'and of 429 and of 503 with Retry-After.',
    ...(tls?.hasAuthority ? ['', 'The authority to trust: SSL_CERT_FILE=ca.pem k6 run ...'] : []),
    ...(left.size === 0 ? [] : ['', 'Not in here, and left to `token-assay run`:']),
    ...[...left].flatMap(([why, ids]) => [`- ${literal(why).slice(1, -1)}:`, ...wrapped(ids)]),
  ]
    .map((line) => `// ${line}`.trimEnd())
    .join('\n')
}

/** The environment variables that the script reads. */
export function variablesOf({
  baseUrl,
  accounts,
  headers,
  tokenRequest: added,
  tls,
}: ScriptTarget): readonly string[] {
  const texts = [
    baseUrl,
    added?.path ?? [],
    ...accounts.flatMap(({ userName, password, userId = [] }) => [userName, password, userId]),
    ...[headers, added?.headers ?? [], added?.form ?? []].flat().map(([, value]) => value),
  ]
  const named = texts.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.variable]))
  return [...new Set([...named, ...(tls?.hasCertificate ? [CERTIFICATE, KEY] : [])])]
}

function options({ maxRequestsPerSecond, tls }: ScriptTarget, { inputs }: ChosenCases): string {
  // Enough for one virtual user to send every input.
  const iterations = Math.max(1, ...Object.values(inputs).map(({ length }) => length))
  return [
    '{',
    '  vus: 1,',
    `  iterations: ${iterations},`,
    // Without an iteration there is no check that could fail.
    "  thresholds: { checks: ['rate==1'], iterations: ['count>0'] },",
    ...(maxRequestsPerSecond === undefined ? [] : [`  rps: ${maxRequestsPerSecond},`]),
    ...(tls?.rejectUnauthorized === false ? ['  insecureSkipTLSVerify: true,'] : []),
    ...(tls?.hasCertificate
      ? [
          `  tlsAuth: __ENV.${CERTIFICATE} && __ENV.${KEY} ? [{ cert: open(__ENV.${CERTIFICATE}), key: open(__ENV.${KEY}) }] : [],`,
        ]
      : []),
    '}',
  ].join('\n')
}

/** What is added to every token request. */
function tokenRequest({ tokenRequest: added }: ScriptTarget): string {
  if (added === undefined) return ''
  const { path, headers, form } = added
  const ownPath = path === undefined ? '' : ` path: ${expressionOf(path)},`
  return `\n    tokenRequest: {${ownPath} headers: ${textsOf(headers)}, form: ${textsOf(form)} },`
}

function textsOf(texts: ScriptTexts): string {
  return `{${texts.map(([name, value]) => ` ${literal(name)}: ${expressionOf(value)},`).join('')} }`
}

function account({ userName, password, userId }: ScriptTarget['accounts'][number]): string {
  const id = userId === undefined ? '' : `, userId: ${expressionOf(userId)}`
  return `    { userName: ${expressionOf(userName)}, password: ${expressionOf(password)}${id} },`
}

const WIDTH = 110

function wrapped(ids: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const id of ids) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + id.length + 2 < WIDTH) lines[lines.length - 1] = `${last}, ${id}`
    else lines.push(`    ${id}`)
  }
  return lines
}
