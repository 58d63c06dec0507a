/** A process of `prove`: runs the jobs that its parent sends, and sends back what they showed, until its parent ends. */

import { startEmbeddedProvider } from '../../reference/embedded/embedded-servers.js'
import type { RunningProvider } from '../../reference/provider/provider.js'
import type { Assessment, Job } from './job.js'
import { runJob } from './run-job.js'

export interface NumberedJob {
  /** Comes back with the result. */
  readonly number: number
  readonly job: Job
}

export interface JobResult {
  readonly number: number
  readonly assessment?: Assessment
  /** The run itself failed, which is a bug of token-assay. */
  readonly error?: string
}

/** One for all jobs of this process. */
let provider: Promise<RunningProvider> | undefined

async function resultOf({ number, job }: NumberedJob): Promise<JobResult> {
  try {
    provider ??= startEmbeddedProvider()
    return { number, assessment: await runJob(job, await provider) }
  } catch (error) {
    return { number, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

process.on('message', async (job: NumberedJob) => {
  process.send?.(await resultOf(job))
})
// Whatever a server still waits for must not keep the process alive.
process.once('disconnect', () => process.exit())
