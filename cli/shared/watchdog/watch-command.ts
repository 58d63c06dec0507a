import { Worker } from 'node:worker_threads'
import { EXIT, exitCodeOf } from '../command.js'
import { passOn } from '../print.js'
import { CommandState } from './command-state.js'
import type { CommandEnd } from './end-command.js'
import { type FromCommand, STOP_SIGNALS, type ThreadData } from './messages.js'
import { ownProgram } from './own-program.js'

/** For the command to end by itself: after its deadline, and after a second signal. */
const GRACE_MS = 5000
const AFTER_SECOND_SIGNAL_MS = 2000
/** One whose event loop turns is removing accounts, or stopping a service. */
const MAX_GRACE_MS = 60_000
const BEAT_CHECK_MS = 1000

/**
 * Runs the command in a thread of its own. This one stays free: whatever keeps the event loop of the command busy, signals and
 * the deadline end it, with a report of what is known.
 * @param explain prints an error of the thread, and gives its exit code
 * @returns the exit code
 */
export function watchCommand(args: readonly string[], explain: (error: unknown) => number): Promise<number> {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const thread = startThread(args, { beats })
  const state = new CommandState()
  let signalled: number | undefined
  let isEnding = false
  let deadline: NodeJS.Timeout | undefined
  const end = async (exitCode: number, why: CommandEnd): Promise<void> => {
    if (isEnding) return
    isEnding = true
    // Else it would write its own report once what it waits for is killed.
    void thread.terminate()
    try {
      await (await import('./end-command.js')).endCommand(state, why)
    } finally {
      process.exit(exitCode)
    }
  }
  onSignals((exitCode, count) => {
    signalled ??= exitCode
    const code = signalled
    if (count === 2) setTimeout(() => end(code, 'signal'), AFTER_SECOND_SIGNAL_MS)
    else if (count > 2) void end(code, 'signal')
  }, thread)
  const endUnlessAlive = (graceMs: number): void => {
    const before = Atomics.load(beats, 0)
    deadline = setTimeout(() => {
      const isAlive = Atomics.load(beats, 0) !== before
      if (isAlive && graceMs < MAX_GRACE_MS) endUnlessAlive(graceMs + BEAT_CHECK_MS)
      else void end(signalled ?? EXIT.inconclusive, signalled === undefined ? 'deadline' : 'signal')
    }, BEAT_CHECK_MS)
  }
  thread.on('message', (message: FromCommand) => {
    state.add(message)
    if (message.kind !== 'deadline') return
    clearTimeout(deadline)
    const { maxDurationMs } = message
    if (maxDurationMs !== undefined)
      deadline = setTimeout(() => endUnlessAlive(GRACE_MS), maxDurationMs + GRACE_MS - BEAT_CHECK_MS)
  })
  return new Promise((resolve) => {
    let failure: number | undefined
    thread.on('error', (error) => {
      // It has run no handler: what it started runs on, and nothing is written yet.
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        void end(signalled ?? EXIT.inconclusive, 'memory')
      else failure = explain(error)
    })
    thread.on('exit', (exitCode) => {
      if (!isEnding) setImmediate(() => resolve(failure ?? exitCode))
    })
  })
}

/** The same program again, in a thread that has this one's input and output. */
function startThread(args: readonly string[], data: ThreadData): Worker {
  const readsInput = args.includes('--password-stdin') && !process.stdin.isTTY
  const { code, eval: isSource } = ownProgram()
  const thread = new Worker(code, {
    eval: isSource,
    argv: [...args],
    workerData: data,
    stdin: readsInput,
    stdout: true,
    stderr: true,
  })
  if (thread.stdin !== null) process.stdin.pipe(thread.stdin)
  // Not by `pipe`: after a reader that stops reading, the thread would wait for it.
  thread.stdout.on('data', (chunk: Buffer) => passOn(chunk))
  thread.stderr.on('data', (chunk: Buffer) => passOn(chunk, 'stderr'))
  return thread
}

/** @param onSignal given the exit code of each signal, and its number; the first one is passed on */
function onSignals(onSignal: (exitCode: number, count: number) => void, thread: Worker): void {
  let count = 0
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      count += 1
      if (count === 1) thread.postMessage(signal)
      onSignal(exitCodeOf(signal), count)
    })
}
