import { assessTarget } from '../conformance/run.js'
import { loadTargetFile } from '../conformance/target/target-file.js'
import type { Report } from '../spec/model/report.js'
import type { Implementation } from './implementations.js'

/** Any will do; the same one gives the same counterexamples, and so the same page. */
const SEED = 1

/** Starts an implementation, and runs the suite against it through its target file. */
export async function assessImplementation(implementation: Implementation): Promise<Report> {
  await using running = await implementation.start()
  const { file, environment } = implementation
  const target = loadTargetFile(file, { ...environment, INTEROP_BASE_URL: running.url })
  // Awaited here: the server is stopped when this function returns.
  return await assessTarget(target, { seed: SEED })
}
