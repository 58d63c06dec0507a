import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * `spawn`, of which some failures are an event and some are thrown.
 * @param failed makes what is thrown, of the reason in words
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { readonly cwd: string },
  failed: (why: string) => Error,
): ChildProcess {
  try {
    return spawn(program, args, options)
  } catch (cause) {
    throw failed(explainNotStarted(cause, program, options.cwd))
  }
}

/** Why a program was not started, as the end of a sentence about it. @param folder that it was to be run in */
export function explainNotStarted(cause: unknown, program: string, folder: string): string {
  const { code, message } = cause as NodeJS.ErrnoException
  const isPath = /[/\\]/.test(program)
  if (code === 'EACCES')
    return 'may not be executed: make it executable, or name the program that runs it, such as `node`'
  // Its own message repeats the value, which may be a secret.
  if (code === 'ERR_INVALID_ARG_VALUE')
    return `could not be started: ${program === '' ? 'its name is empty' : 'its name, an argument or a variable has a NUL character'}`
  if (code !== 'ENOENT') return `could not be started: ${code ?? message}`
  // The system says the same of all four.
  if (!existsSync(folder)) return `could not be started: its folder ${folder} does not exist`
  if (!isPath) return 'was not found in PATH: install it, or write its path'
  return existsSync(resolve(folder, program))
    ? 'could not be started: the program that its first line names was not found'
    : `was not found: there is no such file, as seen from ${folder}`
}
