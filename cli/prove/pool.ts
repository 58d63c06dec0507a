import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Assessment, Job } from './assessment.js'
import type { Answer, Order } from './worker.js'

export interface PoolOptions {
  readonly processes: number
  /** Runs at a time in each: most of a run is waiting for a clock to advance. */
  readonly atOnce: number
  readonly onDone: (assessment: Assessment) => void
}

/** From the sources, and from `dist/`. */
const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url))

/**
 * Runs every job once, each process many of them.
 * @returns the assessments in the order of the jobs
 * @throws Error where a process ends before its work is done
 */
export async function runJobs(jobs: readonly Job[], options: PoolOptions): Promise<readonly Assessment[]> {
  const queue = jobs.map((job, number): Order => ({ number, job })).values()
  const done = new Map<number, Assessment>()
  const needed = Math.min(options.processes, Math.ceil(jobs.length / options.atOnce))
  const children = Array.from({ length: needed }, () =>
    // Their standard output is nobody's: the parent alone prints.
    fork(WORKER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
  const keep = (answer: Answer): void => {
    const { number, assessment, error } = answer
    if (assessment === undefined)
      throw new Error(`${describe(jobs[number])} could not be assessed: ${error ?? 'no assessment came'}`)
    done.set(number, assessment)
    options.onDone(assessment)
  }
  try {
    await Promise.all(children.map((child) => drain(child, queue, options.atOnce, keep)))
  } finally {
    for (const child of children) if (child.connected) child.disconnect()
  }
  return jobs.flatMap((_, number) => done.get(number) ?? [])
}

/** Keeps one process busy until the queue, which it shares with others, is empty. */
function drain(
  child: ChildProcess,
  queue: Iterator<Order>,
  atOnce: number,
  keep: (answer: Answer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const running = new Map<number, Job>()
    const fill = (): void => {
      while (running.size < atOnce) {
        const next = queue.next()
        if (next.done) break
        running.set(next.value.number, next.value.job)
        child.send(next.value)
      }
      if (running.size === 0) resolve()
    }
    child.on('message', (answer: Answer) => {
      running.delete(answer.number)
      try {
        keep(answer)
        fill()
      } catch (error) {
        reject(error)
      }
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      const what = [...running.values()].map(describe).join(', ')
      reject(new Error(`a process ended (${signal ?? code}) while it ran ${what || 'nothing'}`))
    })
    fill()
  })
}

function describe(job: Job | undefined): string {
  return job === undefined ? 'a job' : `${job.kind} ${job.id} at seed ${job.seed}`
}
