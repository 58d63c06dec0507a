import { spawn } from 'node:child_process'
import { AssayError } from '../../../../spec/model/assay-error.js'
import type { CohortSettings } from '../../../target/deployment.js'
import { withoutOurs } from '../../../target/environment.js'
import { processTree, SYSTEM, treeOptions } from '../../../target/process-tree.js'

const MAX_LINE = 4096

/**
 * The passwords of a cohort, in the order of its accounts: one for all, or what a command prints, one a line.
 * @param signal ends the command, which may never print again
 * @throws AssayError `start-failed` where the command ends too early; no output of it is ever shown
 */
export async function* readPasswords(
  { password, passwords }: CohortSettings,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (passwords === undefined) {
    if (password === undefined) throw new TypeError('settings that were not checked')
    for (;;) yield password
  }
  const [program = '', ...args] = passwords.command
  const child = spawn(program, args, {
    cwd: passwords.cwd,
    env: { ...withoutOurs(process.env), ...passwords.env },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...treeOptions(SYSTEM),
  })
  const tree = processTree(child, SYSTEM)
  const end = (): void => void tree.signal('SIGKILL')
  process.once('exit', end)
  // Without waiting for the end of its output: a process that it has left behind may hold that open.
  const stop = (): void => void child.stdout?.destroy(failed(program, 'was stopped'))
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
    child.stdout?.destroy()
  })
  try {
    let rest = ''
    for await (const chunk of child.stdout?.setEncoding('utf8') ?? []) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.replace(/\r$/, '')
      if (rest.length > MAX_LINE) throw failed(program, 'printed a line that is too long')
    }
    if (rest !== '') yield rest
    throw failed(
      program,
      failure === undefined
        ? 'printed fewer passwords than there are accounts'
        : `could not be started: ${failure.message}`,
    )
  } finally {
    end()
    process.off('exit', end)
    signal.removeEventListener('abort', stop)
  }
}

function failed(program: string, why: string): AssayError {
  return new AssayError('start-failed', `the command of \`cohort.passwords\`, \`${program}\`, ${why}`)
}
