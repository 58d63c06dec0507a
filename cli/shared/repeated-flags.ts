import { shellWord } from '../../reports/formats/shared/phrase.js'
import type { Arguments, Flags } from './arguments.js'

/** Those of a command's flags that were given and that have one of these names, as words for a shell. */
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
      : args.all(name).map((value) => `--${name} ${shellWord(value)}`),
  )
}
