import { assessTarget } from '../../conformance/assess/assess-target.js'
import type { Environment } from '../../conformance/target/environment.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import type { Report } from '../../spec/model/report.js'
import { ENVIRONMENT, type Implementation, type InProcess } from './implementations.js'
import { installedVersion } from './installed-version.js'
import { freePorts } from './listen.js'

/** Any will do; the same one gives the same counterexamples, and so the same page. */
const SEED = 1

/** What came of one server; no report: it is not installed. */
export interface Assessed {
  readonly implementation: Implementation
  /** Such as `glewlwyd 2.7.5-3`. */
  readonly versions: string
  readonly report?: Report
}

/** Runs the suite against an implementation through its target file, which starts it, unless this process does. */
export async function assessImplementation(implementation: Implementation | InProcess): Promise<Assessed> {
  const { packages, from, file } = implementation
  const versions = packages.map((name) => [name, installedVersion(name, from)] as const)
  const missing = versions.flatMap(([name, version]) => (version === undefined ? [name] : []))
  if (missing.length > 0) return { implementation, versions: `${missing.join(', ')} not installed` }
  await using running = 'start' in implementation ? await implementation.start() : undefined
  const where = running === undefined ? await portsForStart() : { INTEROP_BASE_URL: running.url }
  const target = loadTargetFile(file, { ...ENVIRONMENT, ...where })
  // Awaited here: the server is stopped when this function returns.
  const report = await assessTarget(target, { seed: SEED })
  return { implementation, versions: versions.map((pair) => pair.join(' ')).join(', '), report }
}

async function portsForStart(): Promise<Environment> {
  const [port, setupPort] = await freePorts(2)
  return { INTEROP_PORT: String(port), INTEROP_SETUP_PORT: String(setupPort) }
}
