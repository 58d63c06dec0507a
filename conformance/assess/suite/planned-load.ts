import type { Case, Step } from '../../../spec/model/case.js'
import { sharesAccount } from '../../drivers/send/session/control.js'
import { createRunContext, type RunContext } from '../../drivers/send/session/run-context.js'
import { type Amounts, amountsOf, timesOf } from '../../plan/effort.js'
import { type DeploymentLoad, type Plan, type Planned, planRun } from '../../plan/plan.js'
import type { Deployment, Target } from '../../target/deployment.js'
import { isJudgedAgain } from './judge-again.js'

type PlannedLoad = Pick<DeploymentLoad, 'requests' | 'accounts'>

/** Of a generator, in the mean: to count them would load it. */
const NEAR_MISSES = 28
const NOTHING: PlannedLoad = { requests: 0, accounts: 0 }
/** An account for a case that must not harm the declared ones: registered, and logged in once. */
const NEW_ACCOUNT: PlannedLoad = { requests: 2, accounts: 1 }

/** What the steps of a case do not show. A sequence has at most twelve commands, of which some take two requests. */
const PROPERTIES: Readonly<
  Record<NonNullable<Step['property']>, (times: number, deployment: Deployment) => PlannedLoad>
> = {
  'account-sequences': (sequences, { registration }) => {
    const drawn = registration?.immediate === false ? 0 : sequences
    return { requests: 24 * drawn + 40, accounts: 6 * drawn + 20 }
  },
  'user-enumeration': () => ({ requests: 900, accounts: 10 }),
  guesses: () => ({ requests: 150, accounts: 5 }),
  'token-strength': (inputs) => ({ requests: Math.min(1000, Math.max(100, 2 * inputs)), accounts: 0 }),
  transport: () => ({ requests: 10, accounts: 0 }),
}

/** What a run of everything sends at most; nothing has been sent. */
export function loadsOfRun(target: Target): readonly DeploymentLoad[] {
  const run = createRunContext(target, {})
  run.end()
  return plannedLoads(run, planRun(run.specification, target, run))
}

/** One row for each deployment that something is sent to. */
export function plannedLoads(run: RunContext, { items }: Plan): readonly DeploymentLoad[] {
  const toSend = items.filter(({ not }) => not === undefined)
  return Array.from(new Set(toSend.map(({ deployment }) => deployment)), (deployment) => {
    const own = toSend.filter((item) => item.deployment === deployment)
    const { requests, accounts } = loadOfDeployment(run, own, run.amounts)
    return {
      deployment,
      requests,
      accounts: deployment.registration === undefined ? 0 : accounts,
      ...(run.effort === 'quick'
        ? {}
        : { quickRequests: loadOfDeployment(run, own, amountsOf('quick', undefined)).requests }),
    }
  })
}

/** @param items that something is sent for, at one deployment */
function loadOfDeployment(run: RunContext, items: readonly Planned[], amounts: Amounts): PlannedLoad {
  const { only, skip } = run.selection
  const isWhole = only === undefined && skip === undefined && amounts.isWhole
  const observed = isWhole ? run.specification.observations : []
  return sum([
    ...(items.some(sharesNewAccount) ? [NEW_ACCOUNT] : []),
    // The logins at the start, and the one that shows whether the accounts still work at the end.
    { requests: 2 * (items[0]?.deployment.accounts.length ?? 0) + 3, accounts: 1 },
    ...items.map((item) => loadOf(run, item, amounts)),
    // An observation that may harm its account has one of its own.
    ...observed.flatMap(({ steps }) => [NEW_ACCOUNT, ...steps.map(loadOfStep)]),
  ])
}

function hasNewAccount({ case: { account }, deployment }: Planned): boolean {
  return account === 'throwaway' && deployment.registration?.immediate === true
}

function sharesNewAccount(item: Planned): boolean {
  return hasNewAccount(item) && sharesAccount(item.case)
}

function loadOf(run: RunContext, item: Planned, amounts: Amounts): PlannedLoad {
  const { case: testCase, deployment } = item
  const { steps, forall, rounds = 1, failedLogin, invariant } = testCase
  const property = steps[0]?.property
  const share = deployment.runsShare * run.shareOf(testCase)
  const tried = timesOf(testCase, amounts, share)
  const inputs = Math.min(tried, NEAR_MISSES + Math.ceil(amounts.drawn * share))
  const control = loadOfControl(run, testCase)
  const account = hasNewAccount(item) && !sharesAccount(testCase) ? NEW_ACCOUNT : NOTHING
  const once = invariant === undefined ? Math.min(rounds, amounts.rounds) : tried
  const times = forall === undefined ? once : inputs
  // A new account takes two failed logins, with a good one between.
  const pairs = failedLogin && forall !== undefined ? Math.ceil(times / 2) : 0
  const whole = sum([
    repeated(sum([control, account]), pairs),
    // Before and after, each shared with another case at least.
    control,
    account,
    property === undefined
      ? repeated(sum(steps.map(loadOfStep)), times)
      : PROPERTIES[property](tried, deployment),
  ])
  return repeated(whole, amounts.isWhole && isJudgedAgain(testCase) ? 2 : 1)
}

function loadOfControl({ cases }: RunContext, { control }: Case): PlannedLoad {
  const [step] = (control === undefined ? undefined : cases.get(control)?.steps) ?? []
  return step === undefined ? NOTHING : loadOfStep(step)
}

function loadOfStep({ register, signIn, concurrency = 1, expect = [] }: Step): PlannedLoad {
  const accepted = expect.find(({ registeredTimes }) => registeredTimes !== undefined)?.registeredTimes
  const isRejected = expect.some(({ registered, given }) => registered === false || given === 'rejection')
  return {
    // A sign-in through a provider may need a code first.
    requests: (signIn === undefined ? 1 : 2) * concurrency,
    accounts: register === undefined || isRejected ? 0 : (accepted ?? concurrency),
  }
}

function sum(loads: readonly PlannedLoad[]): PlannedLoad {
  return loads.reduce(
    (all, { requests, accounts }) => ({
      requests: all.requests + requests,
      accounts: all.accounts + accounts,
    }),
    NOTHING,
  )
}

function repeated({ requests, accounts }: PlannedLoad, times: number): PlannedLoad {
  return { requests: requests * times, accounts: accounts * times }
}
