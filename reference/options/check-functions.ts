import { specifiedBehaviour } from '../behaviour.js'
import type { Clock } from '../clock.js'
import { badOption } from './read-settings.js'

const CLOCK: readonly (keyof Clock)[] = ['now', 'advance', 'freeze', 'reset']

/**
 * For callers in plain JavaScript: what no schema describes. A decision with a typing error would change nothing.
 * @throws AssayError `bad-option` naming the option
 */
export function checkFunctions(
  options: Readonly<Partial<Record<'behaviour' | 'clock' | 'log' | 'reload', unknown>>>,
): void {
  const { behaviour = {}, clock, log, reload } = options
  const decisions = record('behaviour', behaviour)
  for (const [name, decide] of Object.entries(decisions)) {
    if (!Object.hasOwn(specifiedBehaviour, name))
      throw badOption(
        `expected behaviour to have no member but ${Object.keys(specifiedBehaviour).join(', ')}, found ${JSON.stringify(name.slice(0, 64))}`,
      )
    checkFunction(`behaviour.${name}`, decide)
  }
  if (clock !== undefined) {
    const methods = record('clock', clock)
    for (const name of CLOCK) checkFunction(`clock.${name}`, methods[name])
  }
  if (log !== undefined) checkFunction('log', log)
  if (reload !== undefined) checkFunction('reload', reload)
}

function record(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw badOption(`expected ${name} to be an object`)
  return value as Readonly<Record<string, unknown>>
}

function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw badOption(`expected ${name} to be a function`)
}
