import { reporterNames } from '../reports/reporters.js'
import type { Flags } from './arguments.js'

/** How a report is rendered: the same for every command that renders one. */
export const RENDER_FLAGS = {
  reporter: {
    value: 'NAME[=FILE]',
    many: true,
    help: `${reporterNames.slice(0, -1).join(', ')} or ${reporterNames.at(-1)}; to a file, or to standard output`,
  },
  quiet: { help: 'no progress; one line for each broken rule, and the verdict' },
  verbose: { help: 'every failing result and every exchange in full' },
  'no-color': { help: 'no colours (so does the environment variable NO_COLOR)' },
} as const satisfies Flags
