import { ruleCell } from '../../reports/formats/html/map-part.js'
import type { Html } from '../../reports/formats/html/markup.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { createFeed, type Feed } from '../guard/feed.js'
import type { FormValues } from './body.js'
import type { Ports } from './ports.js'
import {
  controlsPart,
  failPart,
  failsNote,
  gridPart,
  partOf,
  progressPart,
  sentPart,
  titleOf,
  verdictOf,
  type Watched,
} from './run/run-part.js'
import { createRunner, type Runner } from './run/runner.js'
import { externalLoginChanges, type RequestFields, registrationChanges } from './setup/own-requests.js'
import { answerChanges, type Setup } from './setup/setup.js'
import { setupParts } from './setup/setup-part.js'

/** What a change says: where to go on, a message, or something good. */
export interface Said {
  readonly go?: string
  readonly message?: string
  readonly good?: string
}

/** What all open pages have in common. */
export interface Session {
  readonly feed: Feed
  readonly runner: Runner
  readonly watched: () => Watched
  readonly title: () => string
  /** Everything that a page may change, by path. */
  readonly changes: Readonly<Record<string, (values: FormValues) => Promise<Said> | Said>>
  close(): Promise<void>
}

/** Milliseconds: what changes more often is shown together. */
const SHOW_EVERY_MS = 150

