import { createHash } from 'node:crypto'
import type { Case } from '../../spec/model/case.js'
import type { Condition } from '../../spec/model/expectation.js'
import type { Selection } from '../../spec/model/report.js'
import { matchesGlob, parseShard } from '../../spec/model/selection.js'
import type { Requirement, Specification } from '../../spec/model/specification.js'
import { hasSpecialCharacters, longPasswordAccount } from '../target/account-binding.js'
import type { Account, Deployment, Policy, Target } from '../target/deployment.js'

/** One case for one deployment: to be run, or why it is not. */
export interface Planned {
  /** `<deployment>/<case>`. */
  readonly id: string
  readonly case: Case
  readonly deployment: Deployment
  /** Its place in the plan: results are in this order, whatever finished first. */
  readonly index: number
  /** Whether no deployment before it runs the case. */
  readonly isFirst: boolean
  readonly not?: { readonly outcome: 'inapplicable' | 'untested'; readonly reason: string }
}

export interface Plan {
  readonly items: readonly Planned[]
  /**
   * Of the specification, the deployments' names and the selection: two runs with the same hash planned the same. It is
   * the same for every shard of a run.
   */
  readonly hash: string
  /** Patterns of the selection that match nothing: misuse. */
  readonly unmatched: readonly string[]
}

/**
 * What a run will do, before anything is sent: every case for every deployment, each with its reason where it is not run.
 */
export function planRun(
  specification: Specification,
  target: Target,
  selection: Selection,
  strict: boolean,
): Plan {
  const rules = new Map(specification.requirements.map((rule) => [rule.id, rule]))
  const only = (selection.only ?? []).map((pattern) => ({ pattern, used: false }))
  const skip = (selection.skip ?? []).map((pattern) => ({ pattern, used: false }))
  const items: Planned[] = []
  const planned = new Set<string>()
  for (const deployment of target.deployments) {
    const chosen = selection.deployments?.includes(deployment.name) ?? true
    for (const testCase of specification.cases) {
      if (deployment.cases?.some((pattern) => matchesGlob(pattern, testCase.id)) === false) continue
      const id = `${deployment.name}/${testCase.id}`
      const own = rulesOf(testCase, rules)
      // Every pattern is tried, so that one that never matches is found.
      const names = [id, testCase.id, ...own]
      use(only, names)
      use(skip, names)
      const judges = judgedRules(selection, id, testCase.id)
      const isLeftOut = own.length > 0 && !own.some(judges)
      const isFirst = !planned.has(testCase.id)
      const item = { id, case: testCase, deployment, index: items.length, isFirst }
      const unmet =
        testCase.when &&
        unmetCondition(testCase.when, deployment, strict, siblingOf(deployment, target) !== undefined)
      if (!chosen || isLeftOut) items.push({ ...item, not: { outcome: 'untested', reason: 'filtered' } })
      else if (unmet !== undefined) items.push({ ...item, not: { outcome: 'inapplicable', reason: unmet } })
      else {
        items.push(item)
        planned.add(testCase.id)
      }
    }
  }
  const names = target.deployments.map(({ name }) => name)
  const hash = createHash('sha256')
    .update(
      JSON.stringify([
        specification.hash,
        names,
        // Which rules of a case are judged is seen in no item.
        [selection.only ?? [], selection.skip ?? []],
        items.map(({ id, not }) => [id, not?.outcome ?? null]),
      ]),
    )
    .digest('hex')
  return {
    items: inShard(items, selection.shard),
    hash: hash.slice(0, 16),
    unmatched: [...only, ...skip].filter(({ used }) => !used).map(({ pattern }) => pattern),
  }
}

/**
 * Leaves to other shards what is theirs. A deployment is never divided: its budget of failed logins, its rate, and the
 * rules about all of its answers together belong to one run.
 */
function inShard(items: readonly Planned[], text: string | undefined): readonly Planned[] {
  const shard = text === undefined ? undefined : parseShard(text)
  if (shard === undefined) return items
  const deployments = new Set(items.flatMap(({ deployment, not }) => (not === undefined ? [deployment] : [])))
  const own = new Set([...deployments].filter((_, at) => at % shard.count === shard.index - 1))
  return items.map((item) =>
    item.not !== undefined || own.has(item.deployment)
      ? item
      : { ...item, not: { outcome: 'untested', reason: 'shard' } },
  )
}

