import type { Selected } from '../prove/jobs/selection.js'
import { loadShipped } from '../spec/load/advice.js'
import { didYouMean } from '../spec/load/nearest.js'
import { AssayError } from '../spec/model/assay-error.js'
import type { Case } from '../spec/model/case.js'
import type { Requirement, Specification } from '../spec/model/specification.js'
import { describeFlags, readArguments } from './shared/arguments.js'
import type { Command } from './shared/command.js'
import { CASES_FLAG, PROFILE_FLAG, specificationWith } from './shared/common-flags.js'
import { say } from './shared/print.js'

const FLAGS = {
  cases: CASES_FLAG,
  profile: { ...PROFILE_FLAG, help: 'with the rules, cases, mutants and variants of a profile' },
}

type List = (
  specification: Specification,
  profiles: readonly string[],
) => readonly string[] | Promise<readonly string[]>

/** Mutants and generators take longer to load than the rest of the command. */
const LISTS: Readonly<Record<string, List>> = {
  rules: ({ requirements }) => requirements.map(ruleLine),
  cases: ({ cases }) => cases.map(caseLine),
  mutants: async (_, profiles) =>
    (await proofs(profiles)).flatMap(({ mutants }) =>
      mutants.map(({ id, description, violates }) =>
        columns(id, `${description}  [${violates.join(' ') || 'exit code 3'}]`),
      ),
    ),
  variants: async (_, profiles) =>
    (await proofs(profiles)).flatMap(({ variants }) =>
      variants.map(({ id, description }) => columns(id, description)),
    ),
  profiles: () =>
    Object.entries(loadShipped().profiles).map(([name, { description }]) => columns(name, description)),
  generators: async () =>
    [...(await import('../conformance/generators/index.js')).GENERATORS.values()].map(({ name, statement }) =>
      columns(name, statement),
    ),
}

export const command: Command = {
  flags: FLAGS,
  words: () => Object.keys(LISTS),
  usage: `Usage: token-assay list [${Object.keys(LISTS).join('|')}]

Lists rules with the cases that judge them, cases with their rules, mutants with the
rules that they break, variants that conform, profiles or generators: one per
line. Without a name, it lists everything.

${describeFlags(FLAGS)}
`,
  execute: async (argv) => {
    const { positionals, one, options } = readArguments(argv, FLAGS)
    const unknown = positionals.find((name) => !Object.hasOwn(LISTS, name))
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, Object.keys(LISTS))
      throw new AssayError('usage', `unknown list \`${unknown}\`: ${hint}`)
    }
    const specification = await specificationWith(one('cases'), options)
    const names = positionals.length === 0 ? Object.keys(LISTS) : positionals
    const lists = await Promise.all(
      names.map((name) => LISTS[name]?.(specification, options.profiles ?? []) ?? []),
    )
    for (const line of lists.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))) say(line)
    return 0
  },
}

/** The specification's own, then those of the profiles. */
async function proofs(profiles: readonly string[]): Promise<readonly Selected[]> {
  const { selectToProve } = await import('../prove/jobs/selection.js')
  return [undefined, ...profiles].map((profile) => selectToProve([], [], profile))
}

function ruleLine({ id, level, statement, cases, observation, why }: Requirement): string {
  const covered = cases?.join(' ') ?? observation ?? why ?? ''
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