export function createSession(ports: Ports, setup: Setup): Session {
  const feed = createFeed()
  const dirty = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let watched: Watched & { readonly end?: () => void } = { folder: undefined }
  /** A file changed while something ran. */
  let isStale = false

  const shown = new Map<string, string>()
  /** What did not change is left alone: a button that is replaced while it is pressed does nothing. */
  const publish = (part: string, content: Html | undefined): void => {
    const markup = content?.markup ?? ''
    if (shown.get(part) === markup) return
    shown.set(part, markup)
    feed.publish(part, markup)
  }
  const showRules = (): void => {
    for (const id of dirty) {
      const rule = runner.live.ruleOf(id)
      if (rule === undefined) continue
      publish(partOf('cell', id), ruleCell(rule, runner.live.stateOf(id)))
      publish(partOf('fail', id), failPart(runner, id))
    }
    if (dirty.size > 0) publish('fails-note', failsNote(runner))
    dirty.clear()
  }
  const showNow = (): void => {
    clearTimeout(timer)
    timer = undefined
    showRules()
    publish('progress', progressPart(runner))
    publish('controls', controlsPart(runner, watched))
    feed.publish('title', titleOf(runner))
  }
  const showSoon = (): void => {
    timer ??= setTimeout(showNow, SHOW_EVERY_MS)
  }
  const showSetup = (): void => {
    for (const [part, content] of Object.entries(setupParts(setup))) publish(part, content)
  }
  const runner: Runner = createRunner({
    onStart() {
      if (!runner.status().isPart) {
        dirty.clear()
        // All of it anew, whatever a page made of it since.
        for (const part of [...shown.keys()]) if (/^(?:cell|map|beside)/.test(part)) shown.delete(part)
        publish('map', gridPart(runner.live))
        for (const { id } of runner.live.rules) publish(partOf('fail', id), undefined)
        publish('beside', undefined)
        publish('verdict', undefined)
        publish('fails-note', failsNote(runner))
      }
      showNow()
    },
    onResult(rules) {
      for (const rule of rules) dirty.add(rule)
      showSoon()
    },
    onProgress: showSoon,
    onEnd(report) {
      if (report !== undefined) ports.saveReport(report)
      publish('fails-note', failsNote(runner))
      showNow()
      publish('verdict', verdictOf(runner))
      if (isStale) runWatched()
    },
  })
  const runAll = async (): Promise<Said> => {
    await runner.start(setup.target())
    return { go: '/run' }
  }
  const runPart = async (only: readonly string[]): Promise<Said> => {
    const target = runner.target()
    if (target === undefined || only.length === 0)
      throw new AssayError('usage', 'There is nothing to run again.')
    await runner.start(target, only)
    return {}
  }
  const runWatched = (): void => {
    const { phase } = runner.status()
    isStale = phase === 'running' || phase === 'stopping'
    if (!isStale) runAll().catch((error: unknown) => feed.publish('watch-message', messageOf(error)))
  }
  /** A wait passes without any event. */
  const clock = setInterval(() => {
    if (runner.status().wait !== undefined) showSoon()
  }, 1000).unref()
  const unwatch = (): void => {
    watched.end?.()
    watched = { folder: undefined }
  }
  const changed = (change: () => void): Said => {
    change()
    showSetup()
    return {}
  }
  return {
    feed,
    runner,
    watched: () => watched,
    title: () => titleOf(runner),
    changes: {
      '/setup/look': async ({ baseUrl = '', userName = '', password = '' }) => {
        await setup.look(baseUrl, userName, password)
        showSetup()
        return {}
      },
      '/setup/text': ({ text = '' }) => changed(() => setup.setText(text)),
      '/setup/registration': (values) =>
        changed(() => setup.change(registrationChanges(requestFields(values), values.cleanUp ?? ''))),
      '/setup/registration/remove': () => changed(() => setup.change([[['registration'], undefined]])),
      '/setup/externalLogin': (values) =>
        changed(() => setup.change(externalLoginChanges(requestFields(values), values.account ?? ''))),
      '/setup/externalLogin/remove': () => changed(() => setup.change([[['externalLogin'], undefined]])),
      '/setup/save': ({ file = '', replace }) => {
        if (setup.text() === '') throw new AssayError('usage', 'There is nothing to save yet.')
        const name = ports.saveTarget(file, setup.text(), replace === 'yes')
        setup.saved(name)
        return { good: `Saved as ${name}.` }
      },
      '/run/start': async (values) => {
        for (const [name, value] of Object.entries(values))
          if (name.startsWith('value:') && value !== '') setup.remember(name.slice('value:'.length), value)
        const changes = answerChanges(answersOf(values), setup.findings()?.values ?? {})
        if (changes.length > 0) setup.change(changes)
        showSetup()
        return runAll()
      },
      '/run/stop': () => {
        runner.stop()
        return {}
      },
      '/run/failed': () => runPart(runner.live.failed()),
      '/run/again': ({ rule = '' }) =>
        runPart(runner.live.occurrencesOf(rule).map(({ result }) => result.id)),
      '/run/watch': ({ folder = '' }) => {
        const end = ports.watch(folder, runWatched)
        unwatch()
        watched = { folder, end }
        showNow()
        return { good: `Watching ${folder}.` }
      },
      '/run/unwatch': () => {
        unwatch()
        showNow()
        return {}
      },
      '/run/send': async ({ rule = '', result = '', label = '', text = '' }) => {
        const sent = await runner.sendEdited(result, label, text)
        // Also where the same came of it before.
        feed.publish(partOf('sent', rule), sentPart(sent).markup)
        return { good: 'Sent, and judged below.' }
      },
    },
    async close() {
      clearInterval(clock)
      unwatch()
      runner.stop()
      await runner.idle()
      clearTimeout(timer)
      feed.close()
    },
  }
}

function requestFields({
  method = 'POST',
  path = '',
  kind = 'json',
  body = '{}',
}: FormValues): RequestFields {
  return { method, path, kind, body }
}

function answersOf({ includesUserId, tokenLifetime }: FormValues) {
  return {
    includesUserId: includesUserId === undefined ? undefined : includesUserId === 'yes',
    tokenLifetime: tokenLifetime === undefined || tokenLifetime === '' ? undefined : Number(tokenLifetime),
  }
}

function messageOf(error: unknown): string {
  return error instanceof AssayError ? error.message : 'This is a bug in token-assay, not in your service.'
}
