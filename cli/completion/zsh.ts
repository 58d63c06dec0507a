import { type Completed, type CompletedCommand, plainHelp } from './completion-model.js'

/** Completion for zsh, by its own `_arguments`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, does }) => quote(`${name}:${plainHelp(does)}`))
  return `#compdef token-assay
# zsh completion for token-assay: eval "$(token-assay completion zsh)"
_token_assay() {
  local -a commands
  commands=(
    ${described.join('\n    ')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(caseOf).join('\n')}
  esac
}
if [[ $funcstack[1] == _token_assay ]]; then _token_assay "$@"; else compdef _token_assay token-assay; fi
`
}

function caseOf({ name, flags, argument }: CompletedCommand): string {
  const rows = flags.map((flag) => {
    const help = plainHelp(flag.help).replace(/[[\]\\:]/g, '\\$&')
    const value = flag.value === undefined ? '' : `:value:${actionOf(flag.value)}`
    return quote(`${flag.isRepeatable ? '*' : ''}--${flag.name}[${help}]${value}`)
  })
  return `    ${name}) _arguments ${[...rows, quote(`*:argument:${actionOf(argument)}`)].join(' \\\n      ')} ;;`
}

function actionOf(value: Completed): string {
  if (typeof value === 'object')
    return `(${value.words.map((word) => word.replaceAll(':', '\\:')).join(' ')})`
  return { files: '_files', folders: '_files -/', nothing: ' ' }[value]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
