import t from 'tap'
import { assessTarget, type RunOptions } from '../../conformance/assess/assess-target.js'
import { examplesOf, variablesOf } from '../../conformance/assess/suite/forall-inputs.js'
import { scopeOf, startCase } from '../../conformance/drivers/send/session/case-run.js'
import { createRunContext } from '../../conformance/drivers/send/session/run-context.js'
import { openSession } from '../../conformance/drivers/send/session/session.js'
import { planRun } from '../../conformance/plan/plan.js'
import type { Deployment } from '../../conformance/target/deployment.js'
import { resolveScoped } from '../../conformance/target/resolve-scoped.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { matchesGlob } from '../../spec/model/selection.js'
import { type EmbeddedSettings, embeddedDeployments, exhaustiveDeployments } from './embedded-deployments.js'
import { startEmbedded } from './embedded-servers.js'

const MINIMUM_LENGTHS = [1, 6, 10, 64]
const BOTH = [true, false]

/** The values of every setting, from section 8 and 2.1. */
const VALUES = {
  minimumLength: MINIMUM_LENGTHS,
  requireNonLetterOrDigit: BOTH,
  requireDigit: BOTH,
  requireLowercase: BOTH,
  requireUppercase: BOTH,
  alphanumericUserNamesOnly: BOTH,
  uniqueEmail: BOTH,
  includesUserId: BOTH,
  tokenLifetime: [1_209_600, 3600],
} as const

type Setting = keyof typeof VALUES

function valuesOf({
  policy,
  includesUserId,
  tokenLifetime,
}: EmbeddedSettings): Readonly<Record<Setting, unknown>> {
  return { ...policy, includesUserId, tokenLifetime }
}

t.test('every pair of setting values occurs in some deployment, of at most twelve', async (t) => {
  const deployments = [...embeddedDeployments().values()].map(valuesOf)
  t.ok(deployments.length <= 12, `${deployments.length} deployments`)
  const settings = Object.keys(VALUES) as Setting[]
  let pairs = 0
  for (const [index, one] of settings.entries()) {
    for (const other of settings.slice(index + 1)) {
      for (const a of VALUES[one]) {
        for (const b of VALUES[other]) {
          pairs++
          if (!deployments.some((values) => values[one] === a && values[other] === b))
            t.fail(`${one} ${a} with ${other} ${b}`)
        }
      }
    }
  }
  // Four lengths with eight switches of two values, and the switches among themselves.
  t.equal(pairs, 4 * 8 * 2 + ((8 * 7) / 2) * 4)
})

t.test('the default deployment has the listed values, and real hashing has one of its own', async (t) => {
  const deployments = embeddedDeployments()
  const byDefault = deployments.get('default')
  t.same(byDefault && valuesOf(byDefault), {
    minimumLength: 6,
    requireNonLetterOrDigit: true,
    requireDigit: true,
    requireLowercase: true,
    requireUppercase: true,
    alphanumericUserNamesOnly: false,
    uniqueEmail: true,
    includesUserId: false,
    tokenLifetime: 1_209_600,
  })
  t.equal([...deployments.values()].filter(({ hashing }) => hashing === 'argon2id').length, 1)
})

t.test(
  'the default deployment tries every fixed input, as far as --runs goes, and says what it leaves out',
  async (t) => {
    await using servers = await startEmbedded()
    const target = resolveScoped(servers)
    const ids = ['4.1/unknown-grant-type', '4.1/form-encoding']
    const all = new Map<string, number>()
    const run = createRunContext(target, {})
    const session = openSession(run, target.deployments[0], undefined, () => {})
    for (const testCase of loadSpecification().cases.filter(({ id }) => ids.includes(id)))
      all.set(testCase.id, examplesOf(variablesOf(testCase), scopeOf(startCase(session, testCase))).length)
    await session.close()
    run.end()
    const longest = Math.max(...all.values())
    t.ok(
      longest > 25 && Math.min(...all.values()) < 25,
      'one has more fixed inputs than a quarter of 100, and one fewer',
    )
    const assessed = async (runs: number) => {
      const { results, limits } = await assessTarget(target, {
        only: ids,
        deployments: ['default'],
        runs,
        seed: 1,
      })
      const tried = results.flatMap(({ case: id, runs }) => (runs === undefined ? [] : [[id, runs] as const]))
      return { tried: new Map(tried), limits: limits.filter(({ setting }) => setting === '--runs') }
    }
    const usual = await assessed(100)
    t.same(usual, { tried: new Map([...all].map(([id, fixed]) => [id, Math.max(fixed, 25)])), limits: [] })
    const few = await assessed(20)
    t.same(new Set(few.tried.values()), new Set([20]))
    t.equal(few.limits[0]?.needed, longest)
    t.equal(few.limits[0]?.notTried?.length, ids.length)
  },
)

