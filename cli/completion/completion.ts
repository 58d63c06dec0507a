import { AssayError } from '../../spec/model/assay-error.js'
import { readArguments } from '../shared/arguments.js'
import { type Command, type CommandTable, EXIT } from '../shared/command.js'
import { show } from '../shared/print.js'
import { completionModel } from './completion-model.js'

const SHELLS = ['bash', 'zsh', 'fish', 'pwsh'] as const

type Shell = (typeof SHELLS)[number]

const LOAD = {
  bash: async () => (await import('./bash.js')).bashCompletion,
  zsh: async () => (await import('./zsh.js')).zshCompletion,
  fish: async () => (await import('./fish.js')).fishCompletion,
  pwsh: async () => (await import('./pwsh.js')).pwshCompletion,
} as const satisfies Readonly<Record<Shell, unknown>>

/** The command that writes completion for a shell. @param commands those that the shell completes */
export function completionCommand(commands: CommandTable): Command {
  return {
    flags: {},
    words: () => SHELLS,
    usage: `Usage: token-assay completion ${SHELLS.join('|')}

Writes a script by which a shell completes commands, flags and their values:

  bash   eval "$(token-assay completion bash)"                 in ~/.bashrc
  zsh    eval "$(token-assay completion zsh)"                  in ~/.zshrc, after compinit
  fish   token-assay completion fish | source                  in ~/.config/fish/config.fish
  pwsh   token-assay completion pwsh | Out-String | Invoke-Expression      in $PROFILE

The script has the commands of this version: write it again after an update.
`,
    execute: async (argv) => {
      const { positionals } = readArguments(argv, {})
      const shell = SHELLS.find((name) => name === positionals[0])
      if (shell === undefined || positionals.length > 1)
        throw new AssayError('usage', `completion takes one shell: ${SHELLS.join(', ')}`)
      const render = await LOAD[shell]()
      show(render(await completionModel(commands)))
      return EXIT.conformant
    },
  }
}
