import { didYouMean } from '../spec/load/nearest.js'
import { AssayError } from '../spec/model/assay-error.js'
import { type Command, EXIT } from './shared/command.js'
import { print, say, show } from './shared/print.js'

/** Each command is loaded on demand, so that it does not wait for the others. */
const COMMANDS: Readonly<Record<string, { readonly does: string; readonly load: () => Promise<Command> }>> = {
  run: {
    does: 'test a service, or the embedded reference server',
    load: async () => (await import('./run/run.js')).runCommand,
  },
  ui: {
    does: 'open a page to set up a target, run the suite and watch it',
    load: async () => (await import('./ui/ui.js')).uiCommand,
  },
  client: {
    does: 'test a client: a command that signs in, against every legal answer',
    load: async () => (await import('./client/client.js')).clientCommand,
  },
  proxy: {
    does: 'judge real traffic between a client and a service, as it passes',
    load: async () => (await import('./proxy/proxy.js')).proxyCommand,
  },
  serve: {
    does: 'start the reference server',
    load: async () => (await import('./serve/serve.js')).serveCommand,
  },
  init: {
    does: 'write a target file, filled in from the answers of a service',
    load: async () => (await import('./init/init.js')).initCommand,
  },
  report: {
    does: 'render a saved report.json in other formats',
    load: async () => (await import('./report.js')).reportCommand,
  },
  compare: {
    does: 'compare reports: regressions, fixes, other differences',
    load: async () => (await import('./compare.js')).compareCommand,
  },
  board: {
    does: 'write the history of a folder of reports as static pages',
    load: async () => (await import('./board.js')).boardCommand,
  },
  diff: {
    does: 'compare an old service with a new one: what clients will notice',
    load: async () => (await import('./diff/diff.js')).diffCommand,
  },
  merge: {
    does: 'join the reports of all shards of a run',
    load: async () => (await import('./merge.js')).mergeCommand,
  },
  prove: {
    does: 'test the suite itself: it must detect every mutant of the reference server',
    load: async () => (await import('./prove/prove.js')).proveCommand,
  },
  export: {
    does: 'write a k6 script of the token cases, for load tests',
    load: async () => (await import('./export/export.js')).exportCommand,
  },
  list: {
    does: 'list rules, cases, mutants or generators',
    load: async () => (await import('./list.js')).listCommand,
  },
  explain: {
    does: 'explain why a rule matters, what breaks it and how to fix it',
    load: async () => (await import('./explain/explain.js')).explainCommand,
  },
}

const USAGE = `Usage: token-assay COMMAND [arguments]

Tests whether a token service conforms to its specification: POST {base_url}/Token.

${Object.entries(COMMANDS)
  .map(([name, { does }]) => `  ${name.padEnd(9)}${does}`)
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
    return explain(error, name === 'run')
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
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return command.load()
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

/** What the machine does not have enough of, where that is the error: no bug, and no verdict either. */
function exhausted(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'too many files and connections are open: raise the limit that `ulimit -n` shows; 100 is enough'
  return code === 'ENOMEM' ? 'there is not enough memory' : exhausted(error.cause)
}

/** Misuse gives one message. Any other error is a bug in the suite; a stack trace would not help the user. */
export function explain(error: unknown, isRun = false): number {
  if (error instanceof AssayError) {
    show(`token-assay: ${error.message}\n`, 'stderr')
    return EXIT.misuse
  }
  const lacking = exhausted(error)
  const refused = lacking ?? unusable(error)
  if (refused !== undefined) {
    print(refused)
    return isRun && lacking !== undefined ? EXIT.inconclusive : EXIT.misuse
  }
  const what = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
  const debug = process.env.TOKEN_ASSAY_DEBUG !== undefined
  const hint = debug ? '' : '; set TOKEN_ASSAY_DEBUG=1 to see the stack trace'
  print(`this is a bug in token-assay, not in your service (${what})${hint}`)
  if (debug && error instanceof Error) show(`${error.stack}\n`, 'stderr')
  return EXIT.bug
}
