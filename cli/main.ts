#!/usr/bin/env node
import { isMainThread } from 'node:worker_threads'
import { explain, runCommandLine, WATCHED } from './command-line.js'
import { EXIT, withoutOutput } from './shared/command.js'
import { assertEnoughFiles } from './shared/exhausted.js'
import { afterOutput, onUnprinted, print } from './shared/print.js'
import { becomeCommandThread } from './shared/watchdog/command-thread.js'
import { watchCommand } from './shared/watchdog/watch-command.js'

// A diagnostic report, where NODE_OPTIONS asks for one, would hold the passwords of the environment. Node 22.13 and later know this.
Object.assign(process.report, { excludeEnv: true })
// Node would open its debugger, at a port that every user of the machine reaches.
if (isMainThread) process.on('SIGUSR1', () => undefined)
const args = process.argv.slice(2)
const [name = ''] = args
const explainError = (error: unknown): number => explain(error, WATCHED.includes(name))
const isWatched = isMainThread && WATCHED.includes(name) && !args.includes('--help') && !args.includes('-h')
let watched: Promise<number> | undefined
try {
  if (isMainThread) assertEnoughFiles(name)
  // Before anything else: from here on a signal does not end the command without its report.
  if (isWatched) watched = watchCommand(args, explainError)
} catch (error) {
  process.exit(explainError(error))
}
process.on('uncaughtException', (error) => process.exit(explainError(error)))

// Before anything listens to the outputs: a terminal of its own takes their place.
if (!isMainThread) becomeCommandThread()

let isLost = false
// A full disk, for example.
onUnprinted(({ message }) => {
  isLost = true
  print(`standard output cannot be written: ${message}`)
  // A server would run on, and no one would have its address.
  if (name === 'serve') process.exit(EXIT.misuse)
})

// Without this, a command that waits for what never comes would exit 0.
process.once('beforeExit', () => {
  print('a bug in token-assay: the command waits, and nothing is left that it could wait for')
  process.exit(EXIT.bug)
})
const ended = watched ?? runCommandLine(args)
ended.then((exitCode) => {
  // Where nothing was tested, there is no verdict: what cannot be printed is misuse.
  const withoutPrint = name === 'run' || name === 'merge' ? withoutOutput(exitCode) : exitCode || EXIT.misuse
  // Exit once all output is written. Otherwise Node waits until V8 has finished compiling in the background, which in a short
  // run takes a seventh of the CPU time and a fifth of the memory.
  afterOutput(() => process.exit(isLost ? withoutPrint : exitCode))
})
