import { didYouMean } from '../spec/load/nearest.js'
import { AssayError } from '../spec/model/assay-error.js'
import { type Command, type CommandTable, EXIT } from './shared/command.js'
import { exhausted } from './shared/exhausted.js'
import { print, say, show } from './shared/print.js'

/** What each command does; it is loaded on demand, so that it does not wait for the others. */
const COMMANDS: CommandTable = {
  run: ['test a service, or the embedded reference server', () => import('./run/run.js')],
  ui: ['open a page to set up a target, run the suite and watch it', () => import('./ui/ui.js')],
  client: [
    'test a client: a command that signs in, against every legal answer',
    () => import('./client/client.js'),
  ],
  proxy: [
    'judge real traffic between a client and a service, as it passes',
    () => import('./proxy/proxy.js'),
  ],
  serve: ['start the reference server', () => import('./serve/serve.js')],
  init: ['write a target file, filled in from the answers of a service', () => import('./init/init.js')],
  report: ['render a saved report.json in other formats', () => import('./report.js')],
  compare: ['compare reports: regressions, fixes, other differences', () => import('./compare.js')],
  board: ['write the history of a folder of reports as static pages', () => import('./board.js')],
  diff: ['compare an old service with a new one: what clients will notice', () => import('./diff/diff.js')],
  rehearse: [
    'rehearse a cut-over: which service accepts whose tokens',
    () => import('./rehearse/rehearse.js'),
  ],
  'clean-up': ['remove the accounts that a run could not remove', () => import('./clean-up/clean-up.js')],
  merge: ['join the reports of all shards of a run', () => import('./merge.js')],
  prove: [
    'test the suite itself: it must detect every mutant of the reference server',
    () => import('./prove/prove.js'),
  ],
  export: ['write a k6 script of the token cases, for load tests', () => import('./export/export.js')],
  list: ['list rules, cases, mutants or generators', () => import('./list.js')],
  explain: [
    'explain why a rule matters, what breaks it and how to fix it',
    () => import('./explain/explain.js'),
  ],
  completion: [
    'write a script by which a shell completes commands and flags',
    async () => ({ command: (await import('./completion/completion.js')).completionCommand(COMMANDS) }),
  ],
}

/** Commands that end with a report, whatever keeps their event loop busy. */
export const WATCHED: readonly string[] = ['run', 'client', 'proxy', 'diff', 'rehearse']

const USAGE = `Usage: token-assay COMMAND [arguments]

Tests whether a token service conforms to its specification: POST {base_url}/Token.

${Object.entries(COMMANDS)
  .map(([name, [does]]) => `  ${name.padEnd(12)}${does}`)
  .join('\n')}

  token-assay COMMAND --help   show the arguments of a command
  token-assay version          show the version (also --version)

To start: token-assay run http://127.0.0.1:8080 --user-name alice
(with the password in the environment variable TOKEN_ASSAY_PASSWORD)
`

/** Runs the command that the arguments name, and gives its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  try {
    const command = await commandOf(name)
    if (typeof command === 'number') return command
    if (!rest.includes('--help') && !rest.includes('-h')) return await command.execute(rest)
    show(command.usage)
    return EXIT.conformant
  } catch (error) {
    return explain(error, WATCHED.includes(name ?? ''))
  }
}

/** The command of that name; or the exit code, where the call was about the tool itself. @throws AssayError `usage` */
async function commandOf(name: string | undefined): Promise<Command | number> {
  if (name === '--version' || name === '-v' || name === 'version') {
    say((await import('../reports/model/compose-report.js')).SUITE.version)
    return EXIT.conformant
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    show(USAGE)
    return EXIT.conformant
  }
  if (name === undefined) {
    show(USAGE, 'stderr')
    return EXIT.misuse
  }
  const [, load] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || []
  if (load !== undefined) return (await load()).command
  // A base URL is not repeated in the message: it may contain a password.
  if (/^[a-z]+:\/\//i.test(name))
    throw new AssayError('usage', 'the first argument must be a command, as in `token-assay run BASE-URL`')
  const names = [...Object.keys(COMMANDS), 'version', 'help']
  const hint = didYouMean(name, names, '`token-assay --help` lists all commands')
  throw new AssayError('usage', `unknown command \`${name}\`: ${hint}`)
}

const OF_FILES: readonly string[] = [
  'EACCES',
  'EIO',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]

/** Why a file that the user names cannot be had, where nothing else has said so. */
function unusable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  if (syscall === 'uv_cwd') return 'the working directory is not there any more'
  return path !== undefined && OF_FILES.includes(code) ? `${path}: ${error.message}` : undefined
}

/**
 * Misuse gives one message. Any other error is a bug in the suite; a stack trace would not help the user.
 * @param isVerdict whether the command ends with a verdict: what the machine lacks makes it inconclusive
 */
export function explain(error: unknown, isVerdict = false): number {
  const lacking = exhausted(error)
  if (lacking === undefined && error instanceof AssayError) {
    show(`token-assay: ${error.message}\n`, 'stderr')
    return EXIT.misuse
  }
  const refused = lacking ?? unusable(error)
  if (refused !== undefined) {
    print(refused)
    return isVerdict && lacking !== undefined ? EXIT.inconclusive : EXIT.misuse
  }
  const what = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
  const debug = process.env.TOKEN_ASSAY_DEBUG !== undefined
  const hint = debug ? '' : '; set TOKEN_ASSAY_DEBUG=1 to see the stack trace'
  print(`this is a bug in token-assay, not in your service (${what})${hint}`)
  if (debug && error instanceof Error) show(`${error.stack}\n`, 'stderr')
  return EXIT.bug
}
