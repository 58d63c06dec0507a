import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Where packages come from: npm's are in a `node_modules` folder, given by its URL. */
export type Source = 'Debian' | { readonly npm: URL }

/** The version of a package, or undefined where it is not installed. */
export function installedVersion(name: string, from: Source): string | undefined {
  if (from !== 'Debian') {
    const file = new URL(`${name}/package.json`, from.npm)
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
  }
  const format = '-f=${db:Status-Status} ${Version}'
  const { stdout } = spawnSync('dpkg-query', ['-W', format, name], { encoding: 'utf8' })
  const [status, version] = (stdout ?? '').split(' ')
  return status === 'installed' ? version : undefined
}
