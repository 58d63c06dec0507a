/**
 * Packs the executable files of a release, and writes the packages of .NET, Homebrew and winget that name them:
 * `REPOSITORY=https://github.com/OWNER/token-assay tsx tools/release/packages/write.ts FROM INTO`. FROM has the files of all platforms
 * and LICENSES, as build.ts writes them. `REPOSITORY` is by default what package.json names.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { archiveOf, executableOf, PLATFORMS, type Platform } from '../platforms.js'
import { formula } from './homebrew.js'
import { nameOfPackage, platformPackage, pointerPackage } from './nuget.js'
import type { Archive, Release } from './release.js'
import { manifests } from './winget.js'
import { zip } from './zip.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const [from, into] = process.argv.slice(2)
try {
  if (from === undefined || into === undefined) throw new Error('from which folder, and into which one?')
  write(from, into)
} catch (error) {
  process.exitCode = 2
  process.stderr.write(`no packages: ${error instanceof Error ? error.message : error}\n`)
}

function write(from: string, into: string): void {
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named: string = process.env.REPOSITORY ?? project.repository?.url ?? ''
  const repository = named.replace(/^git\+|\.git$/g, '')
  if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(repository))
    throw new Error(
      'REPOSITORY is not set: the address of the repository, as https://github.com/OWNER/token-assay',
    )
  for (const file of [...PLATFORMS.map(executableOf), 'LICENSES'])
    if (!existsSync(join(from, file))) throw new Error(`${file} is not in ${from}`)
  mkdirSync(join(into, 'winget'), { recursive: true })
  const archives = PLATFORMS.map((platform) => packArchive(platform, from, into))
  const release: Release = { version: project.version, repository, archives }
  const licenses = readFileSync(join(from, 'LICENSES'))
  for (const platform of PLATFORMS) {
    const executable = readFileSync(join(from, executableOf(platform)))
    const bytes = platformPackage(release, platform, executable, licenses)
    writeFileSync(join(into, nameOfPackage(release, platform)), bytes)
  }
  writeFileSync(join(into, nameOfPackage(release)), pointerPackage(release))
  writeFileSync(join(into, 'token-assay.rb'), formula(release))
  for (const [file, text] of manifests(release)) writeFileSync(join(into, 'winget', file), text)
}

/** One folder with the command, which has the same name everywhere, and its licences. */
function packArchive(platform: Platform, from: string, into: string): Archive {
  const folder = `token-assay-${platform.name}`
  const file = join(resolve(into), archiveOf(platform))
  const executable = join(from, executableOf(platform))
  if (platform.os === 'win32') {
    const files = { 'token-assay.exe': executable, LICENSES: join(from, 'LICENSES') }
    const entries = Object.entries(files).map(([name, source]) => ({
      path: `${folder}/${name}`,
      bytes: readFileSync(source),
      executable: name !== 'LICENSES',
    }))
    writeFileSync(file, zip(entries))
  } else {
    const work = mkdtempSync(join(tmpdir(), 'token-assay-'))
    mkdirSync(join(work, folder), { mode: 0o755 })
    const files = { 'token-assay': executable, LICENSES: join(from, 'LICENSES') }
    for (const [name, source] of Object.entries(files)) {
      copyFileSync(source, join(work, folder, name))
      chmodSync(join(work, folder, name), name === 'LICENSES' ? 0o644 : 0o755)
    }
    // The same files give the same bytes.
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
    execFileSync('tar', [...same, '--use-compress-program=xz -9', '-cf', file, '-C', work, folder])
    rmSync(work, { recursive: true })
  }
  return { platform, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }
}
