import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { resolve as resolvePath } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { AssayError } from '../../../spec/model/assay-error.js'
import { RUN_STOPPED } from '../../../spec/model/report.js'
import { linesAtEnd } from '../../exchange/whole-lines.js'
import { ClientCut, type ClientEnd, type SignInReport } from '../../judge/client/observed-sign-in.js'
import { withoutOurs } from '../../target/environment.js'
import { explainNotStarted } from '../../target/not-started.js'
import type { HostEnvironment, TestedClient } from './host-client.js'
import { markNextCommand } from './stray-processes.js'

/** Characters that are kept of each output, in whole lines: the last ones, as the report is. */
const MAX_OUTPUT = 1024 * 1024
/** How long output is waited for after the end of the command. */
const MAX_LAST_WORDS_MS = 1000
/** Characters of the end of standard error that are kept, in whole lines. */
const KEPT_ERRORS = 65_536
/** Characters of a line that may be the report. */
const MAX_REPORT = 4096

/**
 * A command as a client: called without a shell, with the scenario in its environment. Exit code 0 is signed in. It may
 * print one line of JSON. Its standard input has a line `use` for each time that it may ask for the resource. What it
 * started is ended with it; what has made a session of its own too, on Linux. Of our own variables it has those of the
 * scenario alone.
 * @param cwd the folder that it is run in; default: that of this process
 */
export function commandClient(
  command: string,
  args: readonly string[],
  timeoutMs: number,
  cwd?: string,
): TestedClient {
  let canStart = false
  return (environment, signal) =>
    new Promise<ClientEnd>((resolve, reject) => {
      const strays = markNextCommand(`TOKEN_ASSAY_URL=${environment.url}`, canStart)
      const [file = command, ...rest] = [...strays.prefix, command, ...args]
      const child = spawn(file, rest, {
        // Its own group, so that all of it can be ended.
        detached: process.platform !== 'win32',
        cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...withoutOurs(process.env), ...variablesOf(environment) },
      })
      // It need not read them.
      child.stdin.on('error', () => undefined).end('use\n'.repeat(environment.fetches))
      let problem: string | undefined
      const end = (why: string): void => {
        problem ??= why
        kill(child)
      }
      const timer = startTimer(timeoutMs, end)
      const onAbort = (): void =>
        end(signal.reason instanceof ClientCut ? signal.reason.message : RUN_STOPPED)
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      const output = readOutput(child)
      const done = (): void => {
        timer.stop()
        signal.removeEventListener('abort', onAbort)
      }
      child.once('spawn', () => {
        canStart = true
      })
      child.once('error', (cause) => {
        done()
        reject(cause)
      })
      child.once('exit', async (code, killedBy) => {
        done()
        // What the command started has its output too, and would keep it open.
        const left = strays.end(child.pid ?? 0)
        const killed = kill(child)
        if (left ?? killed) problem ??= 'it left processes running, which were ended'
        const written = await output.end()
        const ended = endOf(code, killedBy, problem, written)
        resolve(timer.isOver() ? { ...ended, outOfTime: true } : ended)
      })
    }).catch((cause: NodeJS.ErrnoException) => {
      // Some causes are thrown, others an event.
      const why = explainNotStarted(cause, command, resolvePath(cwd ?? ''))
      throw new AssayError('usage', `the command \`${command}\` of the client ${why}`, { cause })
    })
}

function variablesOf(environment: HostEnvironment): Readonly<Record<string, string>> {
  const { url, userName, password, resourceUrl, scenario, fetches, concurrency, timeZone } = environment
  return {
    TOKEN_ASSAY_URL: url,
    TOKEN_ASSAY_USER_NAME: userName,
    TOKEN_ASSAY_PASSWORD: password,
    TOKEN_ASSAY_RESOURCE_URL: resourceUrl,
    TOKEN_ASSAY_SCENARIO: scenario,
    TOKEN_ASSAY_FETCHES: String(fetches),
    TOKEN_ASSAY_CONCURRENCY: String(concurrency),
    ...(timeZone === undefined ? {} : { TZ: timeZone }),
  }
}

function startTimer(timeoutMs: number, end: (why: string) => void) {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    end(`it was ended after ${timeoutMs / 1000} seconds`)
  }, timeoutMs)
  return { isOver: () => isOver, stop: () => clearTimeout(timer) }
}

/** Keeps the end of what is written. */
function readOutput({ stdout, stderr }: ChildProcess) {
  const written = { output: '', errors: '' }
  const keepIn = (name: keyof typeof written) => (chunk: string) => {
    const all = written[name] + chunk
    // One more than is kept, so that the first line goes, of which there may be a half.
    written[name] = all.length > 2 * MAX_OUTPUT ? all.slice(-MAX_OUTPUT - 1) : all
  }
  stdout?.setEncoding('utf8').on('data', keepIn('output'))
  stderr?.setEncoding('utf8').on('data', keepIn('errors'))
  const whole = Promise.all(
    [stdout, stderr].map((stream) => new Promise((resolve) => stream?.once('close', resolve))),
  )
  return {
    end: async () => {
      // Its last words may still be on their way. What holds the output on, and could not be ended, is not waited for.
      const noLonger = new AbortController()
      await Promise.race([whole, after(MAX_LAST_WORDS_MS, undefined, noLonger)])
      noLonger.abort()
      stdout?.destroy()
      stderr?.destroy()
      return {
        output: linesAtEnd(written.output, MAX_OUTPUT),
        errors: linesAtEnd(written.errors, MAX_OUTPUT),
      }
    },
  }
}

function endOf(
  code: number | null,
  killedBy: NodeJS.Signals | null,
  problem: string | undefined,
  { output, errors }: { readonly output: string; readonly errors: string },
): ClientEnd {
  const reported = reportIn(output)
  const isDenied = code === 0 && reported?.signedIn === false
  const exit = `exit code ${code}${isDenied ? ', and it printed that it is not signed in' : ''}`
  const how = code === null ? `signal ${killedBy ?? constants.signals.SIGKILL}` : exit
  const why = problem ?? (code === null ? `it was ended by ${how}` : undefined)
  return {
    signedIn: code === 0 && !isDenied,
    how,
    ...(why === undefined ? {} : { problem: why }),
    ...(reported === undefined ? {} : { reported }),
    ...(errors.trim() === '' ? {} : { errors: linesAtEnd(errors, KEPT_ERRORS) }),
  }
}

/** The last line of the output that is an object of JSON. */
function reportIn(output: string): SignInReport | undefined {
  for (const line of output.split('\n').reverse()) {
    if (!line.trim().startsWith('{') || line.length > MAX_REPORT) continue
    try {
      const value: unknown = JSON.parse(line)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // It is no report.
    }
  }
  return undefined
}

/** Ends the command and all that it started. @returns whether there was anything */
function kill(child: ChildProcess): boolean {
  if (child.pid === undefined) return false
  if (process.platform === 'win32') return child.kill('SIGKILL')
  try {
    return process.kill(-child.pid, 'SIGKILL')
  } catch {
    return false
  }
}
