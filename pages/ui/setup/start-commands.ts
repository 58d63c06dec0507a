import { AssayError } from '../../../spec/model/assay-error.js'
import { isMap, type Json } from '../../../spec/model/json.js'

/** The commands of a target that would be run on this machine, as one text to compare. */
export function startCommands(shape: { readonly [key: string]: Json }): string {
  const { deployments } = shape
  const patches = isMap(deployments) ? Object.entries(deployments) : []
  const commands = [
    ['', shape.start],
    ...patches.map(([name, patch]) => [name, isMap(patch) ? patch.start : undefined]),
  ].filter(([, start]) => start !== undefined && start !== null)
  return JSON.stringify(commands)
}

export const NO_COMMANDS = startCommands({})

/**
 * A text from a page may name no command: it may have been pasted there. Those of the file that the user named on the
 * command line may stay as they are.
 * @throws AssayError
 */
export function refuseCommands(shape: { readonly [key: string]: Json }, trusted: string): void {
  const commands = startCommands(shape)
  if (commands !== NO_COMMANDS && commands !== trusted)
    throw new AssayError(
      'bad-target',
      'expected no `start`: a target from a page names no commands. Start the service yourself, or write `start` in a file and name it with --target',
    )
}
