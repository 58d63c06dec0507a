import fc from 'fast-check'
import type { Case, RequestTemplate, Step } from '../../../../spec/model/case.js'
import type { Condition } from '../../../../spec/model/expectation.js'
import { groupBy } from '../../../../spec/model/items.js'
import { type PairProbe, PLAIN, probeKey, probeOf, singleRequests } from '../../../drivers/pair/probe.js'
import {
  type CaseRun,
  caseSeed,
  freshBinding,
  scopeOf,
  startCase,
} from '../../../drivers/send/session/case-run.js'
import type { Session } from '../../../drivers/send/session/session.js'
import { unmetCondition } from '../../../target/unmet-condition.js'
import {
  areInScope,
  bindValues,
  examplesOf,
  fillLast,
  type Values,
  variablesOf,
} from '../../suite/forall-inputs.js'
import { NAMED_PROBES } from './named-probes.js'
import {
  mutatedLogins,
  mutatedRegistrations,
  PLANNED_EDITS,
  SINGLE_REGISTRATIONS,
} from './unusual-requests.js'

/** Of a case's generator: its own near misses, the most revealing first, and random ones. Few where little is made up. */
const EXAMPLES = 150
const FEWEST_EXAMPLES = 4
const SHARE_OF_EXAMPLES = 0.5
const SHARE_OF_CASE = 0.02
const SHARE_OF_REGISTRATIONS = 0.05

/** Generators whose values are no secret, and can be written into the request: they are then shrunk with it. */
const WRITTEN = new Set(['unsupported-grant-type', 'wrong-media-type', 'media-type'])

/**
 * All that both sides are asked, each once: what single requests and cases ask first, then what generators make up.
 * @param sessions where the conditions of a case must be met
 * @param runs how many requests are made up
 */
export function planProbes(
  sessions: readonly [Session, ...Session[]],
  seed: number,
  runs: number,
): readonly PairProbe[] {
  const [session] = sessions
  const { cases, observations } = session.run.specification
  const isMet = (condition: Condition | undefined): boolean =>
    condition === undefined ||
    sessions.every(({ deployment, run }) => unmetCondition(condition, deployment, run.strict) === undefined)
  const hasRegistration = isMet({ registration: true })
  const asked = cases.flatMap((testCase) => {
    const steps = isMet(testCase.when) ? singleRequests(testCase.steps) : undefined
    return steps === undefined ? [] : { ...testCase, steps }
  })
  const single = asked
    .filter(({ forall }) => forall === undefined)
    .map((testCase) => probeOf(`case ${testCase.id}`, testCase.steps, loginsOf(testCase)))
  const observed = observations
    .filter(({ when, steps }) => steps.length > 0 && isMet(when))
    .map(({ id, steps, failedLogin }) =>
      probeOf(`observation ${id}`, steps, failedLogin ? { account: 'throwaway', failedLogin } : {}),
    )
  const drawn = asked
    .filter(({ forall }) => forall !== undefined)
    .flatMap((testCase) =>
      drawnProbes(sessions, testCase, seed, {
        random: Math.max(2, Math.round(runs * SHARE_OF_CASE)),
        examples: Math.min(EXAMPLES, Math.max(FEWEST_EXAMPLES, Math.ceil(runs * SHARE_OF_EXAMPLES))),
      }),
    )
  const drawnRegistrations = hasRegistration
    ? fc.sample(mutatedRegistrations, { seed, numRuns: Math.ceil(runs * SHARE_OF_REGISTRATIONS) })
    : []
  const drawnLogins = fc.sample(mutatedLogins, { seed, numRuns: runs })
  const made = [
    ...PLANNED_EDITS.map((send) => ({ isFixed: true, step: { send } })),
    ...drawnLogins.map((send) => ({ isFixed: false, step: { send } })),
    ...(hasRegistration ? SINGLE_REGISTRATIONS : []).map((register) => ({
      isFixed: true,
      step: { register },
    })),
    ...drawnRegistrations.map((register) => ({ isFixed: false, step: { register } })),
  ]
  const named = NAMED_PROBES.filter(({ needsRegistration }) => hasRegistration || !needsRegistration)
  const fixed = [
    ...FIRST.map((send) => generated({ send }, -1)),
    ...[...single, ...observed, ...named.map(({ probe }) => probe)],
  ].map((probe) => ({ ...probe, isFixed: true }))
  const all: readonly PairProbe[] = [
    ...[...fixed, ...drawn],
    ...made.map(({ step, isFixed }, index) => ({ ...generated(step, index), isFixed })),
  ]
  // The first of those that send the same.
  return [...groupBy(all, probeKey).values()].flatMap(([first, ...same]) =>
    first === undefined ? [] : { ...first, isFixed: [first, ...same].some((one) => one.isFixed) },
  )
}

