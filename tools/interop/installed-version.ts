import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Packages of programs that others wrote. */
export interface Packages {
  readonly packages: readonly string[]
  readonly from: 'npm' | 'Debian'
}

/** The packages with their versions, or else those that are missing. @param folder where the program is run */
export function findPackages({ packages, from }: Packages, folder: URL) {
  const found = packages.map((name) => [name, installedVersion(name, from, folder)] as const)
  const missing = found.flatMap(([name, version]) => (version === undefined ? [name] : []))
  return missing.length > 0
    ? { isInstalled: false, versions: `${missing.join(', ')} not installed` }
    : { isInstalled: true, versions: found.map((pair) => pair.join(' ')).join(', ') }
}

/** The version of a package, or undefined where it is not installed. */
export function installedVersion(name: string, from: Packages['from'], folder: URL): string | undefined {
  if (from === 'npm') {
    const folders = createRequire(folder).resolve.paths(name) ?? []
    const file = folders.map((one) => join(one, name, 'package.json')).find(existsSync)
    return file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8')).version
  }
  const format = '-f=${db:Status-Status} ${Version}'
  const { stdout } = spawnSync('dpkg-query', ['-W', format, name], { encoding: 'utf8' })
  const [status, version] = (stdout ?? '').split(' ')
  return status === 'installed' ? version : undefined
}
