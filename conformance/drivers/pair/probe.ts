import type { Case, RequestTemplate, Step } from '../../../spec/model/case.js'
import type { Json } from '../../../spec/model/json.js'
import { holdsCredentials, pairsOf } from '../../exchange/form-pairs.js'

/** The requests that both services are sent: the steps of a case, without what is expected of the answers. */
export interface PairProbe {
  /** The case or observation that it comes from, or its number among the generated ones. */
  readonly id: string
  readonly testCase: Case
  /** For the variables of a `forall` case. */
  readonly values: Readonly<Record<string, Json>>
  /** Its requests may be failed logins, which the budget limits. */
  readonly mayFail: boolean
  /** Planned in every run, whatever the seed. */
  readonly isFixed?: boolean
}

/** The plain login: every other token request is described by how it differs from this one. */
export const PLAIN_FORM = [
  ['grant_type', 'password'],
  ['username', '$account.userName'],
  ['password', '$account.password'],
] as const

export const PLAIN: RequestTemplate = { form: PLAIN_FORM }

export function probeOf(id: string, steps: readonly Step[], more: Partial<Case> = {}): PairProbe {
  const bare = steps.map(({ expect: _, ...step }): Step => step)
  // All share one id, because the names of new accounts are counted by it.
  const testCase: Case = { id: 'differential', section: '', title: id, ...more, steps: bare }
  return { id, testCase, values: {}, mayFail: more.failedLogin ?? bare.some(mayFail) }
}

/** It is asked for many times, for its tokens. */
export const PLAIN_LOGIN = probeOf('tokens', [{ send: PLAIN }])

/**
 * The steps of a case as both services are asked them; undefined where it takes several services, or several requests at a
 * time, which is no single exchange to compare. Where time passes between them, one of several is enough. A request that
 * builds on the answer to another is not made smaller.
 */
export function singleRequests(steps: readonly Step[]): readonly Step[] | undefined {
  const waits = steps.some(({ waitMs }) => waitMs !== undefined)
  const isSingle = ({ concurrency, property, at, capture }: Step): boolean =>
    [waits ? undefined : concurrency, property, at, capture].every((member) => member === undefined)
  return steps.every(isSingle) ? steps.map(({ concurrency: _, ...step }): Step => step) : undefined
}

export function withSteps(probe: PairProbe, steps: readonly Step[]): PairProbe {
  // A variable that no step names any more need not be bound.
  const text = JSON.stringify(steps)
  const { forall = {}, failedLogin: _, ...testCase } = probe.testCase
  const used = Object.entries(forall).filter(([name]) => text.includes(`$${name}`))
  const changed: Case = { ...testCase, steps, ...(used.length > 0 && { forall: Object.fromEntries(used) }) }
  return { ...probe, testCase: changed, mayFail: used.length > 0 || steps.some(mayFail) }
}

/** Two probes with the same key send the same requests. */
export function probeKey({ testCase: { steps, forall = {}, account }, values }: PairProbe): string {
  const used = Object.keys(forall).map((name) => [name, values[name]])
  return JSON.stringify([steps.map(({ name: _, ...step }) => step), used, account ?? 'main'])
}

/** Whether it asks for a token with anything but the right credentials: a service may count that as a failed login. */
function mayFail({ send }: Step): boolean {
  const pairs = pairsOf(send?.form)
  if (pairs === undefined) return false
  const grants = pairs.filter(([name]) => /grant/i.test(name))
  if (grants.length > 0 && !grants.some(([, value]) => /password/i.test(value))) return false
  const isPlain = (name: string): boolean => {
    const values = pairs.filter(([own]) => own === name).map(([, value]) => value)
    return values.join('\n') === plainParameter(name)
  }
  return !['username', 'password'].every(isPlain) && !holdsCredentials(pairs)
}

export function plainParameter(name: string): string | undefined {
  return PLAIN_FORM.find(([own]) => own === name)?.[1]
}
