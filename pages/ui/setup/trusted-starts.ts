import { dirname, resolve } from 'node:path'
import type { Deployment, Target } from '../../../conformance/target/deployment.js'
import {
  type Environment,
  substituteEnvironment,
  variablesIn,
} from '../../../conformance/target/environment.js'
import { mergePatch } from '../../../conformance/target/merge-deployments.js'
import { startCommand } from '../../../conformance/target/start-command.js'
import type { TargetSettings } from '../../../conformance/target/target-input.js'
import { formatFindings } from '../../../spec/load/position.js'
import { readPositioned } from '../../../spec/load/positioned.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import { isMap } from '../../../spec/model/json.js'
import type { TargetShape } from './target-text.js'

/** The commands that the file of the user's own choice names, as they were when the page began. */
export interface TrustedStarts {
  /** The variables that they take from the environment. */
  readonly variables: readonly string[]
  /**
   * A text from a page may name no command: it may have been pasted there. Those of the file may stay as they are.
   * @throws AssayError
   */
  check(shape: TargetShape): void
  /** The target with each command as it was resolved at first. @throws AssayError where a variable was not set */
  freeze(target: Target): Target
}

/** Resolves command, variables and folder of each `start`: nothing that a page does later changes them. */
export function trustStarts(
  { file, text }: { readonly file: string; readonly text: string },
  environment: Environment,
): TrustedStarts {
  const folder = resolve(dirname(file))
  const document = readPositioned(file, text)
  const shape = commandsOf(isMap(document.value) ? document.value : {})
  const { value, secrets, findings } = substituteEnvironment(shape, environment, document)
  const { start: top, deployments } = value as TargetShape
  const own = new Map(Object.entries(isMap(deployments) ? deployments : {}))
  const freeze = (deployment: Deployment): Deployment => {
    if (deployment.start === undefined) return deployment
    const merged = mergePatch({ start: top ?? null }, own.get(deployment.name) ?? {})
    // A text that names other commands than the file was refused, and this one is valid by the schema.
    const { start } = merged as { readonly start: NonNullable<TargetSettings['start']> }
    return { ...deployment, start: startCommand(start, folder) }
  }
  return {
    variables: variablesIn(shape),
    check(other) {
      const commands = JSON.stringify(commandsOf(other))
      if (commands !== NONE && commands !== JSON.stringify(shape))
        throw new AssayError(
          'bad-target',
          'expected no `start`, `restart`, `clients` or `passwords`: a target from a page names no commands. Start the service yourself, or write them in a file and name it with --target',
        )
    },
    freeze(target) {
      const [first, ...others] = target.deployments
      if (target.deployments.every(({ start }) => start === undefined)) return target
      if (findings.length > 0) throw new AssayError('unset-variable', formatFindings(findings))
      return {
        ...target,
        deployments: [freeze(first), ...others.map(freeze)],
        secrets: [...target.secrets, ...secrets],
      }
    },
  }
}

const NONE = '{}'

/** All that a target says of commands to run on this machine. The page runs `start` alone; other commands read what it saves. */
function commandsOf({ deployments, resource, cohort, ...target }: TargetShape): TargetShape {
  const { restart } = isMap(resource) ? resource : {}
  const { passwords } = isMap(cohort) ? cohort : {}
  const own = Object.entries({ start: target.start, restart: target.restart, clients: target.clients })
  const named = own.filter(([, value]) => value !== undefined && value !== null)
  const patches = Object.entries(isMap(deployments) ? deployments : {}).flatMap(([name, patch]) => {
    const own = isMap(patch) ? commandsOf(patch) : {}
    return Object.keys(own).length === 0 ? [] : [[name, own] as const]
  })
  return {
    ...Object.fromEntries(named),
    ...(restart === undefined || restart === null ? {} : { resource: { restart } }),
    ...(passwords === undefined || passwords === null ? {} : { cohort: { passwords } }),
    ...(patches.length === 0 ? {} : { deployments: Object.fromEntries(patches) }),
  }
}
