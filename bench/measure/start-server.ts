import { fork } from 'node:child_process'
import { once } from 'node:events'
import { subject } from './run-child.js'

/** What a server has cost so far, and what it was asked. */
export interface ServerUsage {
  readonly cpuMicroseconds: number
  readonly rssBytes: number
  readonly requests?: number
  readonly connections?: number
}

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  readonly url: string
  /** When its process was started, by `performance.now()`. */
  readonly startedMs: number
  usage(): Promise<ServerUsage>
}

/** Starts a file of `bench/subjects` that tells its URL by a message. */
export async function startServer(file: string): Promise<Server> {
  const startedMs = performance.now()
  const child = fork(subject(file), {
    execArgv: ['--require', subject('usage.cjs')],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const [told] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code} before it listened`))),
  ])
  return {
    url: told.url,
    startedMs,
    usage: async () => {
      child.send('usage')
      return (await once(child, 'message'))[0]
    },
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await ended
    },
  }
}
