import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inParallel } from '../../spec/model/items.js'
import type { Assessment, Job } from './job.js'
import type { JobResult, NumberedJob } from './worker.js'

/** From the sources, and from `dist/`. */
const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url))

/** Jobs at a time in each process: most of a run is waiting for a clock to advance. */
const JOBS_EACH = 12

/** Processes that run jobs, started when they are needed. Disposing ends them. */
export class Pool implements Disposable {
  readonly #max: number
  readonly #processes: PoolProcess[] = []

  /** @param processes how many there may be */
  constructor(processes: number) {
    this.#max = processes
  }

  /** How many jobs run at a time; more only wait for the processor. */
  get width(): number {
    return this.#max * JOBS_EACH
  }

  /** @throws Error where the suite itself fails, or the process ends before the job is done */
  run(job: Job): Promise<Assessment> {
    return this.#processWithRoom().run(job)
  }

  /**
   * Runs every job once.
   * @returns the assessments in the order of the jobs
   * @throws as `run`
   */
  runAll(jobs: readonly Job[]): Promise<readonly Assessment[]> {
    return inParallel(jobs, this.width, (job) => this.run(job))
  }

  [Symbol.dispose](): void {
    for (const one of this.#processes) one[Symbol.dispose]()
  }

  #processWithRoom(): PoolProcess {
    const withRoom = this.#processes.find(({ running }) => running < JOBS_EACH)
    if (withRoom !== undefined) return withRoom
    const [leastBusy] = this.#processes.toSorted((a, b) => a.running - b.running)
    if (leastBusy !== undefined && this.#processes.length >= this.#max) return leastBusy
    const started = new PoolProcess()
    this.#processes.push(started)
    return started
  }
}

interface RunningJob {
  readonly job: Job
  readonly resolve: (assessment: Assessment) => void
  readonly reject: (error: Error) => void
}

class PoolProcess implements Disposable {
  // Its standard output is ignored: the parent alone prints.
  readonly #child: ChildProcess = fork(WORKER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  readonly #running = new Map<number, RunningJob>()
  #next = 0

  constructor() {
    this.#child.on('message', (result: JobResult) => this.#finish(result))
    this.#child.once('error', (error) => this.#fail(error))
    this.#child.once('exit', (code, signal) => this.#fail(new Error(`a process ended (${signal ?? code})`)))
  }

  get running(): number {
    return this.#running.size
  }

  run(job: Job): Promise<Assessment> {
    const number = this.#next++
    return new Promise((resolve, reject) => {
      this.#running.set(number, { job, resolve, reject })
      const message: NumberedJob = { number, job }
      this.#child.send(message)
    })
  }

  [Symbol.dispose](): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  #finish({ number, assessment, error }: JobResult): void {
    const done = this.#running.get(number)
    if (done === undefined) return
    this.#running.delete(number)
    if (assessment !== undefined) done.resolve(assessment)
    else {
      const why = error === undefined ? 'no assessment came' : `${error.name}: ${error.message}`
      const cause = Object.assign(new Error(why), error)
      done.reject(new Error(`${describe(done.job)} could not be assessed: ${why}`, { cause }))
    }
  }

  #fail(cause: Error): void {
    for (const { job, reject } of this.#running.values())
      reject(new Error(`${cause.message} while it ran ${describe(job)}`, { cause }))
    this.#running.clear()
  }
}

function describe({ kind, id, seed }: Job): string {
  return `${kind} ${id} at seed ${seed}`
}
