import { stringify } from 'yaml'
import type { ChosenCases } from './choose-cases.js'
import {
  CERTIFICATE,
  KEY,
  leftLines,
  renderRead,
  type ScriptTarget,
  turnsOf,
  variablesOf,
} from './render-script.js'

/** The two files of an Artillery test. */
export interface ArtilleryTest {
  readonly script: string
  readonly processor: string
}

/**
 * An Artillery test that sends the cases and checks the answers. Pure.
 * @param processorFile as the script names it, relative to itself
 * @param runtime the code that the processor runs, with the judge of `run`: see `tools/bundle-judge.ts`
 */
export function renderArtillery(
  target: ScriptTarget,
  chosen: ChosenCases,
  version: string,
  processorFile: string,
  runtime: string,
  sample = 1,
): ArtilleryTest {
  const { timeoutMs, tls } = target
  const config = {
    // Each request has an address of its own, from the processor.
    target: 'http://127.0.0.1',
    processor: `./${processorFile}`,
    http: { timeout: Math.ceil(timeoutMs / 1000) },
    ...(tls?.rejectUnauthorized === false ? { tls: { rejectUnauthorized: false } } : {}),
    // One virtual user that sends every input; `-e load` for more.
    variables: { turns: turnsOf(chosen) },
    phases: [{ duration: 1, arrivalCount: 1 }],
    environments: { load: { variables: { turns: 1 }, phases: [{ duration: 300, arrivalRate: 2 }] } },
    // Without a check there is none that could fail.
    plugins: { ensure: {} },
    ensure: {
      conditions: [
        { expression: 'token_assay.failed == 0' },
        { expression: 'token_assay.passed > 0' },
        { expression: 'vusers.failed == 0' },
      ],
    },
  }
  const request = {
    url: '/Token',
    beforeRequest: 'prepare',
    afterResponse: 'judge',
    followRedirect: false,
    gzip: false,
    allowGetBody: true,
  }
  const turn = [{ function: 'begin' }, { loop: [{ post: request }], whileTrue: 'more' }]
  const scenarios = [{ name: 'token-assay', onError: 'lost', flow: [{ loop: turn, count: '{{ turns }}' }] }]
  return {
    script: `${head(target, chosen, version)}\n${stringify({ config, scenarios }, { lineWidth: 0 })}`,
    processor: `// Made by token-assay ${version}: the processor of an Artillery test.
'use strict'

${renderRead(target, chosen, sample, 'process.env')}
// The code of token-assay ${version} itself: it sends the cases, and judges each answer as \`token-assay run\` does.
${runtime}
module.exports = tokenAssay.processorOf(read, {
  concat: (chunks) => new Uint8Array(Buffer.concat(chunks)),
  bytes: (text) => Buffer.from(text),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})
`,
  }
}

function head(target: ScriptTarget, chosen: ChosenCases, version: string): string {
  const needs = variablesOf(target)
    .filter((name) => name !== CERTIFICATE && name !== KEY)
    .map((name) => `${name}='...' `)
  return [
    `Made by token-assay ${version} (\`token-assay export artillery\`): ${chosen.cases.length} cases, for the deployment \`${target.deployment}\`.`,
    '',
    `  ${needs.join('')}artillery run SCRIPT`,
    '  ... artillery run -e load SCRIPT    more load: see `environments`',
    '',
    'No password is in these files. The counters token_assay.passed and token_assay.failed count the checks, and',
    '"failed_check.CASE RULE" those that failed. Exit 1 where one failed, or a virtual user got no answer.',
    ...(target.tls?.hasAuthority
      ? ['', 'The authority to trust: NODE_EXTRA_CA_CERTS=ca.pem artillery run ...']
      : []),
    ...leftLines(chosen),
  ]
    .map((line) => `# ${line}`.trimEnd())
    .join('\n')
}
