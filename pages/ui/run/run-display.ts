import { ruleCell } from '../../../reports/formats/html/map-part.js'
import type { Feed } from '../../guard/feed.js'
import type { ShownParts } from '../parts.js'
import {
  controlsPart,
  failPart,
  failsNote,
  mapOf,
  partOf,
  progressPart,
  titleOf,
  verdictOf,
  type Watched,
} from './run-part.js'
import type { RunListener, Runner } from './runner.js'

/** Shows a run on all open pages while it goes. */
export interface RunDisplay {
  /** What the runner is to call. */
  readonly listener: Omit<RunListener, 'onBegin' | 'onEnd'> & { onEnd(): void }
  /** Shows the figures and the controls. */
  showNow(): void
  close(): void
}

/** Milliseconds: what changes more often is shown together. */
const SHOW_EVERY_MS = 150

export function createRunDisplay(
  feed: Feed,
  parts: ShownParts,
  runner: () => Runner,
  watched: () => Watched,
): RunDisplay {
  /** Rules whose judgements changed since they were shown. */
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const changeAll = (): void => {
    for (const { id } of runner().live.rules) changed.add(id)
  }
  const showNow = (): void => {
    clearTimeout(timer)
    timer = undefined
    showRules(parts, runner(), changed)
    changed.clear()
    parts.show('progress', progressPart(runner()))
    parts.show('controls', controlsPart(runner(), watched()))
    feed.publish('title', titleOf(runner()))
  }
  const showSoon = (): void => {
    timer ??= setTimeout(showNow, SHOW_EVERY_MS)
  }
  /** A wait passes without any event. */
  const clock = setInterval(() => {
    if (runner().status().wait !== undefined) showSoon()
  }, 1000).unref()
  return {
    listener: {
      onStart() {
        if (runner().status().isPart) changeAll()
        else {
          changed.clear()
          showEmptyRun(parts, runner())
        }
        parts.show('verdict', undefined)
        showNow()
      },
      onResult(rules) {
        for (const rule of rules) changed.add(rule)
        showSoon()
      },
      onProgress: showSoon,
      onEnd() {
        changeAll()
        showNow()
        parts.show('verdict', verdictOf(runner()))
      },
    },
    showNow,
    close() {
      clearInterval(clock)
      clearTimeout(timer)
    },
  }
}

function showEmptyRun(parts: ShownParts, runner: Runner): void {
  parts.forget(/^(?:cell|map|beside)/)
  parts.show('map', mapOf(runner.live))
  for (const { id } of runner.live.rules) parts.show(partOf('fail', id), undefined)
  parts.show('beside', undefined)
  parts.show('fails-note', failsNote(runner))
}

function showRules(parts: ShownParts, runner: Runner, ids: ReadonlySet<string>): void {
  for (const id of ids) {
    const rule = runner.live.ruleOf(id)
    if (rule === undefined) continue
    parts.show(partOf('cell', id), ruleCell(rule, runner.live.stateOf(id)))
    parts.show(partOf('fail', id), failPart(runner, id))
  }
  if (ids.size > 0) parts.show('fails-note', failsNote(runner))
}
