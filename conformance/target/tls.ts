import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { AssayError } from '../../spec/assay-error.js'
import { formatPosition, type Located } from '../../spec/position.js'
import type { Tls } from '../deployment.js'
import type { TargetSettings } from './target-input.js'

/**
 * Reads the PEM files that a target names, relative to its folder.
 * @throws AssayError `missing-file`, with the place of the path
 */
export function readTls(input: NonNullable<TargetSettings['tls']>, folder: string, located: Located): Tls {
  const read = (key: 'ca' | 'cert' | 'key'): Partial<Tls> => {
    const path = input[key]
    if (path === undefined) return {}
    try {
      return { [key]: readFileSync(resolve(folder, path), 'utf8') }
    } catch (cause) {
      const where = formatPosition(located.at(`/tls/${key}`))
      throw new AssayError('missing-file', `${where}: expected a PEM file that can be read, found none`, {
        cause,
      })
    }
  }
  return {
    ...read('ca'),
    ...read('cert'),
    ...read('key'),
    rejectUnauthorized: input.rejectUnauthorized ?? true,
  }
}
