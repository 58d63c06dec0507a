import type { Flags } from './arguments.js'
import { describeFlags } from './arguments.js'
import { CASES_FLAG } from './extra-cases.js'
import { FORMATS, RENDER_FLAGS } from './render-flags.js'

export const RUN_FLAGS = {
  target: { value: 'FILE', help: 'target file (default: token-assay.yaml, when there)' },
  'user-name': { value: 'NAME', help: 'the account; its password comes from TOKEN_ASSAY_PASSWORD' },
  'password-stdin': { help: 'read the password from the first line of standard input' },
  'token-lifetime': { value: 'S', help: 'seconds that a token lives (default: 1209600, 14 days)' },
  'includes-user-id': { help: 'the service is configured to add userId' },
  deployment: { value: 'NAME', many: true, help: 'only this deployment of the target' },
  only: {
    value: 'GLOB',
    many: true,
    help: 'only what matches: a case, rule or result id; * is any characters',
  },
  skip: { value: 'GLOB', many: true, help: 'not what matches; wins over --only' },
  cases: CASES_FLAG,
  strict: { help: 'what is recommended gates too, and the token response has no other members' },
  seed: { value: 'N', help: 'repeat a run with its seed' },
  runs: { value: 'N', help: 'inputs for each property-based case (default: 100)' },
  exhaustive: { help: 'the embedded server in all 256 combinations of policy settings' },
  replay: { value: 'ID', help: "repeat one input of one case: 'DEPLOYMENT/CASE@SEED:PATH'" },
  concurrency: { value: 'N', help: 'requests in flight (default: 8)' },
  'max-duration': { value: 'S', help: 'stop after so many seconds' },
  shard: { value: 'I/N', help: 'only the I-th of N parts, by deployment; `merge` joins their reports' },
  baseline: { value: 'FILE', help: 'known failures, which do not gate until a date' },
  'update-baseline': { help: 'write what fails into the baseline' },
  bail: { help: 'stop at the first failure' },
  'keep-exchanges': {
    value: 'WHICH',
    help: 'show what was sent of all results, failed ones, or none (default: all)',
  },
  out: { value: 'DIR', help: 'where report.json and index.html are written (default: token-assay-report)' },
  ...RENDER_FLAGS,
} as const satisfies Flags

export const RUN_USAGE = `Usage: token-assay run [base-url] [flags]

Runs the suite against a base URL or the target file's. With neither, against the
embedded reference server. Everything is written to DIR/report.json as well,
and DIR/index.html shows it.

${describeFlags(RUN_FLAGS)}

${FORMATS}

Exit codes: 0 conformant · 1 a rule is broken, or a baseline's entry is stale
            2 misuse, nothing was sent
            3 inconclusive · 70 a bug of token-assay · 130, 143 interrupted

A target file runs commands and reads the environment: do not take one from an
untrusted change.
`
