import type { RunOptions } from '../../conformance/assess/assess-target.js'
import { untestedResults } from '../../conformance/assess/suite/case-result.js'
import type { TimedExchange } from '../../conformance/drivers/send/session/run-context.js'
import { secretWarnings } from '../../conformance/evidence/describe.js'
import type { Target } from '../../conformance/target/deployment.js'
import { loadSentence } from '../../reports/formats/shared/load-sentence.js'
import { assertWritable, writeAtomic } from '../shared/files.js'
import { print } from '../shared/print.js'
import { clearReportOutput, type Finish } from '../shared/report-output.js'
import { tellWatchdog } from '../shared/watchdog/command-thread.js'
import { progressOf, type RunProgress } from './progress.js'
import { namesLeftOf, type RunArguments } from './run-flags.js'
import type { RunSetup } from './set-up-run.js'
import { renderTrace } from './trace.js'

export interface RunEvents {
  readonly listeners: (
    tested: Target,
  ) => Pick<
    RunOptions,
    'onPlan' | 'onRequest' | 'onAccount' | 'onLogin' | 'onExchange' | 'onWait' | 'onResult' | 'onFailing'
  >
  readonly stream: Pick<Finish, 'streamed' | 'ends'>
  readonly note: RunProgress['note']
  readonly done: RunProgress['done']
}

export async function runEvents(args: RunArguments, setup: RunSetup): Promise<RunEvents> {
  const { target, notes, warnings, specification, output, waivers } = setup
  const isQuiet = args.on('quiet')
  const traceFile = args.one('trace')
  const exchanges: TimedExchange[] = []
  const streamed = output.outputs.filter(({ reporter }) => reporter === 'ndjson')
  const stream =
    streamed.length === 0 ? undefined : (await import('./report-stream.js')).createReportStream(streamed)
  const progress = isQuiet ? undefined : progressOf(args)
  return {
    listeners: (tested) => ({
      // The last point at which the call can be refused: nothing has been sent or printed yet.
      onPlan: (plan, start, loads) => {
        const others = traceFile === undefined ? [] : [traceFile]
        assertWritable([...waivers.files, ...output.files, ...others])
        clearReportOutput(output, others)
        if (!isQuiet) for (const note of notes) print(note)
        const ofSecrets = secretWarnings(tested.secrets, tested.deployments, specification)
        for (const warning of [...warnings, ...ofSecrets]) print(`warning: ${warning}`)
        // The accounts of the embedded server end with it.
        if (target !== undefined && !isQuiet)
          for (const { deployment, ...load } of loads) print(loadSentence(deployment, load))
        const { strict = false, shard } = args.options
        const results = untestedResults(plan.items)
        const namesLeft = namesLeftOf(args)
        const parts = { start, rules: specification.requirements, results, durationMs: 0 }
        const gate = { strict, sharded: shard !== undefined }
        tellWatchdog({ kind: 'known', known: { namesLeft, file: output.partialFile, parts, gate } })
        stream?.start(
          start,
          plan.items.map(({ id }) => id),
        )
        progress?.planned(
          plan.items.length,
          sumOf(loads.map(({ requests }) => requests)),
          sumOf(loads.map(({ quickRequests }) => quickRequests ?? 0)),
        )
      },
      onRequest: () => progress?.sent(),
      onLogin: (durationMs) => progress?.loggedIn(durationMs),
      ...(traceFile === undefined ? {} : { onExchange: (sent) => void exchanges.push(sent) }),
      ...(target === undefined ? {} : { onAccount: (news) => tellWatchdog({ kind: 'account', news }) }),
      onWait: (wait) => progress?.waiting(wait),
      onFailing: (result) => progress?.failing(result),
      onResult: (result) => {
        stream?.result(result)
        tellWatchdog({ kind: 'result', result })
        progress?.finished(result)
      },
    }),
    stream: {
      streamed,
      ends: [
        (report) => stream?.end(report),
        () => traceFile === undefined || writeAtomic(traceFile, renderTrace(exchanges)),
      ],
    },
    note: (text) => progress?.note(text),
    done: () => progress?.done(),
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
