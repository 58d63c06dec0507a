import { type ChosenCases, chooseCases } from '../../conformance/assess/k6/choose-cases.js'
import { planRun } from '../../conformance/plan/plan.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { SUITE } from '../../reports/model/compose-report.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Specification } from '../../spec/model/specification.js'
import { type Arguments, describeFlags, type Flags, integerOf, readArguments } from '../shared/arguments.js'
import { type Command, EXIT } from '../shared/command.js'
import { CASES_FLAG, specificationWith } from '../shared/common-flags.js'
import { assertWritable, writeAtomic } from '../shared/files.js'
import { passOn, say } from '../shared/print.js'
import { baseUrlOf, PASSWORD } from '../shared/service-arguments.js'
import { findTargetFile, IMPLICIT_FILES, noTarget } from '../shared/target-files.js'
import { k6Runtime } from './generated/k6-runtime.js'
import { renderK6 } from './k6.js'
import { describeDeployment, readScriptSource, type ScriptSource } from './script-target.js'

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
  sample: { value: 'N', help: 'judge every Nth answer of a case, and the others by status (default: 1)' },
  out: { value: 'FILE', help: 'the file to write (default: standard output)' },
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  words: () => ['k6'],
  usage: `Usage: token-assay export k6 [base-url] [flags]

Writes a script for k6, a load tool: it sends the token cases from as many machines as you
like, and judges the answers by the code of \`token-assay run\`. Its first lines list the
cases and checks that only \`run\` can do: those that register accounts, log in with wrong
passwords, or compare all answers of a run. The script reads passwords and other secrets
from environment variables when it runs. This command sends nothing.

${describeFlags(FLAGS)}
`,
  execute: exportScript,
}

type ExportArguments = Arguments<typeof FLAGS>

async function exportScript(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [tool, baseUrl, ...others] = args.positionals
  if (tool !== 'k6')
    throw new AssayError('usage', 'export takes the tool to write for: token-assay export k6')
  // An extra argument is not repeated: it may be a password.
  if (others.length > 0)
    throw new AssayError('usage', `export k6 takes one base URL, found ${others.length + 1} arguments`)
  const sample = integerOf('sample', args.one('sample'), 1, 1_000_000)
  const specification = await specificationWith(args.one('cases'))
  const { target, describe } = sourceOf(baseUrl, args)
  const { deployment, chosen } = choose(specification, target, args)
  const script = renderK6(describe(deployment), chosen, SUITE.version, k6Runtime, sample)
  const file = args.one('out')
  if (file === undefined) passOn(script)
  else write(file, script, chosen)
  return EXIT.conformant
}

/** The deployment that the script is for, and its cases. @throws AssayError where there is none, or no case */
function choose(
  specification: Specification,
  target: Target,
  args: ExportArguments,
): { readonly deployment: Deployment; readonly chosen: ChosenCases } {
  const name = args.one('deployment')
  const deployments = name === undefined ? {} : { deployments: [name] }
  const selection = { only: args.all('only'), skip: args.all('skip'), ...deployments }
  const plan = planRun(specification, target, { selection, strict: false })
  const [deployment, ...others] = target.deployments.filter((one) => name === undefined || one.name === name)
  if (deployment === undefined || others.length > 0) {
    const names = target.deployments.map((one) => one.name).slice(0, 20)
    throw new AssayError(
      'usage',
      `a script is for one deployment: --deployment NAME, one of ${names.join(', ')}`,
    )
  }
  const items = plan.items.filter((item) => item.deployment === deployment)
  const chosen = chooseCases(items, deployment, selection)
  if (chosen.cases.length === 0)
    throw new AssayError(
      'nothing-matches',
      `no case is left for a script: ${[...chosen.left.keys()].join('; ')}`,
    )
  return { deployment, chosen }
}

function write(file: string, script: string, { cases, left }: ChosenCases): void {
  assertWritable([file])
  writeAtomic(file, script)
  const count = [...left.values()].flat().length
  say(
    `Written: ${file}, with ${cases.length} cases; its first lines say why ${count} are left to \`token-assay run\`.`,
  )
}

function sourceOf(baseUrl: string | undefined, args: ExportArguments): ScriptSource {
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
      'export k6 takes a base URL or --target: the script reads TOKEN_ASSAY_BASE_URL',
    )
  const url = baseUrlOf(baseUrl)
  if (userName === undefined)
    throw new AssayError('usage', 'an account is needed to sign in: give --user-name NAME')
  const literally = (text: string): string => text.replaceAll('${', () => '$${')
  return {
    target: resolveTarget({ baseUrl: url, accounts: [{ userName, password: 'unset' }] }),
    describe: (deployment) =>
      describeDeployment(deployment, {
        baseUrl: literally(url),
        accounts: [{ userName: literally(userName), password: `\${${PASSWORD}}` }],
        headers: [],
      }),
  }
}
