import type { Assessment, Job } from './job.js'
import { variantProblems } from './matrix/claims.js'
import type { Pool } from './pool.js'

/**
 * What each variant of the job showed. Where something fails each is run alone, so that the guilty one is named; where each
 * passes alone, what fails is that they are in one server.
 * @throws as `Pool.run`
 */
export async function assessVariants(job: Job, pool: Pick<Pool, 'run'>): Promise<readonly Assessment[]> {
  const found = await pool.run(job)
  const { id, besides = [], ...alone } = job
  const ids = [id, ...besides]
  const inOneServer = ids.map((one) => ({ ...found, id: one, besides: ids.filter((other) => other !== one) }))
  if (besides.length === 0 || isRight(found)) return inOneServer
  const apart = await Promise.all(ids.map((one) => pool.run({ ...alone, id: one })))
  return apart.every(isRight) ? inOneServer : apart
}

function isRight(found: Assessment): boolean {
  return variantProblems(found).length === 0
}
