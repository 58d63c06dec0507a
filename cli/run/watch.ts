import { relative } from 'node:path'
import { failuresOf } from '../../reports/formats/shared/failures.js'
import { verdictSentence } from '../../reports/formats/shared/verdict-sentence.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { readOutputs } from '../shared/outputs.js'
import { show } from '../shared/print.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { watchPaths } from '../shared/watch-paths.js'
import { failingResults, type Inputs } from './last-run.js'
import { folderOf, type RunArguments } from './run-flags.js'
import { isInterrupted, openReport, type RunChoice, type RunOutcome } from './run-outcome.js'
import { createInbox, type Round, watchLoop } from './watch-loop.js'

const KEYS: Readonly<Record<string, 'all' | 'failed' | 'quit'>> = { a: 'all', f: 'failed', q: 'quit' }

/** Standard output and standard error. */
const OUTPUTS = [1, 2]

/**
 * Runs again when something changes, until the user quits. @returns the exit code of the last run
 * @throws AssayError where the first run is refused, or a path cannot be watched
 */
export async function watch(
  args: RunArguments,
  run: (choice?: RunChoice) => Promise<RunOutcome>,
): Promise<number> {
  const inbox = createInbox()
  const paths = args.all('watch')
  const print = (text: string): void => show(`${text}\n`, 'stderr')
  let isRunning = false
  let rounds = 0
  let whole: string | undefined
  let changed: string | undefined
  // While something fails, the same inputs are drawn.
  let inputs: Inputs = {}

  using _watcher = watchPaths(paths, {
    ignored: [...writtenFiles(args), ...OUTPUTS],
    onChange: (path) => {
      changed = relative(process.cwd(), path)
      inbox.put('change')
    },
  })
  using keys = readKeys((key) => {
    // As Ctrl-C does without keys: the partial report is written, and a second one ends it at once.
    if (key === '\u0003' || (key === 'q' && isRunning)) process.kill(process.pid, 'SIGINT')
    else if (KEYS[key] !== undefined) inbox.put(KEYS[key])
  })
  // Between runs; during a run, the run hears them as well and writes what it has.
  using stop = onStopSignals(() => inbox.put('quit'))

  const exitCode = await watchLoop({
    inbox,
    say: print,
    run: async (only) => {
      if (changed !== undefined) print(`\n── changed: ${changed} ──`)
      changed = undefined
      isRunning = true
      try {
        const outcome = await run(rounds === 0 ? undefined : { only, inputs })
        rounds += 1
        if (rounds === 1 && args.on('open')) await openReport(outcome)
        if (!outcome.isPart)
          whole = `${timeOfDay()}: ${verdictSentence(outcome.report, failuresOf(outcome.report))}`
        else if (whole !== undefined) print(`Last whole run, at ${whole}`)
        const round = roundOf(outcome, args)
        inputs = outcome.isPart || round.failed.length > 0 ? { seed: outcome.report.seed } : {}
        return round
      } catch (error) {
        // A target file in the middle of an edit: the next change may fix it.
        if (rounds === 0 || !(error instanceof AssayError)) throw error
        for (const line of `token-assay: ${error.message}`.split('\n')) print(line)
        return undefined
      } finally {
        isRunning = false
      }
    },
    onWait: () => {
      const how = keys.areRead ? 'a: run everything, f: only what failed, q: quit' : 'a signal ends it'
      if (inbox.isEmpty) print(`Watching ${paths.join(', ')} (${how})`)
    },
  })
  return stop.exitCode() ?? exitCode
}

function roundOf(outcome: RunOutcome, args: RunArguments): Round {
  const { report, exitCode, isPart } = outcome
  return {
    exitCode,
    isPart,
    // A replay is one input of one case: there is no part of it.
    failed: args.on('replay') ? [] : failingResults(report).map(({ id }) => id),
    isInterrupted: isInterrupted(outcome),
  }
}

/** What the run writes must not start the next one. */
function writtenFiles(args: RunArguments): readonly string[] {
  const files = readOutputs(args.all('reporter')).flatMap(({ file }) => file ?? [])
  const baseline = args.on('update-baseline') ? args.all('baseline') : []
  return [folderOf(args), ...files, ...baseline]
}

/** The keys of a terminal, each as it is pressed; where there is none, nothing. */
function readKeys(onKey: (key: string) => void): Disposable & { readonly areRead: boolean } {
  const stdin = process.stdin
  if (!stdin.isTTY) return { areRead: false, [Symbol.dispose]: () => undefined }
  const read = (keys: Buffer): void => {
    for (const key of keys.toString('latin1')) onKey(key.toLowerCase())
  }
  stdin.setRawMode(true)
  stdin.on('data', read)
  return {
    areRead: true,
    [Symbol.dispose]: () => {
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
    },
  }
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8)
}
