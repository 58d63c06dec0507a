/** One of the files that a reporter writes to a folder. */
export interface ReportFile {
  /** Without a folder. */
  readonly name: string
  readonly text: string
}
