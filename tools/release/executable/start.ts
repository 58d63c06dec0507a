/**
 * Starts an executable file in an empty folder, for its version and for a run against the embedded server:
 * `tsx tools/release/executable/start.ts PLATFORM [RUNNER…]`. RUNNER is what starts a file of another platform here, such as
 * `qemu-aarch64-static -L /usr/aarch64-linux-gnu` or `wine`. Exit code 0: both were right.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { executableOf, PLATFORMS } from '../platforms.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const [name, ...runner] = process.argv.slice(2)
const platform = PLATFORMS.find((platform) => platform.name === name)
if (platform === undefined) throw new Error(`which platform? ${PLATFORMS.map(({ name }) => name).join(', ')}`)
const [command = '', ...before] = [...runner, join(root, 'build', executableOf(platform))]
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'token-assay-'))
try {
  const printed = start(['--version'])
  if (printed.trim() !== version)
    throw new Error(`--version printed ${JSON.stringify(printed)}, not ${version}`)
  start(['run', '--embedded', '--only', '2.1/token-response', '--quiet', '--no-color'])
  const report = JSON.parse(readFileSync(join(folder, 'token-assay-report/report.partial.json'), 'utf8'))
  if (report.verdict !== 'conformant') throw new Error(`the verdict is ${report.verdict}`)
  process.stdout.write(`${executableOf(platform)} starts, and runs against the embedded server\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Into a file, since Wine hands no pipe on. */
function start(args: readonly string[]): string {
  const file = join(folder, 'stdout')
  const output = openSync(file, 'w')
  // What this machine has for its own Node.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(?:NODE|npm)_/i.test(key)))
  const { status, error } = spawnSync(command, [...before, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', output, 'inherit'],
  })
  const printed = readFileSync(file, 'utf8')
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${error ?? printed}`)
  return printed
}
