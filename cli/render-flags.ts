import { reporterNames } from '../reports/reporters.js'
import type { Flags } from './arguments.js'

/** How a report is rendered: the same for every command that renders one. */
export const RENDER_FLAGS = {
  reporter: {
    value: 'NAME[=FILE]',
    many: true,
    help: 'a format, to a file or to standard output; several may be asked for',
  },
  quiet: { help: 'no progress; one line for each broken rule, and the verdict' },
  verbose: { help: 'every failing result and every exchange in full' },
  'no-color': { help: 'no colours (so does the environment variable NO_COLOR)' },
} as const satisfies Flags

/** For the help of a command that renders: every format by its name. */
export const FORMATS = `Formats: ${reporterNames.join(', ')}.`
