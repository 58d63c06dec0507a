import { GENERATORS } from '../conformance/generators/index.js'
import { MUTANTS } from '../reference/mutants/index.js'
import { AssayError } from '../spec/assay-error.js'
import { nearest } from '../spec/nearest.js'
import type { Case, Requirement, Specification } from '../spec/types.js'
import { describeFlags, readArguments } from './arguments.js'
import type { Command } from './command.js'
import { CASES_FLAG, specificationWith } from './extra-cases.js'

const FLAGS = { cases: CASES_FLAG }

const LISTS: Readonly<Record<string, (specification: Specification) => readonly string[]>> = {
  rules: ({ requirements }) => requirements.map(ruleLine),
  cases: ({ cases }) => cases.map(caseLine),
  mutants: () =>
    MUTANTS.map(({ id, sentence, violates }) =>
      columns(id, `${sentence}  [${violates.join(' ') || 'exit code 3'}]`),
    ),
  generators: () => [...GENERATORS.values()].map(({ name, statement }) => columns(name, statement)),
}

export const listCommand: Command = {
  usage: `Usage: token-assay list [${Object.keys(LISTS).join('|')}]

One a line: rules with the cases that judge them, cases with their rules, mutants with the
rules that they break, generators. Without a name, all four.

${describeFlags(FLAGS)}
`,
  execute: async (argv) => {
    const { positionals, one } = readArguments(argv, FLAGS)
    const unknown = positionals.find((name) => !Object.hasOwn(LISTS, name))
    if (unknown !== undefined) {
      const near = nearest(unknown, Object.keys(LISTS))
      const hint =
        near === undefined ? `there are ${Object.keys(LISTS).join(', ')}` : `did you mean \`${near}\`?`
      throw new AssayError('usage', `there is no list of \`${unknown}\`: ${hint}`)
    }
    const specification = await specificationWith(one('cases'))
    const lists = (positionals.length === 0 ? Object.keys(LISTS) : positionals).map(
      (name) => LISTS[name]?.(specification) ?? [],
    )
    process.stdout.write(`${lists.map((lines) => lines.join('\n')).join('\n\n')}\n`)
    return 0
  },
}

function ruleLine({ id, level, statement, cases, observation, why, later }: Requirement): string {
  const covered = cases?.join(' ') ?? observation ?? why ?? later ?? ''
  return columns(id, `${level.padEnd(11)}  ${statement}  [${covered}]`)
}

function caseLine({ id, title, steps, forall }: Case): string {
  const rules = new Set(steps.flatMap(({ expect }) => (expect ?? []).map(({ rule }) => rule)))
  const inputs = forall === undefined ? '' : ` (for all ${Object.values(forall).join(', ')})`
  return columns(id, `${title}${inputs}  [${[...rules].join(' ')}]`)
}

function columns(id: string, text: string): string {
  return `${id.padEnd(36)}  ${text}`
}
