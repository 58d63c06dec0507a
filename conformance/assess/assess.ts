import type { Report } from '../../spec/model/report.js'
import type { TargetInput } from '../target/target-input.js'
import { ASSESS_OPTIONS, type AssessOptions, checkOptions } from './check-options.js'

export type { AssessOptions } from './check-options.js'

/**
 * Runs the suite against a token service and gives the object of `report.json`. Nonconformance is in the report, never
 * thrown.
 *
 * @param target as in the target file: at least `baseUrl` and `accounts`
 * @throws AssayError for a target or a selection that will not do; nothing has been sent then
 */
export async function assess(target: TargetInput, options: AssessOptions = {}): Promise<Report> {
  checkOptions(options, ASSESS_OPTIONS)
  // Loaded on demand: the engine takes longer to load than a reference server to start, and hardly any test needs both.
  const [{ assessTarget }, { resolveTarget }] = await Promise.all([
    import('./assess-target.js'),
    import('../target/target.js'),
  ])
  const { profiles = [], gate = [], requirements, ...own } = options
  if (profiles.length + gate.length === 0 && requirements === undefined)
    return assessTarget(resolveTarget(target), own)
  const [{ withAdvice }, { loadSpecification }] = await Promise.all([
    import('../../spec/load/advice.js'),
    import('../../spec/load/specification.js'),
  ])
  return assessTarget(resolveTarget(target), {
    ...own,
    specification: withAdvice(loadSpecification(), options),
  })
}
