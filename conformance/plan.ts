import { createHash } from 'node:crypto'
import { parseShard } from '../spec/shard.js'
import type { Case, Requirement, Selection, Specification } from '../spec/types.js'
import { unmetCondition } from './condition.js'
import type { Deployment, Target } from './deployment.js'
import { matches } from './glob.js'

/** One case for one deployment: to be run, or why it is not. */
export interface Planned {
  /** `<deployment>/<case>`. */
  readonly id: string
  readonly case: Case
  readonly deployment: Deployment
  /** Its place in the plan: results stand in this order, whatever finished first. */
  readonly index: number
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
  for (const deployment of target.deployments) {
    const chosen = selection.deployments?.includes(deployment.name) ?? true
    for (const subject of specification.cases) {
      const id = `${deployment.name}/${subject.id}`
      const names = [id, subject.id, ...rulesOf(subject, rules)]
      // Every pattern is tried, so that one that never matches is found.
      const wanted = only.length === 0 || use(only, names)
      const skipped = use(skip, names)
      const item = { id, case: subject, deployment, index: items.length }
      const unmet =
        subject.when &&
        unmetCondition(subject.when, deployment, strict, siblingOf(deployment, target) !== undefined)
      if (!chosen || !wanted || skipped)
        items.push({ ...item, not: { outcome: 'untested', reason: 'filtered' } })
      else if (unmet !== undefined) items.push({ ...item, not: { outcome: 'inapplicable', reason: unmet } })
      else items.push(item)
    }
  }
  const names = target.deployments.map(({ name }) => name)
  const hash = createHash('sha256')
    .update(
      JSON.stringify([specification.hash, names, items.map(({ id, not }) => [id, not?.outcome ?? null])]),
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

/** The rules that a case's expectations name. */
function rulesOf(subject: Case, rules: ReadonlyMap<string, Requirement>): readonly string[] {
  const named = subject.steps.flatMap(({ expect }) => (expect ?? []).map(({ rule }) => rule))
  return [...new Set(named)].filter((rule) => rules.has(rule))
}

function use(patterns: { readonly pattern: string; used: boolean }[], names: readonly string[]): boolean {
  let matched = false
  for (const entry of patterns) {
    if (!names.some((name) => matches(entry.pattern, name))) continue
    entry.used = true
    matched = true
  }
  return matched
}
