import { unmetCondition } from '../../conformance/condition.js'
import type { Deployment } from '../../conformance/deployment.js'
import { GENERATORS } from '../../conformance/generators/index.js'
import type { Planned } from '../../conformance/plan.js'
import type { Case, Expectation, Forall, RequestTemplate, Step } from '../../spec/types.js'
import { CHECKED, MEMBER_CHECKED } from './judging.js'

/** A case as a k6 script has it. */
export interface ScriptCase extends Pick<Case, 'id' | 'title' | 'account'> {
  readonly forall?: Forall
  readonly steps: readonly ScriptStep[]
}

export interface ScriptStep extends Pick<Step, 'name' | 'waitMs'> {
  readonly send: RequestTemplate
  readonly expect: readonly Omit<Expectation, 'when' | 'hint'>[]
}

export interface ChosenCases {
  readonly cases: readonly ScriptCase[]
  /** The expectations that every answer is held to that yields a token, and the case that they are of. */
  readonly grant: { readonly id: string; readonly expect: ScriptStep['expect'] }
  /** The inputs of each generator that a case names. */
  readonly inputs: Readonly<Record<string, readonly string[]>>
  /** What stays out, by its reason. */
  readonly left: ReadonlyMap<string, readonly string[]>
}

/** The generators whose inputs are texts that have nothing to do with an account, and so may stand in a file. */
const EXPORTED: readonly string[] = ['unsupported-grant-type', 'wrong-media-type', 'media-type']
const JUDGED: ReadonlySet<string> = new Set(['rule', 'of', 'given', 'when', 'hint', ...CHECKED])

/** Divides what a run would do into what a k6 script can show, and what only `token-assay run` can. */
export function chooseCases(items: readonly Planned[], deployment: Deployment): ChosenCases {
  const left = new Map<string, string[]>()
  const cases: ScriptCase[] = []
  for (const { case: subject, not } of items) {
    if (not?.outcome === 'untested') continue
    const steps = subject.steps.map((step) => stepOf(step, deployment))
    const why =
      not?.reason ??
      obstacle(subject) ??
      (steps.every(({ expect }) => expect.length === 0) ? 'needs checks that k6 has not' : undefined)
    if (why !== undefined) left.set(why, [...(left.get(why) ?? []), subject.id])
    else cases.push(caseOf(subject, steps))
  }
  const invariants = items.flatMap(({ case: { id, invariant } }) => (invariant === 'token' ? [id] : []))
  const grant = cases.find(({ id }) => invariants.includes(id))
  return {
    cases,
    grant: { id: grant?.id ?? '', expect: grant?.steps.at(-1)?.expect ?? [] },
    inputs: inputsOf(cases, deployment),
    left,
  }
}

/** Why a case cannot be sent from a k6 script, or had better not be. */
function obstacle({ steps, forall, failedLogin }: Case): string | undefined {
  if (failedLogin) return 'its failed logins would lock accounts under load'
  if (steps.some(({ register, property }) => register !== undefined || property !== undefined))
    return 'registers accounts, or is a property in code'
  if (steps.some(({ signIn }) => signIn !== undefined)) return 'signs in through an outside provider'
  if (steps.some(({ at }) => at !== undefined)) return 'compares two deployments'
  if (steps.some(({ atOnce }) => atOnce !== undefined)) return 'sends several requests at once'
  if (steps.some(({ send }) => JSON.stringify(send?.query ?? null).includes('.password')))
    return 'puts a password into a URL, which load tools record'
  const generators = Object.values(forall ?? {})
  if (generators.some((name) => !EXPORTED.includes(name)))
    return 'its inputs are made from credentials, which must not stand in a file'
  const known = ['account', 'other', ...Object.keys(forall ?? {})]
  const named = JSON.stringify(steps.map(({ send }) => send ?? {})).matchAll(/\$\$|\$([A-Za-z]\w*)/g)
  if ([...named].some(([, name]) => name !== undefined && !known.includes(name)))
    return 'refers to what only a run makes'
  return undefined
}

function caseOf({ id, title, account, forall }: Case, steps: readonly ScriptStep[]): ScriptCase {
  return {
    id,
    title,
    ...(account === undefined ? {} : { account }),
    ...(forall === undefined ? {} : { forall }),
    steps,
  }
}

function stepOf({ name, waitMs, send = {}, expect = [] }: Step, deployment: Deployment): ScriptStep {
  const applies = ({ when }: Expectation): boolean =>
    when === undefined || unmetCondition(when, deployment, false) === undefined
  return {
    ...(name === undefined ? {} : { name }),
    ...(waitMs === undefined ? {} : { waitMs }),
    send,
    expect: expect
      .filter((expected) => isCheckable(expected) && applies(expected))
      .map(({ when: _when, hint: _hint, ...expected }) => expected),
  }
}

function isCheckable(expected: Expectation): boolean {
  const parts = Object.keys(expected.member ?? {}).filter((key) => key !== 'name')
  return (
    expected.given !== 'rejection' &&
    Object.keys(expected).every((key) => JUDGED.has(key)) &&
    parts.every((key) => Object.hasOwn(MEMBER_CHECKED, key))
  )
}

function inputsOf(cases: readonly ScriptCase[], deployment: Deployment): ChosenCases['inputs'] {
  const [account] = deployment.accounts
  const scope = { deployment, account, runNonce: '' }
  const names = [...new Set(cases.flatMap(({ forall }) => Object.values(forall ?? {})))]
  return Object.fromEntries(
    names.map((name) => [
      name,
      (GENERATORS.get(name)?.examples(scope) ?? [])
        .map(String)
        .filter((input) => !deployment.additionalGrantTypes.includes(input)),
    ]),
  )
}
