import type { Case } from '../../../spec/model/case.js'
import type { Json } from '../../../spec/model/json.js'
import { baseBindings, type CaseRun } from '../../drivers/send/session/case-run.js'
import { candidateOf } from '../../drivers/send/session/send.js'
import type { WireRequest } from '../../exchange/exchange.js'
import { type Binding, membersOf, prepareRequest } from '../../exchange/template.js'
import type { Generator, Scope } from '../../generators/generator.js'
import { GENERATORS } from '../../generators/index.js'

export type Values = Readonly<Record<string, Json>>

export type Variables = readonly (readonly [name: string, generator: Generator])[]

export function variablesOf({ id, forall = {} }: Case): Variables {
  return Object.entries(forall).map(([name, generatorName]) => {
    const generator = GENERATORS.get(generatorName)
    if (generator === undefined) throw new TypeError(`${id}: no generator is named ${generatorName}`)
    return [name, generator]
  })
}

/** The case with these values for its variables, and what its steps register. */
export function bindValues(run: CaseRun, variables: Variables, values: Values, scope: Scope): CaseRun {
  const { steps } = run.testCase
  const bindings: Record<string, Binding> = { ...baseBindings(run, steps) }
  for (const [name, generator] of variables) bindings[name] = generator.bind(values[name] ?? null, scope)
  const { registration } = run.session.deployment
  const template = steps.find(({ register }) => register !== undefined)?.register
  if (registration === undefined || template === undefined) return { ...run, bindings }
  const candidate = candidateOf(template, bindings, registration.loginName)
  // What the steps register need not be all of `$fresh`, and it is that which logs in.
  bindings.fresh = { ...membersOf(bindings.fresh), loginName: candidate.loginName }
  return { ...run, bindings, filled: { registers: { template, candidate } } }
}

/** The same with the last request that the steps spell out filled in: it is what the inputs change. */
export function fillLast(run: CaseRun): CaseRun {
  const { session, testCase, bindings, filled } = run
  const template = testCase.steps.findLast(({ send }) => send !== undefined)?.send
  if (template === undefined) return run
  const prepared = prepareRequest(template, bindings, session.basePath)
  return { ...run, filled: { ...filled, sends: { template, prepared } } }
}

/** Whether the final bytes are in each generator's scope: an accidentally valid request is no counterexample. */
export function areInScope({ filled }: CaseRun, variables: Variables, scope: Scope): boolean {
  const request = filled?.sends?.prepared.wire ?? NO_REQUEST
  return variables.every(([, generator]) => generator.inScope(request, scope, filled?.registers?.candidate))
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
