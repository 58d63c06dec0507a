import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import type { Report } from '../../spec/model/report.js'
import { EXIT } from '../shared/command.js'

/** What a run is narrowed to: the ids of results, or nothing where all are to run. */
export interface Choice {
  readonly only: readonly string[] | undefined
}

/** One run, as its files and its exit code show it. */
export interface Ran {
  readonly report: Report
  readonly exitCode: number
  readonly pageFile: string
  /** Whether only what failed before was run. */
  readonly isPart: boolean
}

/** Whether the user has ended it. */
export function isInterrupted({ exitCode }: Pick<Ran, 'exitCode'>): boolean {
  return exitCode === EXIT.interrupted || exitCode === EXIT.terminated
}

/** Shows the page of a run, unless that was interrupted. Where there is no browser, the path is printed: it is no failure. */
export async function openReport(ran: Ran): Promise<void> {
  if (isInterrupted(ran)) return
  const { openInBrowser } = await import('../shared/open-in-browser.js')
  const problem = await openInBrowser(pathToFileURL(resolve(ran.pageFile)).href)
  if (problem === undefined) return
  const text = `no browser was opened (${problem}): the page is ${resolve(ran.pageFile)}`
  process.stderr.write(`token-assay: ${escapeForTerminal(text)}\n`)
}
