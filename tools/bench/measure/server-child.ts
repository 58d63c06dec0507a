import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from './run-child.js'

/** A server in a process of its own: its memory and its time are no one else's. */
export interface ServerChild extends AsyncDisposable {
  readonly url: string
  /** When its process was started, by `performance.now()`. */
  readonly startedMs: number
  /** Sends it a message, and gives the one that comes back: one question at a time, so that no answer is taken for another. */
  ask(question: string): Promise<unknown>
  /** What it wrote to standard error so far. */
  complaints(): string
  /** Stops it, as an operator does. Fulfilled with what it ended by: an exit code, or a signal. */
  stop(): Promise<number | NodeJS.Signals>
}

/**
 * Runs Node with these arguments. The server tells its URL by a message `{ url }`, or by the first line that it prints.
 * @throws Error with what it says, when it ends before it listens
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
  // It is awaited by whatever waits for the server.
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

/** The first that is printed; what follows is let go. */
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
