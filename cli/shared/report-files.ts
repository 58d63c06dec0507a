import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Larger than any report: it is not looked into. */
const MAX_BYTES = 256 * 2 ** 20

export interface ReportFiles {
  readonly reportFile: string
  readonly pageFile: string
}

/** The files of a run's folder. A narrowed run does not replace the report of a whole one: it gets files of its own beside it. */
export function reportFiles(folder: string, isNarrowed: boolean): ReportFiles {
  const partial = isNarrowed && isWhole(join(folder, 'report.json')) ? '.partial' : ''
  return {
    reportFile: join(folder, `report${partial}.json`),
    pageFile: join(folder, `index${partial}.html`),
  }
}

/** Whether the file is the report of a run that was not narrowed; a shard is not. */
function isWhole(file: string): boolean {
  try {
    // A device may have no end.
    const status = statSync(file)
    if (!status.isFile()) return false
    if (status.size > MAX_BYTES) return true
    const report: { readonly results?: unknown; readonly selection?: object | null } | null = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const { results, selection } = report ?? {}
    const narrowing = ['only', 'skip', 'deployments'].some((name) => Object.hasOwn(selection ?? {}, name))
    return results !== undefined && !narrowing
  } catch {
    // It is not there, or not a report: there is nothing to protect.
    return false
  }
}
