/**
 * Builds the command and Node in one file: `tsx tools/release/executable/build.ts [--own-node] [--node-only] [PLATFORM…]` writes
 * `build/token-assay-PLATFORM`, by default for Linux x64, from `build/token-assay.cjs`, and adds Node's licence to `build/LICENSES`.
 * Node is its own build, by checksum. Where its place cannot be reached, it is a package of a third party, by the lock file of
 * tools/release/node; with `--own-node`, as for a release, that is an error. `--node-only` gets Node and builds nothing.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { executableOf, PLATFORMS, type Platform } from '../platforms.js'
import { getNode } from './get-node.js'

const LICENSES = 'build/LICENSES'

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)))
const flags = process.argv.slice(2).filter((text) => text.startsWith('--'))
const names = process.argv.slice(2).filter((text) => !text.startsWith('--'))
try {
  const unknown = flags.find((flag) => flag !== '--own-node' && flag !== '--node-only')
  if (unknown !== undefined) throw new Error(`unknown flag ${unknown}`)
  for (const platform of (names.length === 0 ? ['linux-x64'] : names).map(platformOf)) {
    const node = getNode(platform, flags.includes('--own-node'))
    if (!flags.includes('--node-only')) build(platform, node)
  }
} catch (error) {
  process.exitCode = 1
  process.stderr.write(`no executable file: ${error instanceof Error ? error.message : error}\n`)
}

function platformOf(name: string): Platform {
  const platform = PLATFORMS.find((platform) => platform.name === name)
  if (platform === undefined)
    throw new Error(`\`${name}\` is no platform: ${PLATFORMS.map(({ name }) => name).join(', ')}`)
  return platform
}

/** Node of the same version on this machine, which writes into that of any platform. */
function builderFor(platform: Platform, node: string): string {
  if (isHere(platform)) return node
  const here = PLATFORMS.find(isHere)
  if (here === undefined) throw new Error(`nothing is built on ${process.platform} ${process.arch}`)
  return getNode(here, flags.includes('--own-node'))
}

function isHere({ os, cpu, libc }: Platform): boolean {
  // Only glibc reports its version.
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  const musl = os === 'linux' && header.glibcVersionRuntime === undefined
  return os === process.platform && cpu === process.arch && (libc === 'musl') === musl
}

function build(platform: Platform, node: string): void {
  const builder = builderFor(platform, node)
  const output = join('build', executableOf(platform))
  const config = {
    main: 'build/token-assay.cjs',
    output,
    executable: node,
    disableExperimentalSEAWarning: true,
    execArgvExtension: 'none',
    // V8 takes no code of another platform. Without it, a start takes three times as long.
    useCodeCache: isHere(platform),
    // As an asset too: a command with a report runs in a thread, which needs the source.
    assets: { 'token-assay.cjs': 'build/token-assay.cjs' },
  }
  writeFileSync('build/sea.json', JSON.stringify(config))
  execFileSync(resolve(builder), ['--build-sea', 'build/sea.json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync('build/sea.json')
  chmodSync(output, 0o755)
  addLicense(builder)
  if (platform.os === 'win32') removeSignature(output)
  // Without a signature, macOS for arm64 starts no program.
  if (platform.os === 'darwin' && process.platform === 'darwin')
    execFileSync('codesign', ['--sign', '-', '--force', output])
  else if (platform.os === 'darwin')
    process.stderr.write(`${output} is not signed: codesign --sign - --force ${output} on macOS\n`)
  if (!isHere(platform)) return
  // For the tests, which have a Node of their own.
  rmSync('build/node', { force: true })
  if (process.platform !== 'win32') symlinkSync(resolve(builder, '../..'), 'build/node')
}

function addLicense(builder: string): void {
  const heading = '\n\nNode\n\n'
  if (readFileSync(LICENSES, 'utf8').includes(heading)) return
  appendFileSync(LICENSES, heading + readFileSync(join(builder, '../../LICENSE'), 'utf8'))
}

/** Node's own, which is broken now: a virus scanner takes such a file for a forged one. By the PE format of Microsoft. */
function removeSignature(file: string): void {
  const bytes = readFileSync(file)
  const header = bytes.readUInt32LE(0x3c)
  // The fifth of the directories that end the optional header of 64 bits.
  bytes.writeBigUInt64LE(0n, header + 24 + 112 + 4 * 8)
  writeFileSync(file, bytes)
}
