import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { callCommand } from '../../tests/fixtures/call-command.js'

/** How a shell is asked what it offers: the script is in `completion`; each offer is a word of a line. */
interface AskedShell {
  readonly name: 'zsh' | 'fish' | 'pwsh'
  readonly ask: (line: string) => readonly string[]
}

/** What zsh gives to its own completion system is printed in place of that. */
const ZSH = `compdef() { }
_describe() { print -l -- \${commands%%:*} }
_arguments() { print -l -- "$@" }
source ./completion
words=($=1); [[ $1 == *' ' ]] && words+=(''); CURRENT=$#words
_token_assay`

const SHELLS: readonly AskedShell[] = [
  { name: 'zsh', ask: (line) => ['-f', '-c', ZSH, 'zsh', line] },
  { name: 'fish', ask: (line) => ['--no-config', '-c', `source ./completion; complete -C '${line}'`] },
  {
    name: 'pwsh',
    ask: (line) => [
      ...['-NoProfile', '-NonInteractive', '-Command'],
      `Get-Content -Raw ./completion | Invoke-Expression; (TabExpansion2 -inputScript '${line}' -cursorColumn ${line.length}).CompletionMatches.CompletionText`,
    ],
  },
]

for (const { name, ask } of SHELLS) {
  const isThere = spawnSync(name, ['--version']).status === 0
  t.test(`${name} offers commands, flags and values`, { skip: !isThere && `needs ${name}` }, async (t) => {
    const cwd = t.testdir({})
    const { stdout: script } = await callCommand(['completion', name], { cwd })
    writeFileSync(join(cwd, 'completion'), script)
    const offered = (line: string): string => {
      const { stdout, stderr, status } = spawnSync(name, ask(line), { cwd, encoding: 'utf8' })
      t.strictSame([status, stderr], [0, ''], line)
      return stdout
    }
    t.match(offered('token-assay re'), /^report(?:\t|$)/m)
    t.match(offered('token-assay run --eff'), /--effort/)
    t.match(offered('token-assay run --effort '), /\bquick\b.*\bthorough\b|\bthorough\b.*\bquick\b/s)
    t.match(offered('token-assay explain client:request-pat'), /client\\?:request-path/)
    t.match(offered('token-assay run --reporter ju'), /\bjunit\b/)
  })
}
