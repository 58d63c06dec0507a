import type { Deployment, Target } from './deployment.js'
import { resolveTarget } from './target.js'
import type { TargetInput } from './target-input.js'

/** Servers that were started to be tested, such as the embedded ones. */
export interface StartedServers {
  /** What a target file would declare of them. */
  readonly input: TargetInput
  /** How much of the suite each deployment meets, by its name; default: all of it. */
  readonly scopes: ReadonlyMap<string, Partial<Pick<Deployment, 'runsShare' | 'cases'>>>
}

/**
 * The target of these servers.
 * @throws AssayError as `resolveTarget`
 */
export function resolveScoped({ input, scopes }: StartedServers): Target {
  const target = resolveTarget(input)
  const scoped = (deployment: Deployment): Deployment => {
    const { runsShare = 1, cases } = scopes.get(deployment.name) ?? {}
    return { ...deployment, runsShare, ...(cases === undefined ? {} : { cases }) }
  }
  const [first, ...others] = target.deployments
  return { ...target, deployments: [scoped(first), ...others.map(scoped)] }
}
