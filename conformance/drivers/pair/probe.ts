import type { Case, RequestTemplate, Step } from '../../../spec/model/case.js'
import type { Values } from '../../assess/suite/forall-inputs.js'

/** What both sides are asked: the requests of a case, without what is expected of the answers. */
export interface Probe {
  /** Where it comes from: a case, an observation, or its number among the generated ones. */
  readonly id: string
  readonly testCase: Case
  /** Of the variables of a `forall` case. */
  readonly values: Values
  /** Its requests may be failed logins: it is asked within the budget. */
  readonly mayFail: boolean
}

/** The login that every token request is compared with. */
export const PLAIN_FORM = [
  ['grant_type', 'password'],
  ['username', '$account.userName'],
  ['password', '$account.password'],
] as const

export const PLAIN: RequestTemplate = { form: PLAIN_FORM }

/** A probe of these steps. */
export function probeOf(id: string, steps: readonly Step[], more: Partial<Case> = {}): Probe {
  const bare = steps.map(({ expect: _, ...step }): Step => step)
  // One id for all of them: the names of new accounts are counted by it.
  const testCase: Case = { id: 'differential', section: '', title: id, ...more, steps: bare }
  return { id, testCase, values: {}, mayFail: more.failedLogin ?? bare.some(mayFail) }
}

/** The same with other steps: a smaller one. */
export function withSteps(probe: Probe, steps: readonly Step[]): Probe {
  // What is not asked for any more need not be bound.
  const text = JSON.stringify(steps)
  const { forall = {}, failedLogin: _, ...testCase } = probe.testCase
  const used = Object.entries(forall).filter(([name]) => text.includes(`$${name}`))
  const changed: Case = { ...testCase, steps, ...(used.length > 0 && { forall: Object.fromEntries(used) }) }
  return { ...probe, testCase: changed, mayFail: used.length > 0 || steps.some(mayFail) }
}

/** What tells one probe from another. */
export function keyOf({ testCase: { steps, forall = {}, account }, values }: Probe): string {
  const used = Object.keys(forall).map((name) => [name, values[name]])
  return JSON.stringify([steps.map(({ name: _, ...step }) => step), used, account ?? 'main'])
}

/** Whether it asks for a token with anything but the right credentials: a service may count that as a failed login. */
function mayFail({ send }: Step): boolean {
  if (send === undefined) return false
  const pairs = pairsOf(send.form) ?? []
  const valuesOf = (name: string): string =>
    pairs
      .filter(([own]) => own === name)
      .map(([, value]) => value)
      .join('\n')
  const grants = pairs.filter(([name]) => /grant/i.test(name))
  if (send.form === undefined) return false
  if (grants.length > 0 && !grants.some(([, value]) => /password/i.test(value))) return false
  return ['username', 'password'].some(
    (name) => valuesOf(name) !== PLAIN_FORM.find(([own]) => own === name)?.[1] && !isOther(pairs),
  )
}

/** The right credentials of another declared account. */
function isOther(pairs: readonly (readonly [string, string])[]): boolean {
  const names = new Map(pairs)
  const [user = '', password = ''] = [names.get('username'), names.get('password')]
  return /^\$(\w+)\.(userName|loginName)$/.test(user) && password === user.replace(/\.\w+$/, '.password')
}

export function pairsOf(
  fields: RequestTemplate['form'],
): readonly (readonly [name: string, value: string])[] | undefined {
  if (fields === undefined) return undefined
  return isPairs(fields) ? fields : Object.entries(fields)
}

function isPairs(
  fields: NonNullable<RequestTemplate['form']>,
): fields is readonly (readonly [string, string])[] {
  return Array.isArray(fields)
}
