import { groupBy, grouped } from '../../../spec/model/items.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import type { AccountCount, Limit, Report, ReportDeployment } from '../../../spec/model/report.js'
import { count, firstFew } from './phrase.js'
import { troubleSentence } from './trouble.js'

/**
 * What shipped clients do not send, what a budget left out, what went wrong on the way and which accounts were made: one
 * sentence each, in this order.
 */
export function runFacts(report: Report, maxNamed = 8): readonly string[] {
  const { target, trouble, accounts } = report
  const where = (deployment: string): string =>
    target.deployments.length > 1 ? ` (deployment ${deployment})` : ''
  return [
    ...target.deployments.flatMap((deployment) => additionSentence(deployment, where(deployment.name)) ?? []),
    ...limitSentences(report, maxNamed),
    ...untriedSentence(report),
    ...trouble.flatMap((row) => troubleSentence(row, where(row.deployment), maxNamed) ?? []),
    ...accounts.flatMap((row) => accountSentence(row, where(row.deployment), maxNamed) ?? []),
  ]
}

/** 4.1 shows a request of three parameters: a service that demands more is green only because the target declares it. */
function additionSentence({ declared }: ReportDeployment, where: string): string | undefined {
  const added = isMap(declared) && isMap(declared.tokenRequest) ? declared.tokenRequest : {}
  const names = (map: Json | undefined, is: string) =>
    isMap(map) ? Object.keys(map).map((name) => `the ${is} \`${name}\``) : []
  const parts = [
    ...names(added.form, 'parameter'),
    ...names(added.headers, 'header'),
    ...(added.basic === undefined ? [] : ['Basic credentials of a client']),
  ]
  if (parts.length === 0) return undefined
  return `Warning${where}: \`tokenRequest\` adds ${parts.join(', ')} to every token request. Shipped clients send none of this, so a service that demands it refuses them.`
}

/** What services get wrong for some users alone, and the cases that try it: their rules may hold for all the others. */
const OF_SOME_USERS: Readonly<Record<string, readonly string[]>> = {
  'user names with letters beyond ASCII': ['8/user-name-beyond-ascii'],
  'passwords with `+ % & =`, a space or letters beyond ASCII': [
    '4.1/form-special-characters',
    '8/password-of-any-characters',
  ],
}

/** What no account of any deployment could show. */
function untriedSentence({ results, target }: Report): readonly string[] {
  // A name that is a secret is shown in ‹…›.
  const hasSuchName = target.deployments.some(({ declared }) =>
    /"userName":"[^"]*[^\0-\x7f‹›]/.test(JSON.stringify(declared)),
  )
  const untried = Object.entries(OF_SOME_USERS).flatMap(([what, cases]) => {
    const own = results.filter((result) => cases.includes(result.case))
    const isTried = own.some(({ outcome }) => outcome !== 'inapplicable')
    const isDeclared = what.startsWith('user names') && hasSuchName
    return own.length === 0 || isTried || isDeclared ? [] : [what]
  })
  return untried.length === 0
    ? []
    : [
        `Not tried: ${untried.join('; ')}. Declare an account that has them, or a \`registration\` that accepts them.`,
      ]
}

/** What was left out of several deployments alike is said once. */
function limitSentences({ limits, target, command }: Report, max: number): readonly string[] {
  const deployments = target.deployments.length
  const groups = groupBy(limits, (limit) => JSON.stringify({ ...limit, deployment: '' })).values()
  return Array.from(groups, ([limit, ...others]) => {
    if (limit === undefined) return ''
    const names = [limit, ...others].map(({ deployment }) => deployment)
    const which = names.length === 1 ? 'deployment' : 'deployments'
    const where = names.length === deployments ? '' : ` (${which} ${firstFew(names, max)})`
    return `Skipped${where}: ${remedyOf(limit, command === undefined)}. Left out: ${firstFew(limit.notTried, max)}.`
  })
}

/** @param isPage whether no command was given: the page has no such choice */
function remedyOf({ setting, declared, needed }: Limit, isPage: boolean): string {
  if (declared === 'normal')
    return `${isPage ? 'in a terminal, ' : ''}\`token-assay run --effort thorough\` runs more`
  if (declared === 'thorough') return '`token-assay run --runs N` runs more'
  const isFlag = setting.startsWith('--')
  const space = isFlag ? ' ' : ': '
  return needed === undefined
    ? `remove \`${setting}${space}${declared}\` to run all`
    : `set \`${setting}${space}${needed}\` ${isFlag ? '' : 'in the target file '}to run all`
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
  const names = left.map(({ userName }) => (userName.trim() === '' ? JSON.stringify(userName) : userName))
  const named = names.length === 0 ? '' : `: ${firstFew(names, max)}`
  return `Accounts${where}: ${grouped(made)} made, ${grouped(removed)} removed${failed}${stay}${named}.`
}
