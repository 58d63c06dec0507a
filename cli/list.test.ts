import t from 'tap'
import { GENERATORS } from '../conformance/generators/index.js'
import { MUTANTS } from '../prove/mutants/index.js'
import { PROFILE_PROOFS } from '../prove/profiles/index.js'
import { VARIANTS } from '../prove/variants/index.js'
import { loadShipped } from '../spec/load/advice.js'
import { loadSpecification } from '../spec/load/specification.js'
import { callCommand } from '../tests/fixtures/call-command.js'
import { PROFILES } from './shared/common-flags.js'

const { requirements, cases } = loadSpecification()
const LISTS = {
  rules: requirements.map(({ id }) => id),
  cases: cases.map(({ id }) => id),
  mutants: MUTANTS.map(({ id }) => id),
  variants: VARIANTS.map(({ id }) => id),
  profiles: Object.keys(loadShipped().profiles),
  generators: [...GENERATORS.keys()],
}

for (const [name, ids] of Object.entries(LISTS)) {
  t.test(`list ${name}: one a line`, async (t) => {
    const { exitCode, stdout, stderr } = await callCommand(['list', name], { cwd: t.testdir() })
    t.equal(exitCode, 0)
    t.equal(stderr, '')
    const lines = stdout.trimEnd().split('\n')
    t.strictSame(
      lines.map((line) => line.split(/ {2,}/)[0]),
      ids,
    )
    t.ok(
      lines.every((line) => / {2}\S/.test(line)),
      'each says what it is',
    )
  })
}

t.test('the profiles that flags name are those that ship', async (t) => {
  t.strictSame(PROFILES, Object.keys(loadShipped().profiles))
})

t.test('list mutants and variants: those of a profile too', async (t) => {
  for (const [name, { mutants, variants }] of Object.entries(PROFILE_PROOFS))
    for (const [list, own] of Object.entries({ mutants, variants })) {
      const { exitCode, stdout } = await callCommand(['list', list, '--profile', name], { cwd: t.testdir() })
      t.equal(exitCode, 0)
      const ids = stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)[0])
      t.strictSame(
        ids.slice(-own.length),
        own.map(({ id }) => id),
      )
    }
})

t.test('the help of every command: standard output, and 0', async (t) => {
  const helps = [
    [['--help'], /\n +run +test a service, /],
    [['run', 'further', 'arguments', '--help'], /--password-stdin {2}/],
    [['serve', '-h'], /--hashing KIND {2}/],
    [['list', '--help'], /\[rules\|cases\|mutants\|variants\|profiles\|generators\]/],
  ] as const
  for (const [args, says] of helps) {
    const { exitCode, stdout, stderr } = await callCommand(args, { cwd: t.testdir() })
    t.equal(exitCode, 0)
    t.equal(stderr, '')
    t.match(stdout, /^Usage: token-assay /)
    t.match(stdout, says)
  }
})

t.test('no help of a command is wider than a narrow window', async (t) => {
  const { stdout } = await callCommand(['--help'], { cwd: t.testdir() })
  const commands = [...stdout.matchAll(/^ {2}(?!token-assay)([a-z-]+) +[a-z]/gm)].flatMap(
    ([, name]) => name ?? [],
  )
  t.ok(commands.includes('run') && commands.includes('diff'))
  for (const name of commands) {
    const help = await callCommand([name, '--help'], { cwd: t.testdir() })
    t.strictSame(
      help.stdout.split('\n').filter((line) => line.length > 100),
      [],
      name,
    )
  }
})

t.test('no command at all: the help, as an error', async (t) => {
  const { exitCode, stdout, stderr } = await callCommand([], { cwd: t.testdir() })
  t.equal(exitCode, 2)
  t.equal(stdout, '')
  t.match(stderr, /^Usage: token-assay COMMAND/)
})