/** The id of those that come first. */
export const COMMON = 'login'

/** The commonest requests, and the commonest refusals: a failed login takes from the budget before anything else does. */
const FIRST: readonly RequestTemplate[] = [
  PLAIN,
  { form: { grant_type: 'password', username: '$account.userName', password: 'x' } },
  { form: { grant_type: 'password', username: 'x', password: '$account.password' } },
]

function generated(step: Step, index: number): PairProbe {
  const plain = probeOf(index < 0 ? COMMON : `generated ${index + 1}`, [step])
  return plain.mayFail ? { ...plain, testCase: { ...plain.testCase, account: 'throwaway' } } : plain
}

function drawnProbes(
  sessions: readonly Session[],
  testCase: Case,
  seed: number,
  count: { readonly random: number; readonly examples: number },
): readonly PairProbe[] {
  const variables = variablesOf(testCase)
  const sides = sessions.map((session) => {
    const run = withAccount(startCase(session, testCase))
    return { run, scope: scopeOf(run) }
  })
  // Failed logins are few: of an account that is alone, for example, the password of another is none. Where the sides have
  // other passwords, what misses the one may be the other.
  const isMeant = (values: Values): boolean =>
    testCase.failedLogin !== true ||
    sides.every(({ run, scope }) =>
      areInScope(fillLast(bindValues(run, variables, values, scope)), variables, scope),
    )
  const drawnFor = ({ scope }: (typeof sides)[number]): readonly Values[] => {
    const arbitraries = variables.map(([name, generator]) => [name, generator.arbitrary(scope)] as const)
    return fc.sample(fc.record(Object.fromEntries(arbitraries)), {
      seed: caseSeed(seed, testCase.id, ''),
      numRuns: count.random,
    })
  }
  const { steps, forall = {} } = testCase
  const more = loginsOf(testCase)
  // The same where both have the same accounts: what is drawn twice is asked once.
  const examples = distinct(sides.flatMap(({ scope }) => examplesOf(variables, scope))).filter(isMeant)
  const random = distinct(sides.flatMap(drawnFor)).filter(isMeant)
  const fixed = examples.slice(0, count.examples)
  return [...fixed, ...random].map((values, at) => {
    const isFixed = at < fixed.length
    const isWritten = Object.values(forall).every((name) => WRITTEN.has(name))
    if (isWritten) return { ...probeOf(`case ${testCase.id}`, writeIn(steps, values), more), isFixed }
    return { ...probeOf(`case ${testCase.id}`, steps, { ...more, forall }), values, isFixed }
  })
}

function distinct(all: readonly Values[]): readonly Values[] {
  return [...new Map(all.map((values) => [JSON.stringify(values), values])).values()]
}

/** The account that its near misses are of is one like that which is asked with: another password has other letters. */
function withAccount(run: CaseRun): CaseRun {
  const { accounts, registration } = run.session.deployment
  if (run.testCase.account !== 'throwaway') return run
  if (registration?.immediate !== true) return { ...run, account: accounts.at(-1) ?? run.account }
  const { loginName, password } = freshBinding(run)
  return { ...run, account: { userName: loginName.wire, password: password.wire } }
}

/** Which account a case asks for, and what it takes of the failed logins. */
function loginsOf({ account, failedLogin, failedLoginShare }: Case): Partial<Case> {
  return {
    ...(account && { account }),
    ...(failedLogin && { failedLogin }),
    ...(failedLoginShare && { failedLoginShare }),
  }
}

function writeIn(steps: readonly Step[], values: Values): readonly Step[] {
  const write = (text: string): string =>
    Object.entries(values).reduce(
      (written, [name, value]) => (written === `$${name}` ? String(value).replaceAll('$', '$$$$') : written),
      text,
    )
  return JSON.parse(
    JSON.stringify(steps, (_, value: unknown) => (typeof value === 'string' ? write(value) : value)),
  )
}
