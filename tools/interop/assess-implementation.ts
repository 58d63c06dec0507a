import { fileURLToPath } from 'node:url'
import { assessTarget } from '../../conformance/assess/assess-target.js'
import type { Target } from '../../conformance/target/deployment.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import type { Outcome, Report } from '../../spec/model/report.js'
import { findPackages } from './installed-version.js'
import { freePorts } from './listen.js'
import { ENVIRONMENT, type Expected, type Implementation } from './servers/servers.js'

/** Any will do; the same one gives the same counterexamples, and so the same page. */
const SEED = 1

/** What came of one server; no report: it is not installed. */
export interface Assessed {
  readonly implementation: Implementation
  /** Such as `glewlwyd 2.7.5-3`. */
  readonly versions: string
  readonly report?: Report
}

/** Runs the suite against an implementation through its target file, which starts it. */
export async function assessImplementation(implementation: Implementation): Promise<Assessed> {
  const { isInstalled, versions } = findPackages(implementation, new URL('servers/', import.meta.url))
  if (!isInstalled) return { implementation, versions }
  return {
    implementation,
    versions,
    report: await assessTarget(await targetOf(implementation), { seed: SEED }),
  }
}

/** The target of an implementation, on free ports. */
export async function targetOf({ folder }: Implementation): Promise<Target> {
  const [port, setupPort] = await freePorts(2)
  const ports = { INTEROP_PORT: String(port), INTEROP_SETUP_PORT: String(setupPort) }
  const file = fileURLToPath(new URL(`servers/${folder}/target.yaml`, import.meta.url))
  return loadTargetFile(file, { ...ENVIRONMENT, ...ports })
}

/** The differences between a run and the expectations: a sentence for each kind of outcome that differs. */
export function differences(expected: Expected, report: Report): readonly string[] {
  return (['failed', 'cantTell'] as const).flatMap((outcome) => {
    const found = rulesThat(outcome, report)
    const foretold = Object.keys(expected[outcome])
    const more = found.filter((id) => !foretold.includes(id))
    const less = foretold.filter((id) => !found.includes(id))
    return [
      ...(more.length === 0 ? [] : [`${outcome}, which was not expected: ${more.join(', ')}`]),
      ...(less.length === 0 ? [] : [`expected ${outcome}, and is not: ${less.join(', ')}`]),
    ]
  })
}

export function rulesThat(wanted: Outcome, { rules }: Report): readonly string[] {
  return rules.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []))
}
