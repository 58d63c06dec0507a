import { once } from 'node:events'
import { AssayError } from '../../../../spec/model/assay-error.js'
import type { CohortSettings } from '../../../target/deployment.js'
import { withoutOurs } from '../../../target/environment.js'
import { explainNotStarted, startProgram } from '../../../target/not-started.js'
import { processTree, SYSTEM, treeOptions } from '../../../target/process-tree.js'

const MAX_LINE = 4096
/** How long a command may print nothing while its next password is waited for: longer than a vault takes to open. */
const MAX_SILENCE_MS = 60_000

/**
 * The passwords of a cohort, in the order of its accounts: one for all, or what a command prints, one a line.
 * @param signal ends the command, which may never print again
 * @throws AssayError `start-failed` where the command ends too early, or is silent for too long; no output of it is ever shown
 */
export async function* readPasswords(
  { password, passwords }: CohortSettings,
  signal: AbortSignal,
  maxSilenceMs = MAX_SILENCE_MS,
): AsyncGenerator<string> {
  if (passwords === undefined) {
    if (password === undefined) throw new TypeError('settings that were not checked')
    for (;;) yield password
  }
  const [program = '', ...args] = passwords.command
  const options = {
    ...{ cwd: passwords.cwd, env: { ...withoutOurs(process.env), ...passwords.env } },
    ...treeOptions(SYSTEM),
  }
  const child = startProgram(program, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }, (why) =>
    failed(program, why),
  )
  const tree = processTree(child, SYSTEM)
  const end = (): void => void tree.signal('SIGKILL')
  process.once('exit', end)
  // Without waiting for the end of its output: a process that it has left behind may hold that open.
  const stop = (): void => void child.stdout?.destroy(failed(program, 'was stopped'))
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  // What ends the stream before it is read is thrown by reading it.
  child.stdout?.on('error', () => undefined)
  const startWaiting = (): NodeJS.Timeout =>
    setTimeout(() => {
      child.stdout?.destroy(failed(program, `printed nothing for ${maxSilenceMs / 1000} seconds`))
    }, maxSilenceMs)
  let waiting = startWaiting()
  try {
    await once(child, 'spawn').catch((cause) => {
      throw failed(program, explainNotStarted(cause, program, passwords.cwd))
    })
    let rest = ''
    for await (const chunk of child.stdout?.setEncoding('utf8') ?? []) {
      clearTimeout(waiting)
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.replace(/\r$/, '')
      if (rest.length > MAX_LINE) throw failed(program, 'printed a line that is too long')
      waiting = startWaiting()
    }
    if (rest !== '') yield rest
    throw failed(program, 'printed fewer passwords than there are accounts')
  } finally {
    clearTimeout(waiting)
    end()
    process.off('exit', end)
    signal.removeEventListener('abort', stop)
  }
}

function failed(program: string, why: string): AssayError {
  return new AssayError('start-failed', `the command of \`cohort.passwords\`, \`${program}\`, ${why}`)
}
