import type { Target } from '../../../conformance/target/deployment.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Result } from '../../../spec/model/report.js'
import type { FormValues } from '../body.js'
import type { ChangeOutcome, Changes } from '../changes.js'
import type { Ports } from '../ports.js'
import { type Answers, answerChanges, type Setup } from '../setup/setup.js'
import type { Runner } from './runner.js'
import type { Watcher } from './watcher.js'

export interface RunChangesOptions {
  readonly runner: Runner
  readonly setup: Setup
  readonly watcher: Watcher
  readonly showSetup: () => void
  readonly demonstrate: Ports['demonstrate']
  /** Shows what came of an edited request beside its rule. */
  readonly showSent: (rule: string, result: Result) => void
}

/** Tests everything that is set up; where nothing is, the demonstration again. */
export async function runAll(runner: Runner, setup: Setup): Promise<ChangeOutcome> {
  await runner.start(shownTarget(runner, setup))
  return { go: 'run' }
}

/** What the page shows, which may have changed since the last run. */
function shownTarget(runner: Runner, setup: Setup): Target {
  const target = (setup.text() === '' ? runner.target() : undefined) ?? setup.target()
  setup.load.check()
  return target
}

/** What the view of the run may change. */
export function runChanges({
  runner,
  setup,
  watcher,
  showSetup,
  demonstrate,
  showSent,
}: RunChangesOptions): Changes {
  const runPart = async (only: readonly string[]): Promise<ChangeOutcome> => {
    if (only.length === 0) throw new AssayError('usage', 'There is nothing to run again.')
    await runner.start(shownTarget(runner, setup), only)
    return {}
  }
  return {
    '/run/start': (values) => {
      takeAnswers(setup, values)
      if (values.accountsStay === 'yes') setup.load.agree()
      showSetup()
      return runAll(runner, setup)
    },
    '/run/demonstrate': async () => {
      await runner.start(await demonstrate())
      return { go: 'run' }
    },
    '/run/stop': () => {
      runner.stop()
      return {}
    },
    '/run/failed': () => runPart(runner.live.failed()),
    '/run/again': ({ rule = '' }) => runPart(runner.live.occurrencesOf(rule).map(({ result }) => result.id)),
    '/run/watch': ({ folder = '' }) => {
      watcher.watch(folder)
      return { good: `Watching ${folder}.` }
    },
    '/run/unwatch': () => {
      watcher.unwatch()
      return {}
    },
    '/run/send': async ({ rule = '', result = '', label = '', text = '' }) => {
      showSent(rule, await runner.sendEdited(shownTarget(runner, setup), result, label, text))
      return { good: 'Sent, and judged below.' }
    },
  }
}

function takeAnswers(setup: Setup, values: FormValues): void {
  for (const [name, value] of Object.entries(values))
    if (name.startsWith('value:') && value !== '') setup.remember(name.slice('value:'.length), value)
  const changes = answerChanges(answersOf(values), setup.findings()?.values ?? {})
  if (changes.length > 0) setup.change(changes)
}

function answersOf({ includesUserId, tokenLifetime = '' }: FormValues): Answers {
  return {
    includesUserId: includesUserId === undefined ? undefined : includesUserId === 'yes',
    tokenLifetime: tokenLifetime === '' ? undefined : Number(tokenLifetime),
  }
}
