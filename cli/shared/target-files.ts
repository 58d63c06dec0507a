import { existsSync } from 'node:fs'
import { AssayError } from '../../spec/model/assay-error.js'

/** The target file that is read where none is named, and the one that `init` writes. */
export const IMPLICIT_FILE = 'token-assay.yaml'
/** Every name of a target file that is read where none is named. */
export const IMPLICIT_FILES: readonly string[] = [IMPLICIT_FILE, 'token-assay.yml', 'token-assay.json']

/** Those of the implicit target files that are in the working folder. */
export function implicitFiles(): readonly string[] {
  return IMPLICIT_FILES.filter((file) => existsSync(file))
}

/**
 * The target file of the working folder, if there is one.
 * @throws AssayError `usage` where there are two: one of them would be ignored without a word
 */
export function findTargetFile(): string | undefined {
  const [file, ...others] = implicitFiles()
  if (file === undefined || others.length === 0) return file
  const names = [file, ...others].join(' and ')
  throw new AssayError('usage', `${names} are both target files: remove one, or name one with --target`)
}

/** Says what was looked for, and where. @param ways the other ways to name a service, as the user types them */
export function noTarget(ways: string): AssayError {
  const names = `${IMPLICIT_FILES.slice(0, -1).join(', ')} or ${IMPLICIT_FILES.at(-1)}`
  return new AssayError(
    'usage',
    `there is nothing to test: there is no ${names} in ${process.cwd()}; ${ways}`,
  )
}
