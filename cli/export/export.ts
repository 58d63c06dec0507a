import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { refuseUnmatched } from '../../conformance/assess/assess-target.js'
import { planRun } from '../../conformance/plan/plan.js'
import { readBaseUrl } from '../../conformance/target/check-target.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { SUITE } from '../../reports/model/compose-report.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { PASSWORD } from '../run/run-target.js'
import { type Arguments, describeFlags, type Flags, integerOf, readArguments } from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import { CASES_FLAG, specificationWith } from '../shared/common-flags.js'
import { assertWritable, writeAtomic } from '../shared/files.js'
import { findTargetFile, IMPLICIT_FILES, noTarget } from '../shared/target-files.js'
import { renderArtillery } from './artillery.js'
import { type ChosenCases, chooseCases } from './choose-cases.js'
import { renderK6 } from './k6.js'
import { describeDeployment, readScriptSource, type ScriptSource } from './script-target.js'

const TOOLS = ['k6', 'artillery'] as const

const FLAGS = {
  target: { value: 'FILE', help: `target file (default: ${IMPLICIT_FILES.join(', ')})` },
  'user-name': { value: 'NAME', help: `the account, for a base URL; its password is ${PASSWORD}` },
  deployment: { value: 'NAME', help: 'the deployment, where the target has several' },
  only: { value: 'GLOB', many: true, help: 'only cases or rules (then alone) whose id matches; repeatable' },
  skip: {
    value: 'GLOB',
    many: true,
    help: 'not the cases or rules (then alone) whose id matches; wins over --only',
  },
  cases: CASES_FLAG,
  sample: { value: 'N', help: 'judge every N-th answer of a case, the others by their status (default: 1)' },
  out: { value: 'FILE', help: 'the file to write (k6: default standard output)' },
} as const satisfies Flags

export const exportCommand: Command = {
  usage: `Usage: token-assay export k6|artillery [base-url] [flags]

Writes a script for a load tool, k6 or Artillery: it sends the token cases from as many
machines as you like, and holds the code that judges the answers in \`token-assay run\`. Its
first lines say which cases and checks are left to \`run\`: those that register accounts, log
in wrongly, or compare all answers of a run. Passwords and other secrets are environment
variables in it, read when it runs; nothing is sent now. For Artillery there are two files,
FILE.yml and FILE.processor.cjs beside it.

${describeFlags(FLAGS)}
`,
  execute: exportScript,
}

async function exportScript(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [tool, baseUrl] = args.positionals
  const format = TOOLS.find((known) => known === tool)
  if (format === undefined)
    throw new AssayError('usage', 'export takes the tool to write for: token-assay export k6, or artillery')
  // An extra argument is not repeated: it may be a password.
  if (args.positionals.length > 2)
    throw new AssayError(
      'usage',
      `export ${format} takes one base URL, found ${args.positionals.length - 1} arguments`,
    )
  const sample = integerOf('sample', args.one('sample'), 1, 1_000_000)
  const specification = await specificationWith(args.one('cases'))
  const { target, describe } = sourceOf(baseUrl, args, format)
  const name = args.one('deployment')
  const deployment =
    name === undefined ? target.deployments[0] : target.deployments.find((one) => one.name === name)
  const selection = {
    only: args.all('only'),
    skip: args.all('skip'),
    ...(name === undefined ? {} : { deployments: [name] }),
  }
  const plan = planRun(specification, target, selection, false)
  refuseUnmatched(plan, target, specification, name === undefined ? {} : { deployments: [name] })
  if (deployment === undefined || (name === undefined && target.deployments.length > 1)) {
    const names = target.deployments.map((one) => one.name).slice(0, 20)
    throw new AssayError(
      'usage',
      `a script is for one deployment: --deployment NAME, one of ${names.join(', ')}`,
    )
  }
  const chosen = chooseCases(
    plan.items.filter((item) => item.deployment === deployment),
    deployment,
    selection,
  )
  if (chosen.cases.length === 0)
    throw new AssayError(
      'nothing-matches',
      `no case is left for a script: ${[...chosen.left.keys()].join('; ')}`,
    )
  const file = args.one('out')
  // Each file by its whole name, so that a bundle of the command can have it in itself.
  const runtime =
    format === 'k6'
      ? readFileSync(new URL('./generated/k6-runtime.js', import.meta.url), 'utf8')
      : readFileSync(new URL('./generated/artillery-runtime.js', import.meta.url), 'utf8')
  const described = describe(deployment)
  if (format === 'k6') {
    const script = renderK6(described, chosen, SUITE.version, runtime, sample)
    if (file === undefined) process.stdout.write(script)
    else write(new Map([[file, script]]), chosen)
    return 0
  }
  if (file === undefined)
    throw new AssayError(
      'usage',
      'export artillery writes two files: --out FILE.yml, and its processor beside it',
    )
  if (described.tls?.hasCertificate === true)
    throw new AssayError('usage', 'export artillery cannot bring a client certificate: use export k6')
  const processorFile = `${basename(file, extname(file))}.processor.cjs`
  const test = renderArtillery(described, chosen, SUITE.version, processorFile, runtime, sample)
  write(
    new Map([
      [file, test.script],
      [join(dirname(file), processorFile), test.processor],
    ]),
    chosen,
  )
  return 0
}

function write(texts: ReadonlyMap<string, string>, { cases, left }: ChosenCases): void {
  const files = [...texts.keys()]
  assertWritable(files)
  for (const [file, text] of texts) writeAtomic(file, text)
  const count = [...left.values()].flat().length
  say(
    `Written: ${files.join(' and ')}, with ${cases.length} cases; its first lines say why ${count} are left to \`token-assay run\`.`,
  )
}

function sourceOf(
  baseUrl: string | undefined,
  args: Arguments<typeof FLAGS>,
  format: (typeof TOOLS)[number],
): ScriptSource {
  const userName = args.one('user-name')
  if (baseUrl === undefined) {
    if (userName !== undefined)
      throw new AssayError(
        'usage',
        '--user-name goes with a base URL: a target file declares its own accounts',
      )
    const file = args.one('target') ?? findTargetFile()
    if (file !== undefined) return readScriptSource(file, process.env)
    throw noTarget('give a base URL with --user-name NAME, or --target FILE')
  }
  if (args.on('target'))
    throw new AssayError(
      'usage',
      `export ${format} takes a base URL or --target: the script reads TOKEN_ASSAY_BASE_URL`,
    )
  const read = readBaseUrl(baseUrl)
  // The text is not repeated: it may hold a password.
  if ('problem' in read) throw new AssayError('bad-base-url', `the base URL: ${read.problem}`)
  if (userName === undefined)
    throw new AssayError('usage', 'an account is needed to sign in: give --user-name NAME')
  const literally = (text: string): string => text.replaceAll('${', () => '$${')
  return {
    target: resolveTarget({ baseUrl: read.baseUrl, accounts: [{ userName, password: 'unset' }] }),
    describe: (deployment) =>
      describeDeployment(deployment, {
        baseUrl: literally(read.baseUrl),
        accounts: [{ userName: literally(userName), password: `\${${PASSWORD}}` }],
        headers: [],
      }),
  }
}

function say(line: string): void {
  process.stdout.write(`${escapeForTerminal(line)}\n`)
}
