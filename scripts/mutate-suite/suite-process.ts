import { type ChildProcess, fork } from 'node:child_process'
import type { Specification, Verdict } from '../../spec/types.js'

/** What `cli/prove/worker.ts` is asked, as far as it is of use here. */
export interface Job {
  readonly kind: 'mutant' | 'variant'
  readonly id: string
  readonly only?: readonly string[]
  readonly specification?: Specification
}

/** What it answers. */
export interface Assessment {
  readonly verdict: Verdict
  readonly rules: Readonly<Record<string, { readonly outcome: string }>>
  readonly failures: readonly { readonly rule: string; readonly case: string; readonly index: number }[]
}

interface Answer {
  readonly number: number
  readonly assessment?: Assessment
  readonly error?: string
}

/** A process of `prove`. */
export class SuiteProcess implements Disposable {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #next = 0

  /** @param worker `cli/prove/worker.ts` of this tree, or of a copy */
  constructor(worker: string) {
    this.#child = fork(worker, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#child.on('message', (answer: Answer) => this.#waiting.get(answer.number)?.(answer))
    this.#child.once('exit', (code) => {
      for (const [number, answer] of this.#waiting) answer({ number, error: `the process ended (${code})` })
    })
  }

  /**
   * Runs the suite against one mutant or variant.
   * @param site of the judge, to be switched in the whole process: runs at the same time share it
   * @returns undefined where the suite itself broke down
   */
  async assess(job: Job, site?: number): Promise<Assessment | undefined> {
    const number = this.#next++
    const { assessment } = await new Promise<Answer>((resolve) => {
      this.#waiting.set(number, resolve)
      this.#child.send({ number, site, job: { ...job, seed: 1, full: false } })
    })
    this.#waiting.delete(number)
    return assessment
  }

  [Symbol.dispose](): void {
    if (this.#child.connected) this.#child.disconnect()
  }
}
