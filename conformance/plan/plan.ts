import { AssayError } from '../../spec/model/assay-error.js'
import type { Case } from '../../spec/model/case.js'
import { digest } from '../../spec/model/digest.js'
import type { Selection } from '../../spec/model/report.js'
import { matchesGlob, parseShard } from '../../spec/model/selection.js'
import type { Specification } from '../../spec/model/specification.js'
import type { Deployment, Target } from '../target/deployment.js'
import { unmetCondition } from '../target/unmet-condition.js'
import { judgedRules, refuseUnmatched, type Selectable, shareOf } from './select.js'

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
}

/** What a run sends to one deployment at most while no rule is broken: what fails is searched further. */
export interface DeploymentLoad {
  readonly deployment: Deployment
  readonly requests: number
  /** Of these: to register an account. */
  readonly accounts: number
  /** The requests of `--effort quick`, where this run is another. */
  readonly quickRequests?: number
}

export interface PlanOptions {
  readonly selection: Selection
  readonly strict: boolean
  /** The selection names what is to be repeated. */
  readonly replay?: unknown
}

/**
 * What a run will do, before anything is sent: every case for every deployment, each with its reason where it is not run.
 * @throws AssayError `unknown-deployment`, `nothing-matches` where the selection names something that is not there
 */
export function planRun(specification: Specification, target: Target, options: PlanOptions): Plan {
  const { selection } = options
  const names = target.deployments.map(({ name }) => name)
  const unknown = selection.deployments?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new AssayError(
      'unknown-deployment',
      `no deployment is named \`${unknown}\`; there are ${names.slice(0, 20).join(', ')}`,
    )
  const all = target.deployments.flatMap((deployment) =>
    specification.cases
      .filter(({ id }) => deployment.cases?.some((pattern) => matchesGlob(pattern, id)) ?? true)
      .map((testCase) => ({ id: `${deployment.name}/${testCase.id}`, case: testCase, deployment })),
  )
  const ledger = new Set(specification.requirements.map(({ id }) => id))
  const selectable = all.map((item) => selectableOf(item, ledger))
  refuseUnmatched(
    selectable,
    selection,
    '`token-assay list cases` shows all cases',
    options.replay === undefined ? undefined : 'there is nothing to replay at',
  )
  const planned = new Set<string>()
  const items = all.map((item, index): Planned => {
    const { id } = item.case
    const not = explainNotRun(item, selectable[index]?.rules ?? [], target, options)
    const isFirst = !planned.has(id)
    if (not === undefined) planned.add(id)
    return { ...item, index, isFirst, ...(not === undefined ? {} : { not }) }
  })
  return {
    items: inShard(items, selection.shard),
    hash: digest([
      specification.hash,
      names,
      // Which rules of a case are judged is seen in no item.
      [selection.only ?? [], selection.skip ?? []],
      items.map(({ id, not }) => [id, not?.outcome ?? null]),
    ]),
  }
}

type CaseOfDeployment = Pick<Planned, 'id' | 'case' | 'deployment'>

function selectableOf({ id, case: testCase }: CaseOfDeployment, ledger: ReadonlySet<string>): Selectable {
  const rules = testCase.steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
  return { id, case: testCase.id, rules: [...new Set(rules)].filter((rule) => ledger.has(rule)) }
}

function explainNotRun(
  { id, case: testCase, deployment }: CaseOfDeployment,
  rules: readonly string[],
  target: Target,
  { selection, strict }: PlanOptions,
): Planned['not'] {
  const isChosen = selection.deployments?.includes(deployment.name) ?? true
  const isJudged = judgedRules(selection, { id, case: testCase.id })
  if (!isChosen || (rules.length > 0 && !rules.some(isJudged)))
    return { outcome: 'untested', reason: 'filtered' }
  const hasSibling = siblingOf(deployment, target) !== undefined
  const reason = testCase.when && unmetCondition(testCase.when, deployment, strict, hasSibling)
  return reason === undefined ? undefined : { outcome: 'inapplicable', reason }
}

/**
 * Leaves to other shards what is theirs. A deployment is never divided: its budget of failed logins, its rate, and the
 * rules about all of its answers together belong to one run.
 */
function inShard(items: readonly Planned[], text: string | undefined): readonly Planned[] {
  const own = shareOf(
    items.flatMap(({ deployment, not }) => (not === undefined ? [deployment] : [])),
    text === undefined ? undefined : parseShard(text),
  )
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
