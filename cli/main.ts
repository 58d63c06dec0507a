#!/usr/bin/env node
import { explain, runCommandLine } from './command-line.js'
import { EXIT, withoutOutput } from './shared/command.js'

const args = process.argv.slice(2)
let isLost = false
// A reader that stops reading, as `head` does, or a closed terminal is not an error. A full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'EIO' || isLost) return
  isLost = true
  process.stderr.write(`token-assay: standard output cannot be written: ${error.message}\n`)
  // A server would run on, and no one would have its address.
  if (args[0] === 'serve') process.exit(EXIT.misuse)
})
// A full disk must not end a server that writes its log there, and there is no other place for a message.
process.stderr.on('error', () => undefined)

process.on('uncaughtException', (error) => process.exit(explain(error, args[0] === 'run')))
runCommandLine(args).then((exitCode) => {
  // Where nothing was tested, there is no verdict: what cannot be printed is misuse.
  const withoutPrint =
    args[0] === 'run' || args[0] === 'merge' ? withoutOutput(exitCode) : exitCode || EXIT.misuse
  // Exit once all output is written. Otherwise Node waits until V8 has finished compiling in the background, which in a short
  // run takes a seventh of the CPU time and a fifth of the memory. A failure is reported after the write that failed.
  process.stdout.write('', () =>
    setImmediate(() => process.stderr.write('', () => process.exit(isLost ? withoutPrint : exitCode))),
  )
})
