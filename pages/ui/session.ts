import type { Target } from '../../conformance/target/deployment.js'
import type { Report } from '../../spec/model/report.js'
import { createFeed, type Feed } from '../guard/feed.js'
import type { Changes } from './changes.js'
import { errorMessage } from './error-message.js'
import { createParts } from './parts.js'
import type { Ports } from './ports.js'
import { runAll, runChanges } from './run/run-changes.js'
import { createRunDisplay } from './run/run-display.js'
import { partOf, sentPart, type Watched } from './run/run-part.js'
import { createRunner, type Runner } from './run/runner.js'
import { createWatcher } from './run/watcher.js'
import type { Setup } from './setup/setup.js'
import { setupChanges } from './setup/setup-changes.js'
import { setupParts } from './setup/setup-part.js'

/** What all open pages have in common. */
export interface PageSession {
  readonly feed: Feed
  readonly runner: Runner
  readonly watched: () => Watched
  readonly changes: Changes
  /** @returns the partial report of a run that was stopped, but for a demonstration */
  close(): Promise<Report | undefined>
}

export function createSession(ports: Ports, setup: Setup): PageSession {
  const feed = createFeed()
  const parts = createParts(feed)
  let demonstrated: Target | undefined
  /** Whether a file changed while something ran. */
  let isStale = false
  const runAgain = (): void => {
    const { phase } = runner.status()
    isStale = phase === 'running' || phase === 'stopping'
    if (!isStale)
      runAll(runner, setup).catch((error: unknown) => feed.publish('watch-message', errorMessage(error)))
  }
  const watched = (): Watched => ({
    folder: watcher.folder(),
    load: () => setup.load.now().sentences,
  })
  const watcher = createWatcher(ports.watch, runAgain, () => display.showNow())
  const display = createRunDisplay(feed, parts, () => runner, watched)
  const runner: Runner = createRunner({
    ...display.listener,
    onBegin(target, isPart) {
      if (!isPart && target !== demonstrated) ports.clearReport()
    },
    onEnd(report, isStopped) {
      if (report !== undefined && runner.target() !== demonstrated) ports.saveReport(report, isStopped)
      display.listener.onEnd()
      if (isStale) runAgain()
    },
  })
  const showSetup = (): void => {
    for (const [part, content] of Object.entries(setupParts(setup))) parts.show(part, content)
    // Beside the buttons of a run is where it would send: another page may be about to press one.
    display.showNow()
  }
  return {
    feed,
    runner,
    watched,
    changes: {
      ...setupChanges(setup, ports.saveTarget, showSetup),
      ...runChanges({
        runner,
        setup,
        watcher,
        showSetup,
        demonstrate: async () => {
          demonstrated = await ports.demonstrate()
          return demonstrated
        },
        // Published even where the same came of it before.
        showSent: (rule, result) => feed.publish(partOf('sent', rule), sentPart(result).markup),
      }),
    },
    async close() {
      watcher.unwatch()
      const partial = await runner.close()
      display.close()
      feed.close()
      return runner.target() === demonstrated ? undefined : partial
    },
  }
}
