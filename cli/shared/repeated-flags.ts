import type { Arguments, Flags } from './arguments.js'

/** Those that `clean-up` needs too, to reach the accounts that stay. */
export const REACH_FLAGS = ['target', 'ca', 'insecure'] as const

/** Those of a command's flags that were given and that have one of these names, as words. */
export function repeatedFlags<F extends Flags>(
  args: Arguments<F>,
  flags: F,
  names: readonly (keyof F & string)[],
): readonly string[] {
  return names.flatMap((name) =>
    flags[name]?.value === undefined
      ? args.on(name)
        ? [`--${name}`]
        : []
      : args.all(name).flatMap((value) => [`--${name}`, value]),
  )
}
