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
  /** The run itself failed: the machine lacks something, or it is a bug of token-assay. As an error has these. */
  readonly error?: Pick<NodeJS.ErrnoException, 'name' | 'message' | 'code' | 'syscall'> & {
    readonly port?: number | undefined
  }
}

/** One for all jobs of this process. */
let provider: Promise<RunningProvider> | undefined

async function resultOf({ number, job }: NumberedJob): Promise<JobResult> {
  try {
    provider ??= startEmbeddedProvider()
    return { number, assessment: await runJob(job, await provider) }
  } catch (error) {
    const failure: JobResult['error'] = error instanceof Error ? error : new Error(String(error))
    const { name, message, code, syscall, port } = failure
    return { number, error: { name, message, code, syscall, port } }
  }
}

process.on('message', async (job: NumberedJob) => {
  // Its parent may have ended meanwhile.
  process.send?.(await resultOf(job), undefined, undefined, () => undefined)
})
// Whatever a server still waits for must not keep the process alive.
process.once('disconnect', () => process.exit())