t.test(
  'where the default does not run a case, the first deployment that does tries every fixed input',
  async (t) => {
    await using servers = await startEmbedded()
    const assess = async (options: RunOptions) => {
      const { results, limits } = await assessTarget(resolveScoped(servers), { seed: 1, ...options })
      return { tried: results.flatMap(({ runs }) => runs ?? []), limits }
    }
    const only = ['8/digit-not-required']
    const whole = await assess({ only })
    t.match(whole.limits, [{ setting: '--effort', declared: 'normal' }])
    t.equal(whole.limits.length, 1)
    const [all = 0, ...others] = whole.tried
    t.ok(others.length > 1 && others.every((runs) => runs < 5), 'the others try a few')
    t.equal((await assess({ only, runs: 1000 })).tried[0], Math.max(all, 30))
    const { limits } = await assess({ only, runs: 5 })
    t.match(limits, [
      { setting: '--runs', needed: all, notTried: [`${only[0]}: ${all - 5} of ${all} fixed inputs`] },
    ])
    const alone = await assess({ only: ['4.1/wrong-password'], deployments: ['argon2id'], runs: 5 })
    t.match(
      alone.limits,
      [{ deployment: 'argon2id', setting: '--runs' }],
      'without the default, another is the first',
    )
  },
)

t.test(
  'a deployment leaves out the cases that do not depend on what sets it apart, and another runs them',
  async (t) => {
    const specification = loadSpecification()
    const ids = specification.cases.map(({ id }) => id)
    for (const [name, { cases = [] }] of embeddedDeployments())
      for (const pattern of cases)
        t.ok(
          ids.some((id) => matchesGlob(pattern, id)),
          `${name}: ${pattern}`,
        )
    await using servers = await startEmbedded()
    const target = resolveScoped(servers)
    const run = (restricted: boolean): ReadonlySet<string> => {
      const own = target.deployments.map(({ cases, ...deployment }): Deployment => {
        return restricted && cases !== undefined ? { ...deployment, cases } : deployment
      })
      const [first = target.deployments[0], ...others] = own
      const { items } = planRun(
        specification,
        { ...target, deployments: [first, ...others] },
        { selection: {}, strict: false },
      )
      return new Set(items.filter((item) => item.not === undefined).map((item) => item.case.id))
    }
    t.same([...run(true)].sort(), [...run(false)].sort())
    const { items } = planRun(specification, target, { selection: {}, strict: false })
    t.notOk(items.some(({ id }) => id === 'short-lifetime/4.1/json-body'))
    t.ok(items.some(({ id }) => id === 'short-lifetime/2.1/token-response'))
    // What registers accounts depends on the policy of each.
    const waiting = items.filter(
      ({ case: { steps } }) =>
        steps.some(({ waitMs }) => waitMs !== undefined) &&
        !steps.some(({ register }) => register !== undefined),
    )
    t.same(new Set(waiting.map(({ deployment }) => deployment.name)), new Set(['default']), 'one waits')
    t.equal(items.filter(({ deployment }) => deployment.name === 'default').length, ids.length)
  },
)

t.test('exhaustive: all combinations of six switches and four lengths', async (t) => {
  const deployments = exhaustiveDeployments()
  const policies = [...deployments.values()].map(({ policy }) => JSON.stringify(policy))
  t.equal(deployments.size, 256)
  t.equal(new Set(policies).size, 256)
  for (const name of deployments.keys()) t.match(name, /^[a-z0-9-]+$/)
})
