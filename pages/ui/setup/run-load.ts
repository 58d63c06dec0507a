import { loadsOfRun } from '../../../conformance/assess/suite/planned-load.js'
import type { Target } from '../../../conformance/target/deployment.js'
import { loadSentence } from '../../../reports/formats/shared/load-sentence.js'
import { AssayError } from '../../../spec/model/assay-error.js'

/** What a run of everything does to the service, known before it begins. */
export interface RunLoad {
  readonly sentences: readonly string[]
  /** Where accounts stay that no one has agreed to yet. */
  readonly unasked: readonly string[]
  /** Why there is no target to run yet. */
  readonly problem?: string
}

/** Asks once for each service where accounts stay. */
export interface RunLoads {
  /** Of a target that is not complete: what is wrong with it. */
  now(): RunLoad
  agree(): void
  /** @throws AssayError where accounts would stay, and no one was asked */
  check(): void
}

export function createRunLoads(target: () => Target): RunLoads {
  const agreed = new Set<string>()
  const loads: RunLoads = {
    now() {
      const all = loadsOf(target)
      if ('problem' in all) return { sentences: [], unasked: [], ...all }
      const stay = all.filter(
        ({ accounts, deployment: { registration } }) =>
          accounts > 0 && registration !== undefined && registration.cleanUp === undefined,
      )
      return {
        sentences: all.map(({ deployment, ...load }) => `A run ${loadSentence(deployment, load)}.`),
        unasked: stay.map(({ deployment }) => deployment.shownBaseUrl).filter((url) => !agreed.has(url)),
      }
    },
    agree() {
      for (const url of loads.now().unasked) agreed.add(url)
    },
    check() {
      const { unasked } = loads.now()
      if (unasked.length > 0)
        throw new AssayError(
          'usage',
          `Accounts that the run registers at ${unasked.join(', ')} stay there. Under Set up, tick “The accounts may stay”, or give the path at which DELETE removes an account.`,
        )
    },
  }
  return loads
}

function loadsOf(target: () => Target): ReturnType<typeof loadsOfRun> | { readonly problem: string } {
  try {
    return loadsOfRun(target())
  } catch (error) {
    if (error instanceof AssayError) return { problem: error.message }
    throw error
  }
}
