import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { entryOf, type HistoryEntry } from '../../pages/history/history.js'
import { count } from '../../reports/formats/shared/phrase.js'
import { readReport } from '../../reports/model/read-report.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { grouped } from '../../spec/model/items.js'
import type { Report } from '../../spec/model/report.js'

export interface ReportFolder {
  /** Reads what changed since the last time. */
  readonly list: () => Promise<{
    readonly entries: readonly HistoryEntry[]
    readonly problems: readonly string[]
    /** When the last of those with a problem was written, in ms; 0 where there is none. */
    readonly lastUnreadAt: number
  }>
  /** @throws AssayError where it is not there any more */
  readonly read: (entry: HistoryEntry) => Report
}

const MAX_DEPTH = 5
/** Of more, those that were written last are read. */
const MAX_FILES = 10_000
const SKIPPED: readonly string[] = ['node_modules', 'dist', 'coverage']
/** A report begins so, or has the name of one; other JSON is not read. */
const HEAD_BYTES = 512
const NAMED = /^report(?:\.partial)?\.json$/

interface WrittenFile {
  readonly file: string
  /** Another one shows that it was changed. */
  readonly stamp: string
  /** When it was written, in ms. */
  readonly at: number
}

interface ListedReport extends WrittenFile {
  readonly entry: HistoryEntry | undefined
  readonly problem: string | undefined
  readonly key: string
}

export function createReportFiles(folder: string, maxFiles = MAX_FILES): ReportFolder {
  let known = new Map<string, ListedReport>()
  const read = async (): ReturnType<ReportFolder['list']> => {
    const now = new Map<string, ListedReport>()
    const found = candidates(folder)
    for (const written of found.slice(0, maxFiles)) {
      const before = known.get(written.file)
      if (before?.stamp === written.stamp) {
        now.set(written.file, before)
        continue
      }
      now.set(written.file, readEntry(folder, written))
      // Others are served between two files.
      await setImmediate()
    }
    known = now
    // A report and its copy are one run.
    const runs = new Map([...now.values()].map((one) => [one.key, one]))
    const left = found.slice(maxFiles)
    const unread = [...now.values()].filter(({ problem }) => problem !== undefined)
    return {
      entries: [...runs.values()].flatMap(({ entry }) => entry ?? []),
      problems: [
        ...(left.length === 0
          ? []
          : [
              `${count(left.length, 'JSON file is', 'JSON files are')} not read: ${grouped(maxFiles)} were written later`,
            ]),
        ...unread.flatMap(({ problem }) => problem ?? []),
      ],
      lastUnreadAt: Math.max(0, ...[...unread, ...left.slice(0, 1)].map(({ at }) => at)),
    }
  }
  let reading: ReturnType<ReportFolder['list']> | undefined
  // Others that ask meanwhile get the same.
  const list = (): ReturnType<ReportFolder['list']> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return { list, read: ({ file }) => readReport(join(folder, file)) }
}

function readEntry(folder: string, written: WrittenFile): ListedReport {
  const { file } = written
  const path = join(folder, file)
  if (!looksLikeReport(path)) return { ...written, entry: undefined, problem: undefined, key: file }
  try {
    const report = readReport(path)
    const id = createHash('sha256').update(file).digest('hex').slice(0, 16)
    const { startedAt, seed, target, verdict, durationMs } = report
    const key = JSON.stringify([startedAt, seed, target.name, verdict, durationMs])
    return { ...written, entry: entryOf(id, file, report), problem: undefined, key }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return { ...written, entry: undefined, problem: error.message.split('\n')[0] ?? '', key: file }
  }
}

/** JSON files, the last that was written first. */
function candidates(folder: string): readonly WrittenFile[] {
  const found: WrittenFile[] = []
  const visit = (path: string, depth: number): void => {
    for (const entry of entriesOf(path)) {
      const child = join(path, entry.name)
      if (
        entry.isDirectory() &&
        depth < MAX_DEPTH &&
        !entry.name.startsWith('.') &&
        !SKIPPED.includes(entry.name)
      )
        visit(child, depth + 1)
      if (!entry.isFile() || !entry.name.endsWith('.json')) continue
      const status = statSync(child, { throwIfNoEntry: false })
      if (status === undefined) continue
      found.push({
        file: relative(folder, child),
        stamp: `${status.mtimeMs} ${status.size}`,
        at: status.mtimeMs,
      })
    }
  }
  visit(folder, 0)
  return found.sort((a, b) => b.at - a.at)
}

/** Of a folder that cannot be read: none. */
function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

function looksLikeReport(path: string): boolean {
  if (NAMED.test(basename(path))) return true
  try {
    const descriptor = openSync(path, 'r')
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      const text = head.toString('utf8', 0, readSync(descriptor, head, 0, HEAD_BYTES, 0))
      return /"schemaVersion"/.test(text) && /"suite"/.test(text)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}
