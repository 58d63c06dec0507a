import { renderBadge, renderUnreadBadge } from '../../reports/formats/badge.js'
import { documentOf } from '../../reports/formats/html/document.js'
import { renderHtml } from '../../reports/formats/html/html.js'
import { html } from '../../reports/formats/html/markup.js'
import type { Report } from '../../spec/model/report.js'
import { byDate, type HistoryEntry } from '../history/history.js'
import { historyView } from '../history/history-part.js'
import { STYLE } from '../ui/generated/browser.js'

export interface BoardFile {
  /** Below the board's folder, with forward slashes. */
  readonly path: string
  readonly text: string
}

/**
 * The history as files that load nothing: the list, a page and a badge for each report, and `badge.svg` of the newest, which
 * says so where that cannot be read, or is of a part. One report is in memory at a time.
 */
export function* boardFiles(
  entries: readonly HistoryEntry[],
  { problems, lastUnreadAt }: { readonly problems: readonly string[]; readonly lastUnreadAt: number },
  read: (entry: HistoryEntry) => Report,
): Generator<BoardFile> {
  const ordered = byDate(entries)
  const newest = ordered.findLast(({ isPart }) => !isPart)
  // What was written after that run began may be what a later one left.
  const isUnread = newest !== undefined && lastUnreadAt > Date.parse(newest.startedAt)
  for (const entry of ordered) {
    const report = read(entry)
    const badge = renderBadge(report)
    yield { path: pageOf(entry), text: renderHtml(report) }
    yield { path: badgeOf(entry), text: badge }
    if (entry === newest && !isUnread) yield { path: 'badge.svg', text: badge }
  }
  // One of an earlier board must not stay.
  if (newest === undefined || isUnread) yield { path: 'badge.svg', text: renderUnreadBadge() }
  const view = historyView(entries, { pageOf, badgeOf, compares: false, problems })
  yield {
    path: 'index.html',
    text: documentOf('Token Assay: history', html`<main>${view}</main>`, { style: STYLE, script: '' }),
  }
}

function pageOf({ id }: HistoryEntry): string {
  return `reports/${id}.html`
}

function badgeOf({ id }: HistoryEntry): string {
  return `badges/${id}.svg`
}
