import type { Case } from '../../spec/model/case.js'
import type { Json } from '../../spec/model/json.js'
import type { Generator, Scope } from '../generators/generator.js'
import { GENERATORS } from '../generators/index.js'
import type { CaseRun } from '../session/case-run.js'
import { baseBindings } from '../session/case-run.js'
import { candidateOf } from '../session/send.js'
import { membersOf, prepareRequest } from '../session/template.js'
import type { WireRequest } from '../wire/exchange.js'

export type Values = Readonly<Record<string, Json>>

export type Variables = readonly (readonly [name: string, generator: Generator])[]

export function variablesOf({ id, forall = {} }: Case): Variables {
  return Object.entries(forall).map(([name, generatorName]) => {
    const generator = GENERATORS.get(generatorName)
    if (generator === undefined) throw new TypeError(`${id}: no generator is named ${generatorName}`)
    return [name, generator]
  })
}

/** The case with these values for its variables. */
export function bindValues(run: CaseRun, variables: Variables, values: Values, scope: Scope): CaseRun {
  const base = baseBindings(run, run.testCase.steps)
  const bound = variables.map(
    ([name, generator]) => [name, generator.bind(values[name] ?? null, scope)] as const,
  )
  const bindings = { ...base, ...Object.fromEntries(bound) }
  const { registration } = run.session.deployment
  const template = run.testCase.steps.find(({ register }) => register !== undefined)?.register
  if (registration === undefined || template === undefined) return { ...run, bindings }
  // What the steps register need not be all of `$fresh`, and it is that which logs in.
  const { loginName } = candidateOf(template, bindings, registration.loginName)
  return { ...run, bindings: { ...bindings, fresh: { ...membersOf(bindings.fresh), loginName } } }
}

/** The last request that the steps spell out: what the inputs change. */
export function lastRequest({ session, testCase, bindings }: CaseRun): WireRequest | undefined {
  const template = testCase.steps.findLast(({ send }) => send !== undefined)?.send
  return template && prepareRequest(template, bindings, session.basePath).wire
}

/** Whether the final bytes are in each generator's scope: an accidentally valid request is no counterexample. */
export function areInScope(
  { testCase, bindings, session }: CaseRun,
  variables: Variables,
  scope: Scope,
  request: WireRequest = NO_REQUEST,
): boolean {
  const registration = testCase.steps.find(({ register }) => register !== undefined)?.register
  const loginName = session.deployment.registration?.loginName ?? '$userName'
  const candidate = registration && candidateOf(registration, bindings, loginName)
  return variables.every(([, generator]) => generator.inScope(request, scope, candidate))
}

const NO_REQUEST: WireRequest = { method: 'POST', path: '', headers: [] }

/** The systematic inputs, side by side where there are several variables. */
export function examplesOf(variables: Variables, scope: Scope): readonly Values[] {
  const lists = variables.map(([name, generator]) => [name, generator.examples(scope)] as const)
  const longest = Math.max(0, ...lists.map(([, examples]) => examples.length))
  return Array.from({ length: longest }, (_, index) =>
    Object.fromEntries(lists.map(([name, examples]) => [name, examples[index % examples.length] ?? null])),
  )
}
