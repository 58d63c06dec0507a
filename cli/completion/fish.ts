import { type Completed, type CompletedCommand, plainHelp } from './completion-model.js'

/** Completion for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, does, flags, argument }) => {
    const isGiven = `-n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c token-assay -n __fish_use_subcommand -a ${name} -d ${quote(does)}`,
      ...(argument === 'files' ? [`complete -c token-assay ${isGiven} -F`] : []),
      ...(typeof argument === 'object'
        ? [`complete -c token-assay ${isGiven} -a ${quote(argument.words.join(' '))}`]
        : []),
      ...flags.map(
        (flag) =>
          `complete -c token-assay ${isGiven} -l ${flag.name}${completedBy(flag.value)} -d ${quote(flag.help)}`,
      ),
    ]
  })
  return [
    '# fish completion for token-assay: token-assay completion fish | source',
    'complete -c token-assay -f',
    ...lines,
    '',
  ].join('\n')
}

function completedBy(value: Completed | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'object') return ` -x -a ${quote(value.words.join(' '))}`
  return value === 'nothing' ? ' -x' : value === 'files' ? ' -r -F' : ` -x -a '(__fish_complete_directories)'`
}

function quote(text: string): string {
  return `'${plainHelp(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
