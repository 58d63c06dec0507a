#!/usr/bin/env node
import { escapeForTerminal } from '../reports/escape.js'
import { AssayError } from '../spec/assay-error.js'
import { nearest } from '../spec/nearest.js'
import { type Command, EXIT } from './command.js'

/** Each command is loaded when it is called, so that none pays for the others. */
const COMMANDS: Readonly<Record<string, { readonly does: string; readonly load: () => Promise<Command> }>> = {
  run: {
    does: 'run the suite against a base URL, a target file, or the embedded reference server',
    load: async () => (await import('./run.js')).runCommand,
  },
  serve: {
    does: 'serve the reference server',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  init: {
    does: 'write a target file, with what a service tells of itself',
    load: async () => (await import('./init.js')).initCommand,
  },
  report: {
    does: 'render a saved report.json in other formats',
    load: async () => (await import('./report.js')).reportCommand,
  },
  compare: {
    does: 'put reports side by side: regressions, fixes, and what else differs',
    load: async () => (await import('./compare.js')).compareCommand,
  },
  merge: {
    does: 'join the reports of all shards of a run',
    load: async () => (await import('./merge.js')).mergeCommand,
  },
  prove: {
    does: 'prove the suite itself: every mutant of the reference server is caught',
    load: async () => (await import('./prove.js')).proveCommand,
  },
  export: {
    does: 'write a k6 script of the token cases, for load from many machines',
    load: async () => (await import('./export.js')).exportCommand,
  },
  list: {
    does: 'list rules, cases, mutants or generators',
    load: async () => (await import('./list.js')).listCommand,
  },
}

const USAGE = `Usage: token-assay COMMAND [arguments]

Proves that a token service keeps its contract: POST {base_url}/Token.

${Object.entries(COMMANDS)
  .map(([name, { does }]) => `  ${name.padEnd(8)}${does}`)
  .join('\n')}

  token-assay COMMAND --help   what a command takes
  token-assay --version        the version

Start here: token-assay run http://127.0.0.1:5000 --user-name alice
(with the password in the environment variable TOKEN_ASSAY_PASSWORD)
`

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${(await import('../conformance/suite.js')).SUITE.version}\n`)
    return EXIT.conformant
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(USAGE)
    return EXIT.conformant
  }
  if (name === undefined) {
    process.stderr.write(USAGE)
    return EXIT.misuse
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    // A base URL is not repeated: it may hold a password.
    if (/^[a-z]+:\/\//i.test(name))
      throw new AssayError('usage', 'the first argument is a command: `token-assay run` takes the base URL')
    const near = nearest(name, Object.keys(COMMANDS))
    const hint = near === undefined ? '`token-assay --help` lists what there is' : `did you mean \`${near}\`?`
    throw new AssayError('usage', `there is no command \`${name}\`: ${hint}`)
  }
  const { usage, execute } = await command.load()
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(usage)
    return EXIT.conformant
  }
  return execute(rest)
}

/** Misuse is told in one message; anything else is a bug of ours, and no stack trace helps a user. */
function explain(error: unknown): number {
  if (error instanceof AssayError) {
    // It may quote what a service printed, or what a file holds.
    const lines = error.message.split('\n').map(escapeForTerminal)
    process.stderr.write(`token-assay: ${lines.join('\n')}\n`)
    return EXIT.misuse
  }
  const what = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
  const debug = process.env.TOKEN_ASSAY_DEBUG !== undefined
  const hint = debug ? '' : '; TOKEN_ASSAY_DEBUG=1 shows where'
  process.stderr.write(
    `token-assay: this is a bug of token-assay itself, not of your service (${escapeForTerminal(what)})${hint}\n`,
  )
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return EXIT.bug
}

// A reader that went away, as `head` does, is no error; nor is a terminal that was closed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'EIO') return
  throw new AssayError('unwritable-file', `standard output cannot be written: ${error.message}`, {
    cause: error,
  })
})
// A full disk must not end a server that logs to it, and there is nobody left to tell.
process.stderr.on('error', () => undefined)

process.on('uncaughtException', (error) => process.exit(explain(error)))
process.exitCode = await main(process.argv.slice(2)).catch(explain)
// Once all is written. Left to itself Node waits for what V8 compiles in the background, for nobody any more: in a short run
// that is a seventh of the CPU and a fifth of the memory.
process.stdout.write('', () => process.stderr.write('', () => process.exit()))
