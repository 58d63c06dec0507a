import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from './run-child.js'

/** A server in a process of its own, so that its memory and its CPU time can be measured. */
export interface ServerChild extends AsyncDisposable {
  readonly url: string
  /** When its process was started, by `performance.now()`, in milliseconds. */
  readonly startedMs: number
  /** Sends a message and resolves with the answer; the next question waits, so that answers are not mixed up. */
  ask(question: string): Promise<unknown>
  /** What it has written to standard error so far. */
  complaints(): string
  /** Stops it by SIGTERM. Resolves with its exit code or signal. */
  stop(): Promise<number | NodeJS.Signals>
}

/**
 * Runs Node with these arguments. The server reports its URL by a message `{ url }`, or by the first line that it prints.
 * @throws Error with its output when it ends before it listens
 */
export async function startServerChild(args: readonly string[]): Promise<ServerChild> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1))
  })
  const hasEnded = ended.then((end) => Promise.reject(new Error(`the server ended (${end}): ${complaints}`)))
  // The code that waits for the server handles it.
  hasEnded.catch(() => undefined)
  const url = await Promise.race([
    once(child, 'message').then(([{ url }]) => String(url)),
    firstLine(child.stdout),
    hasEnded,
  ])
  let asked: Promise<unknown> = Promise.resolve()
  const stop = (): Promise<number | NodeJS.Signals> => {
    child.kill('SIGTERM')
    return ended
  }
  return {
    url,
    startedMs,
    ask(question) {
      const answer = asked.then(async () => {
        child.send(question)
        const [message] = await Promise.race([once(child, 'message'), hasEnded])
        return message
      })
      asked = answer.catch(() => undefined)
      return answer
    },
    complaints: () => complaints,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}

/** The first line; the rest is ignored. */
async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  let printed = ''
  return new Promise((resolve) => {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (printed.includes('\n')) return
      printed += text
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')))
    })
  })
}
