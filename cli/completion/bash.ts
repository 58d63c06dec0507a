import type { Completed, CompletedCommand } from './completion-model.js'

/** Completion for bash 3.2 and later. A colon or `=` divides words there: what is typed is taken from the line. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# bash completion for token-assay: eval "$(token-assay completion bash)"
_token_assay() {
  local line=\${COMP_LINE:0:COMP_POINT} command=\${COMP_WORDS[1]} words= files=
  local current=\${line##* } before=\${line% *}
  local previous=\${before##* } reply
  COMPREPLY=()
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    current=\${current#*=}
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    words='${commands.map(({ name }) => name).join(' ')} help version'
  else
    case "$command $previous" in
${commands.flatMap(({ name, flags }) => flags.flatMap((flag) => (flag.value === undefined ? [] : `      '${name} --${flag.name}') ${setOf(flag.value)} ;;`))).join('\n')}
      *)
        case "$command" in
${commands
  .map(
    ({ name, flags, argument }) =>
      `          '${name}') ${argumentOf(
        argument,
        flags.map((flag) => `--${flag.name}`),
      )} ;;`,
  )
  .join('\n')}
        esac
        ;;
    esac
  fi
  # After NAME= of a reporter there is a file.
  if [[ $current == *=* && $previous == --reporter ]]; then
    words= files=files current=\${current#*=}
  fi
  # A name may have spaces.
  local IFS=$'\\n'
  case "$files" in
    files) COMPREPLY=($(compgen -f -- "$current")) ;;
    folders) COMPREPLY=($(compgen -d -- "$current")) ;;
  esac
  IFS=$' \\t\\n'
  if [[ -n $files ]]; then compopt -o filenames 2>/dev/null; fi
  for reply in $(compgen -W "$words" -- "$current"); do
    # Readline has what is before a colon already.
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then reply=\${reply#"\${current%:*}":}; fi
    COMPREPLY+=("$reply")
  done
}
complete -F _token_assay token-assay
`
}

function setOf(value: Completed): string {
  if (typeof value === 'object') return `words='${value.words.join(' ')}'`
  return value === 'nothing' ? ':' : `files=${value}`
}

function argumentOf(argument: Completed, flags: readonly string[]): string {
  return `if [[ $current == -* ]]; then words='${flags.join(' ')}'; else ${setOf(argument)}; fi`
}
