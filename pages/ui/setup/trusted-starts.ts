import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
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
import { isMap, type Json } from '../../../spec/model/json.js'
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
      const commands = commandsOf(other)
      if (Object.keys(commands).length > 0 && !isDeepStrictEqual(commands, shape))
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

/** All that a target says of commands to run on this machine. The page runs `start` alone; other commands read what it saves. */
function commandsOf({ start, restart, clients, cohort, resource, deployments }: TargetShape): TargetShape {
  const { passwords } = isMap(cohort) ? cohort : {}
  return written({
    start,
    restart,
    clients,
    cohort: written({ passwords }),
    // One request, or several by name; a patch may make the one the other.
    resource: { ...eachOf(resource, restartOf), ...restartOf(resource) },
    deployments: eachOf(deployments, (patch) => (isMap(patch) ? commandsOf(patch) : {})),
  })
}

function restartOf(request: Json | undefined): TargetShape {
  return isMap(request) ? written({ restart: request.restart }) : {}
}

function eachOf(map: Json | undefined, commands: (value: Json) => TargetShape): TargetShape {
  return written(
    Object.fromEntries(Object.entries(isMap(map) ? map : {}).map(([key, value]) => [key, commands(value)])),
  )
}

/** The members that say something. */
function written(members: Readonly<Record<string, Json | undefined>>): TargetShape {
  const named = Object.entries(members).filter(
    ([, value]) =>
      value !== undefined && value !== null && !(isMap(value) && Object.keys(value).length === 0),
  )
  return Object.fromEntries(named) as TargetShape
}
