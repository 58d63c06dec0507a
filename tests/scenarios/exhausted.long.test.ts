/** A machine that lacks descriptors or ports: one message, no stack trace, never a verdict and never "a bug". */
import { spawn, spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { redReport } from '../../reports/fixtures/sample-report.js'
import { renderJson } from '../../reports/formats/json.js'
import { CLEARED, COMMAND, type Ended } from '../fixtures/command.js'

const env = { ...process.env, ...CLEARED, TOKEN_ASSAY_PASSWORD: 'Correct-7-horses' }
const TARGET = 'http://127.0.0.1:9'
const REPORT = 'report.json'

/** Each command, and its exit code where the machine lacks something. */
const COMMANDS: readonly (readonly [exitCode: number, ...args: readonly string[]])[] = [
  [3, 'run', '--embedded', '--only', '2.1/token-response'],
  [3, 'run', TARGET, '--user-name', 'alice'],
  [3, 'client', '--', process.execPath, '-e', '0'],
  [3, 'diff', '--old', TARGET, '--new', TARGET, '--user-name', 'alice'],
  [3, 'proxy', '--target', TARGET, '--port', '0'],
  [2, 'serve', '--port', '0', '--user-name', 'alice'],
  [2, 'ui', '--no-open'],
  [2, 'prove', '--mutant', 'duplicate-member'],
]
const READERS: typeof COMMANDS = [
  [2, 'compare', REPORT, REPORT],
  [2, 'merge', REPORT],
  [2, 'report', REPORT],
  [2, 'board', '.', '--out', 'board'],
  [2, 'explain', '4.1-R1'],
]

function start(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  return new Promise((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, ...output }))
  })
}

function isOneMessage(t: Test, { exitCode, stdout, stderr }: Ended, expected: number, says: RegExp): void {
  t.equal(exitCode, expected, stderr)
  t.match(stdout + stderr, says)
  t.notMatch(stdout + stderr, /\n +at |node:internal|a bug|CONFORMANT|undefined/)
}

const cannot = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args).status === 0 ? false : `${program} cannot do this here`

t.test('too few descriptors', { skip: cannot('prlimit', '--version') }, async (t) => {
  // Below these it is Node, or tsx, that does not start.
  for (const limit of [52, 90])
    for (const [exitCode, ...args] of [...COMMANDS, ...READERS])
      await t.test(`${limit}: ${args[0]}`, async (t) => {
        const cwd = t.testdir({ [REPORT]: renderJson(redReport) })
        const command = [`--nofile=${limit}:${limit}`, process.execPath, ...COMMAND, ...args]
        const ended = await start('prlimit', command, cwd)
        isOneMessage(t, ended, exitCode, /^token-assay: too many files .*`ulimit -n` shows; .*\n$/)
      })
})

const IN_NETWORK = ['--user', '--map-root-user', '--net']
/** A network in which one port can be had, and is in use. */
const WITHOUT_PORTS = `
  ip link set lo up && echo 40000 40000 > /proc/sys/net/ipv4/ip_local_port_range || exit 99
  "$0" -e 'net.createServer().listen(0, "127.0.0.1", () => console.log("full"))' > full &
  until grep -q full full; do sleep 0.05; done
  "$0" "$@"; code=$?
  kill $!; exit $code`

t.test('no local port', { skip: cannot('unshare', ...IN_NETWORK, 'ip', 'link') }, async (t) => {
  for (const [exitCode, ...args] of COMMANDS)
    await t.test(args.slice(0, 2).join(' '), async (t) => {
      const command = [...IN_NETWORK, 'bash', '-c', WITHOUT_PORTS, process.execPath, ...COMMAND, ...args]
      const ended = await start('unshare', command, t.testdir({ full: '' }))
      isOneMessage(t, ended, exitCode, /no local port/)
    })
})
