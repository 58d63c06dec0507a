import { AssayError } from '../../spec/model/assay-error.js'
import type { Flags } from './arguments.js'
import type { Waivers } from './read-waivers.js'

export const WAIVER_FLAGS = {
  baseline: { value: 'FILE', help: 'known failures, which do not fail the run until a date' },
  'update-baseline': { help: 'write the failures of this run to the baseline' },
} as const satisfies Flags

export const NO_WAIVERS: Waivers = {
  isKnown: () => false,
  files: [],
  apply: (report) => ({ report, stale: [], save: () => undefined }),
}

/** What the baseline says, if one is named. @throws AssayError where it cannot be read, or is not named */
export async function waiversOf(args: {
  readonly on: (name: 'update-baseline') => boolean
  readonly one: (name: 'baseline') => string | undefined
}): Promise<Waivers> {
  const file = args.one('baseline')
  const update = args.on('update-baseline')
  if (file === undefined && update)
    throw new AssayError('usage', '--update-baseline needs --baseline FILE, the file to write')
  if (file === undefined) return NO_WAIVERS
  // The YAML parser is slow to load, and few runs need it.
  return (await import('./read-waivers.js')).readWaivers(file, update, new Date())
}