/** The deployment that is this one without `userId`: the one that differs least. */
export function siblingOf(deployment: Deployment, target: Target): Deployment | undefined {
  if (!deployment.includesUserId) return undefined
  const without = target.deployments.filter(({ includesUserId }) => !includesUserId)
  return without.find(({ tokenLifetime }) => tokenLifetime === deployment.tokenLifetime) ?? without[0]
}

/**
 * Which rules a case judges under a selection. `only` and `skip` with the id of the case, or of its result, concern all of
 * them; with that of a rule that rule alone. What is skipped is not judged, whatever `only` says.
 */
export function judgedRules(
  { only = [], skip = [] }: Selection,
  id: string,
  caseId: string,
): (rule: string) => boolean {
  if (isNamed(skip, caseId) || isNamed(skip, id)) return () => false
  const isChosen = only.length === 0 || isNamed(only, caseId) || isNamed(only, id)
  return (rule) => (isChosen || isNamed(only, rule)) && !isNamed(skip, rule)
}

function isNamed(patterns: readonly string[], text: string): boolean {
  for (const pattern of patterns) if (matchesGlob(pattern, text)) return true
  return false
}

/** The rules that a case's expectations name. */
function rulesOf(testCase: Case, rules: ReadonlyMap<string, Requirement>): readonly string[] {
  const named = new Set<string>()
  for (const { expect = [] } of testCase.steps)
    for (const { rule } of expect) if (rules.has(rule)) named.add(rule)
  return [...named]
}

function use(patterns: { readonly pattern: string; used: boolean }[], names: readonly string[]): void {
  for (const entry of patterns) entry.used ||= names.some((name) => matchesGlob(entry.pattern, name))
}

/** What conditions look at. */
type DeclaredCapabilities = Pick<
  Deployment,
  'tokenLifetime' | 'includesUserId' | 'registration' | 'externalLogin'
> & { readonly accounts: readonly Account[] }

/** Why the deployment does not meet the condition, and how to declare it; undefined when it does. */
export function unmetCondition(
  condition: Condition,
  deployment: DeclaredCapabilities,
  strict: boolean,
  hasSibling = false,
): string | undefined {
  const { accounts, specialCharacters, longPassword, includesUserId, defaultLifetime } = condition
  if (condition.strict && !strict) return 'judged only under `--strict`'
  if (accounts !== undefined && deployment.accounts.length < accounts)
    return `needs ${accounts} accounts: declare another under \`accounts\``
  if (specialCharacters && !deployment.accounts.some(hasSpecialCharacters))
    return 'needs an account whose password holds one of `+ % & =`, a space or a non-ASCII character: declare one under `accounts`'
  if (longPassword && longPasswordAccount(deployment.accounts) === undefined)
    return 'needs an account whose password has more than 72 bytes: declare one under `accounts`'
  if (includesUserId !== undefined && deployment.includesUserId !== includesUserId)
    return includesUserId
      ? 'the service is not declared to add userId: declare a deployment with `includesUserId: true`'
      : 'the service is declared to add userId: declare a deployment with `includesUserId: false`'
  if (defaultLifetime && deployment.tokenLifetime !== DEFAULT_LIFETIME)
    return 'the service is declared to have another lifetime: declare a deployment without `tokenLifetime`'
  return unmetCapability(condition, deployment, hasSibling)
}

/** Seconds: 14 days (2.1-R2). */
const DEFAULT_LIFETIME = 1_209_600

function unmetCapability(
  { registration, immediate, policy, externalLogin, sibling }: Condition,
  deployment: DeclaredCapabilities,
  hasSibling: boolean,
): string | undefined {
  const declared = deployment.registration
  if ((registration || immediate || policy !== undefined) && declared === undefined)
    return 'how accounts are registered is not declared: declare `registration`'
  if (immediate && !declared?.immediate)
    return 'a new account is declared not to log in at once (`registration.immediate`)'
  for (const [key, value] of Object.entries(policy ?? {})) {
    if (declared?.policy[key as keyof Policy] !== value)
      return `\`registration.policy.${key}\` is another: declare a deployment with \`${key}: ${value}\``
  }
  if (externalLogin !== undefined && deployment.externalLogin === undefined)
    return 'how users sign in through an outside provider is not declared: declare `externalLogin`'
  if (externalLogin === 'without-callback' && deployment.externalLogin?.withoutCallback === undefined)
    return 'no provider without a registered callback address is declared: declare `externalLogin.withoutCallback`'
  if (sibling && !hasSibling)
    return 'needs the same service with and without userId: declare a deployment with `includesUserId: false` beside this one'
  return undefined
}
