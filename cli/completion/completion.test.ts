import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folderReporterNames, reporterNames } from '../../reports/formats/reporters.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { EFFORTS } from '../../spec/model/selection.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { RUN_FLAGS } from '../run/run-flags.js'

/** As Readline calls it: words end at spaces, `=` and `:`. */
const ASK = `source ./completion
while IFS= read -r COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}
  COMP_WORDS=($COMP_LINE)
  if [[ $COMP_LINE == *' ' ]]; then COMP_WORDS+=(''); fi
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _token_assay
  printf '%s\\t' "\${COMPREPLY[@]}"
  echo
done`

const hasBash = spawnSync('bash', ['--version']).status === 0
const folder = t.testdir({ 'my report.json': '', reports: {} })
const { stdout: script } = await callCommand(['completion', 'bash'], { cwd: folder })
writeFileSync(join(folder, 'completion'), script)

/** What bash offers for each line. */
function offered(lines: readonly string[]): readonly (readonly string[])[] {
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ASK], {
    cwd: folder,
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  })
  if (status !== 0 || stderr !== '') throw new Error(stderr)
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').filter((word) => word !== ''))
}

function expectOffers(t: Test, offers: Readonly<Record<string, readonly string[]>>): void {
  const found = offered(Object.keys(offers))
  for (const [index, [line, words]] of Object.entries(offers).entries())
    t.strictSame(found[index]?.toSorted(), words.toSorted(), line)
}

t.test(
  'bash completes commands, flags, values, rules and files',
  { skip: !hasBash && 'needs bash' },
  async (t) => {
    const rules = loadSpecification().requirements.map(({ id }) => id)
    expectOffers(t, {
      'token-assay comp': ['compare', 'completion'],
      'token-assay run --eff': ['--effort'],
      'token-assay run --effort ': EFFORTS,
      'token-assay run --effort=q': ['quick'],
      'token-assay run --profile ': ['katana', 'rfc6749', 'security'],
      'token-assay run --reporter ': [...reporterNames, ...folderReporterNames],
      'token-assay diff --fail-on b': ['broken-client'],
      'token-assay run --seed ': [],
      'token-assay explain 8-': rules.filter((id) => id.startsWith('8-')),
      'token-assay explain client:request-pat': ['request-path'],
      'token-assay completion ': ['bash', 'zsh', 'fish', 'pwsh'],
      'token-assay list gen': ['generators'],
      'token-assay report my': ['my report.json'],
      'token-assay run --out re': ['reports'],
      'token-assay run --reporter json=my': ['my report.json'],
      'token-assay nothing x': [],
    })
  },
)

t.test(
  'each command is offered, and each flag that its help has',
  { skip: !hasBash && 'needs bash' },
  async (t) => {
    const { stdout: help } = await callCommand(['--help'], { cwd: folder })
    const commands = Array.from(help.matchAll(/^ {2}([a-z-]+) {2,}\S/gm), ([, name = '']) => name)
    t.ok(commands.includes('run') && commands.includes('completion'), commands.join())
    const [first, ...flags] = offered(['token-assay ', ...commands.map((name) => `token-assay ${name} -`)])
    t.strictSame(first?.toSorted(), [...commands, 'help', 'version'].toSorted())
    for (const [index, name] of commands.entries()) {
      const { stdout } = await callCommand([name, '--help'], { cwd: folder })
      const shown = Array.from(stdout.matchAll(/^ {2}(--[a-z0-9-]+)(?= |$)/gm), ([, flag = '']) => flag)
      t.strictSame(flags[index]?.toSorted(), [...new Set([...shown, '--help'])].toSorted(), name)
    }
    t.ok(flags[commands.indexOf('run')]?.length === Object.keys(RUN_FLAGS).length + 1)
  },
)

t.test('misuse gets one message, and exit 2', async (t) => {
  for (const args of [[], ['tcsh'], ['bash', 'zsh']]) {
    const { exitCode, stdout, stderr } = await callCommand(['completion', ...args], { cwd: folder })
    t.strictSame(
      [exitCode, stdout, stderr],
      [2, '', 'token-assay: completion takes one shell: bash, zsh, fish, pwsh\n'],
    )
  }
})
