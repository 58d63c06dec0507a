import { AssayError } from '../../spec/model/assay-error.js'
import type { StartCommand } from './deployment.js'
import { withoutOurs } from './environment.js'
import { accepts } from './listening.js'
import { explainNotStarted, startProgram } from './not-started.js'
import { processTree, SYSTEM, treeOptions } from './process-tree.js'

const POLL_MS = 50
const KEPT_OUTPUT = 4096

/**
 * Runs the command to its end, and waits until every base URL accepts connections again.
 * @throws AssayError `start-failed`
 */
export async function restartByCommand(
  { command, env, cwd, readyTimeoutMs }: StartCommand,
  baseUrls: readonly string[],
  redactor: { output(text: string): string },
  signal: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = command
  const failed = (why: string): AssayError =>
    new AssayError('start-failed', redactor.output(`the restart command \`${program}\` ${why}`))
  const options = { cwd, env: { ...withoutOurs(process.env), ...env }, ...treeOptions(SYSTEM) }
  const child = startProgram(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] }, failed)
  const tree = processTree(child, SYSTEM)
  const end = (): void => void tree.signal('SIGKILL')
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    printed = (printed + chunk).slice(-KEPT_OUTPUT)
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, readyTimeoutMs)
  signal.addEventListener('abort', end)
  process.once('exit', end)
  const how = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(explainNotStarted(error, program, cwd)))
    child.once('exit', (code, by) =>
      resolve(
        isLate
          ? `did not end in ${readyTimeoutMs / 1000} s`
          : code === 0
            ? undefined
            : `ended with ${by ?? `exit code ${code}`}`,
      ),
    )
  })
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  process.off('exit', end)
  // What it leaves behind may be the service.
  child.stderr?.destroy()
  if (how !== undefined) {
    const last = printed.trim().split('\n').at(-1) ?? ''
    throw failed(last === '' ? how : `${how}; it printed: ${last}`)
  }
  const deadline = performance.now() + readyTimeoutMs
  for (const baseUrl of baseUrls)
    while (!signal.aborted && !(await accepts(baseUrl))) {
      if (performance.now() > deadline)
        throw failed(`ended, and the service did not listen in ${readyTimeoutMs / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
}
