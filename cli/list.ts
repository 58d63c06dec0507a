import { GENERATORS } from '../conformance/generators/index.js'
import { MUTANTS } from '../reference/mutants/index.js'
import { AssayError } from '../spec/assay-error.js'
import { nearest } from '../spec/nearest.js'
import { loadSpecification } from '../spec/specification.js'
import type { Case, Requirement } from '../spec/types.js'
import { describeFlags, readArguments } from './arguments.js'
import type { Command } from './command.js'

const LISTS: Readonly<Record<string, () => readonly string[]>> = {
  rules: () => loadSpecification().requirements.map(ruleLine),
  cases: () => loadSpecification().cases.map(caseLine),
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

${describeFlags({})}
`,
  execute: async (argv) => {
    const { positionals } = readArguments(argv, {})
    const unknown = positionals.find((name) => !Object.hasOwn(LISTS, name))
    if (unknown !== undefined) {
      const near = nearest(unknown, Object.keys(LISTS))
      const hint =
        near === undefined ? `there are ${Object.keys(LISTS).join(', ')}` : `did you mean \`${near}\`?`
      throw new AssayError('usage', `there is no list of \`${unknown}\`: ${hint}`)
    }
    const lists = (positionals.length === 0 ? Object.keys(LISTS) : positionals).map(
      (name) => LISTS[name]?.() ?? [],
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
