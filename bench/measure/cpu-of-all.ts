import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ROOT } from './run-child.js'

/**
 * Runs Node with these arguments to its end.
 * @returns milliseconds of CPU of that process and of all that it started and waited for: the shell's `times` counts both
 * @throws Error where it ends with another exit code than 0: nothing was measured
 */
export async function cpuOfAll(args: readonly string[]): Promise<number> {
  const script = '"$@" >/dev/null || exit; times'
  const { stdout } = await promisify(execFile)('sh', ['-c', script, 'sh', process.execPath, ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  })
  // Of the shell itself in the first line, of its children in the second: `1m2.345s 0m0.678s`.
  const [, children = ''] = stdout.split('\n')
  const times = Array.from(children.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, seconds]) => [
    minutes,
    seconds,
  ])
  if (times.length !== 2) throw new Error(`\`times\` printed ${JSON.stringify(stdout)}`)
  return times.reduce((sum, [minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
}
