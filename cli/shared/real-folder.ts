import { realpathSync, statSync } from 'node:fs'

/** Where a folder is. Undefined where none is, or where the name can be none, as one with a NUL or of 5000 characters. */
export function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined
  } catch {
    return undefined
  }
}
