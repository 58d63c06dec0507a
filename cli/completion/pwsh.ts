import { type CompletedCommand, plainHelp } from './completion-model.js'

/** Completion for PowerShell 7, and 5.1. Where it gives nothing, PowerShell completes files. */
export function pwshCompletion(commands: readonly CompletedCommand[]): string {
  return `# PowerShell completion for token-assay: token-assay completion pwsh | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName token-assay -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${commands.map(({ name, does }) => `    ${quote(name)} = ${quote(does)}`).join('\n')}
  }
  $flags = @{
${commands.map(({ name, flags }) => `    ${quote(name)} = [ordered]@{ ${flags.map((flag) => `${quote(`--${flag.name}`)} = ${quote(flag.help)}`).join('; ')} }`).join('\n')}
  }
  $values = @{
${commands
  .flatMap(({ name, flags, argument }) => [
    ...flags.map((flag) => [`${name} --${flag.name}`, flag.value] as const),
    [name, argument] as const,
  ])
  .flatMap(([key, value]) =>
    typeof value === 'object' ? `    ${quote(key)} = @(${value.words.map(quote).join(', ')})` : [],
  )
  .join('\n')}
  }
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = if ($words.Count -gt 1) { $words[1] } else { '' }
  $found = if ($words.Count -le 1) { $commands }
    elseif ($wordToComplete -like '-*') { $flags[$command] }
    else {
      $key = "$command $($words[-1])"
      $all = if ($values.ContainsKey($key)) { $values[$key] } elseif ($words[-1] -notlike '--*') { $values[$command] }
      $table = [ordered]@{}
      foreach ($word in $all) { $table[$word] = $word }
      $table
    }
  if ($null -eq $found) { return }
  foreach ($entry in @($found.GetEnumerator())) {
    if ($entry.Key -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($entry.Key, $entry.Key, 'ParameterValue', $entry.Value)
    }
  }
}
`
}

function quote(text: string): string {
  return `'${plainHelp(text).replaceAll("'", "''")}'`
}
