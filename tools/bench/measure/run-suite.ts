import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../../spec/model/report.js'
import { COMMAND, type Cost, runChild } from './child.js'

/** The cost of a run of the suite, and how many requests it sent. @param work where its report goes */
export async function runSuite(
  work: string,
  args: readonly string[],
): Promise<Cost & { readonly requests: number }> {
  const cost = await runChild([COMMAND, 'run', ...args, '--quiet', '--seed', '1', '--out', work])
  const isNarrowed = ['--skip', '--only', '--effort', '--last-failed'].some((flag) => args.includes(flag))
  const name = isNarrowed ? 'report.partial.json' : 'report.json'
  const { trouble }: Report = JSON.parse(readFileSync(join(work, name), 'utf8'))
  return { ...cost, requests: trouble.reduce((sum, { requests }) => sum + requests, 0) }
}
