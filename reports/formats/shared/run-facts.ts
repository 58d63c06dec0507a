import type { AccountCount, Limit, Report } from '../../../spec/model/report.js'
import { count, firstFew, grouped } from './phrase.js'
import { troubleSentence } from './trouble.js'

/** What a budget left out, what went wrong on the way and which accounts were made: one sentence each, in this order. */
export function runFacts(report: Report, maxNamed = 8): readonly string[] {
  const { target, limits, trouble, accounts } = report
  const where = (deployment: string): string =>
    target.deployments.length > 1 ? ` (deployment ${deployment})` : ''
  return [
    ...limits.map((limit) => limitSentence(limit, where(limit.deployment), maxNamed)),
    ...trouble.flatMap((row) => troubleSentence(row, where(row.deployment), maxNamed) ?? []),
    ...accounts.flatMap((row) => accountSentence(row, where(row.deployment), maxNamed) ?? []),
  ]
}

function limitSentence({ setting, declared, needed, notTried }: Limit, where: string, max: number): string {
  const space = setting.startsWith('--') ? ' ' : ': '
  const remedy =
    needed === undefined ? `remove \`${setting}${space}${declared}\`` : `set \`${setting}${space}${needed}\``
  return `Skipped${where}: ${remedy} to run all. Left out: ${firstFew(notTried, max)}.`
}

/** What became of the accounts that were made at one place; no sentence where none was. */
export function accountSentence(
  { made, removed, cleanUpFailed, firstFailure, left = [] }: Omit<AccountCount, 'deployment'>,
  where: string,
  max: number,
): string | undefined {
  if (made === 0) return undefined
  const first = firstFailure === undefined ? '' : ` (first ${firstFailure})`
  const failed =
    cleanUpFailed > 0 ? `; \`cleanUp\` failed for ${count(cleanUpFailed, 'account')}${first}` : ''
  const stay = removed + cleanUpFailed === 0 ? ': no `cleanUp` is declared, so they stay' : ''
  const names = left.map(({ userName }) => userName)
  const named = names.length === 0 ? '' : `: ${firstFew(names, max)}`
  return `Accounts${where}: ${grouped(made)} made, ${grouped(removed)} removed${failed}${stay}${named}.`
}
