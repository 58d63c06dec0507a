import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Report } from '../../spec/model/report.js'
import { EXIT } from '../shared/command.js'
import { print } from '../shared/print.js'
import type { Inputs } from './last-run.js'

/** What a run is narrowed to: the ids of results, or nothing where all are to run; and what it draws. */
export interface RunChoice {
  readonly only: readonly string[] | undefined
  readonly inputs: Inputs
}

export interface RunOutcome {
  readonly report: Report
  readonly exitCode: number
  readonly pageFile: string
  readonly isPart: boolean
}

export function isInterrupted({ exitCode }: Pick<RunOutcome, 'exitCode'>): boolean {
  return exitCode === EXIT.interrupted || exitCode === EXIT.terminated
}

/** Shows the page of a run, unless that was interrupted. Where there is no browser, the path is printed: it is no failure. */
export async function openReport(outcome: RunOutcome): Promise<void> {
  if (isInterrupted(outcome)) return
  const { openInBrowser } = await import('../shared/open-in-browser.js')
  const page = resolve(outcome.pageFile)
  const problem = await openInBrowser(pathToFileURL(page).href)
  if (problem !== undefined) print(`could not open a browser (${problem}): the page is ${page}`)
}
