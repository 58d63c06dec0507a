import type { Flag } from '../shared/arguments.js'
import type { CommandTable } from '../shared/command.js'

/** What a value or an argument is completed by. */
export type Completed = { readonly words: readonly string[] } | 'files' | 'folders' | 'nothing'

export interface CompletedFlag {
  readonly name: string
  readonly help: string
  readonly isRepeatable: boolean
  /** Undefined: it takes no value. */
  readonly value: Completed | undefined
}

export interface CompletedCommand {
  readonly name: string
  readonly does: string
  readonly flags: readonly CompletedFlag[]
  /** What may come besides flags. */
  readonly argument: Completed
}

/** Every command with its flags, from the tables that `--help` prints. */
export async function completionModel(commands: CommandTable): Promise<readonly CompletedCommand[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, [does, load]]) => {
      const { flags, words } = (await load()).command
      const own = Object.entries(flags).map(([flag, row]) => toFlag(flag, row))
      const help: CompletedFlag = {
        name: 'help',
        help: 'show this help',
        isRepeatable: false,
        value: undefined,
      }
      return {
        ...{ name, does },
        flags: [...own, help],
        argument: words === undefined ? 'files' : { words: await words() },
      }
    }),
  )
}

function toFlag(name: string, { value, values, help, many = false }: Flag): CompletedFlag {
  return {
    name,
    help,
    isRepeatable: many,
    value: value === undefined ? undefined : completedBy(value, values),
  }
}

/** By the name that the help has for it. */
function completedBy(value: string, values: readonly string[] | undefined): Completed {
  if (values !== undefined) return { words: values }
  if (/\bDIR\b|FOLDER/.test(value)) return 'folders'
  return /FILE|PATH/.test(value) ? 'files' : 'nothing'
}

/** A help text without what a shell would read otherwise. */
export function plainHelp(help: string): string {
  return help.replace(/[^ -~]/g, '?')
}
