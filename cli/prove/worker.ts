/** A process of `prove`: told what to run, it answers with what was found, until its parent goes away. */
import type { RunningProvider } from '../../reference/provider/provider.js'
import { startEmbeddedProvider } from '../embedded-servers.js'
import { assessSubject } from './assess-subject.js'
import type { Assessment, Job } from './assessment.js'

export interface Order {
  /** Comes back with the answer. */
  readonly number: number
  readonly job: Job
}

export interface Answer {
  readonly number: number
  readonly assessment?: Assessment
  /** The run itself failed, which is a bug of ours. */
  readonly error?: string
}

/** One for all jobs of this process. */
let provider: Promise<RunningProvider> | undefined

async function answer({ number, job }: Order): Promise<Answer> {
  try {
    provider ??= startEmbeddedProvider()
    return { number, assessment: await assessSubject(job, await provider) }
  } catch (error) {
    return { number, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

process.on('message', async (order: Order) => {
  process.send?.(await answer(order))
})
// What a server still waits for must not keep the process.
process.once('disconnect', () => process.exit())
