import type { ChosenCases } from '../../conformance/assess/k6/choose-cases.js'
import {
  CERTIFICATE,
  environmentVariablesOf,
  KEY,
  leftLines,
  renderRead,
  type ScriptTarget,
  turnsOf,
} from './render-script.js'

/**
 * A k6 script that sends the cases and checks the answers. Pure.
 * @param runtime the code that the script runs, with the judge of `run`: see `tools/bundle-judge.ts`
 */
export function renderK6(
  target: ScriptTarget,
  chosen: ChosenCases,
  version: string,
  runtime: string,
  sample = 1,
): string {
  const ask = target.tls?.hasCertificate
    ? ['read()', `variable('${CERTIFICATE}')`, `variable('${KEY}')`]
    : ['read()']
  return `${head(target, chosen, version)}
import { check, sleep } from 'k6'
import http from 'k6/http'

export const options = ${options(target, chosen)}

${renderRead(target, chosen, sample)}
// A variable that is not set stops the test before its first request. \`k6 inspect\` and \`k6 archive\` need none.
export function setup() {
  ${ask.join('\n  ')}
}

const warn = (text) => console.warn(text)
let script
export default function () {
  script = script || read()
  tokenAssay.iterate({ check, sleep, warn, http }, script, __VU, __ITER)
}

// The code of token-assay ${version} itself: it sends the cases, and judges each answer as \`token-assay run\` does.
${runtime}`
}

function head(target: ScriptTarget, chosen: ChosenCases, version: string): string {
  const needs = environmentVariablesOf(target).map((name) => `${name}='...' `)
  return [
    `Made by token-assay ${version} (\`token-assay export k6\`): ${chosen.cases.length} cases, for the deployment \`${target.deployment}\`.`,
    '',
    `  ${needs.join('')}k6 run SCRIPT`,
    '  ... k6 run --vus 50 --duration 5m SCRIPT    more load',
    '',
    'This file holds no password. Each check has the name of its case and its rule. "answered" fails where no answer came,',
    'and for 429, and 503 with Retry-After.',
    ...(target.tls?.hasAuthority ? ['', 'The authority to trust: SSL_CERT_FILE=ca.pem k6 run ...'] : []),
    ...leftLines(chosen),
  ]
    .map((line) => `// ${line}`.trimEnd())
    .join('\n')
}

function options({ maxRequestsPerSecond, tls }: ScriptTarget, chosen: ChosenCases): string {
  return [
    '{',
    '  vus: 1,',
    `  iterations: ${turnsOf(chosen)},`,
    // On a connection that waits, k6 logs what the service sends there, which may hold a password.
    '  noConnectionReuse: true,',
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
