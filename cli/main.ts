#!/usr/bin/env node
import { explain, runCommandLine } from './command-line.js'
import { EXIT, withoutOutput } from './shared/command.js'
import { afterOutput, onUnprinted, print } from './shared/print.js'

// A diagnostic report, where NODE_OPTIONS asks for one, would hold the passwords of the environment. Node 22.13 and later know this.
Object.assign(process.report, { excludeEnv: true })
const args = process.argv.slice(2)
let isLost = false
// A full disk, for example.
onUnprinted(({ message }) => {
  isLost = true
  print(`standard output cannot be written: ${message}`)
  // A server would run on, and no one would have its address.
  if (args[0] === 'serve') process.exit(EXIT.misuse)
})

// Without this, a command that waits for what never comes would exit 0.
process.once('beforeExit', () => {
  print('a bug in token-assay: the command waits, and nothing is left that it could wait for')
  process.exit(EXIT.bug)
})
process.on('uncaughtException', (error) => process.exit(explain(error, args[0] === 'run')))
runCommandLine(args).then((exitCode) => {
  // Where nothing was tested, there is no verdict: what cannot be printed is misuse.
  const withoutPrint =
    args[0] === 'run' || args[0] === 'merge' ? withoutOutput(exitCode) : exitCode || EXIT.misuse
  // Exit once all output is written. Otherwise Node waits until V8 has finished compiling in the background, which in a short
  // run takes a seventh of the CPU time and a fifth of the memory.
  afterOutput(() => process.exit(isLost ? withoutPrint : exitCode))
})
