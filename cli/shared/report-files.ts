import { join } from 'node:path'

/** Where a run is written by default. */
export const REPORT_FOLDER = 'token-assay-report'

export interface ReportFiles {
  readonly reportFile: string
  readonly pageFile: string
}

/** The files of a run's folder. A narrowed run never writes those of a whole one: it has files of its own beside them. */
export function reportFiles(folder: string, isNarrowed: boolean): ReportFiles {
  const partial = isNarrowed ? '.partial' : ''
  return {
    reportFile: join(folder, `report${partial}.json`),
    pageFile: join(folder, `index${partial}.html`),
  }
}
