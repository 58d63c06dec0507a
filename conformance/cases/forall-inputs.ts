import type { Case, Json } from '../../spec/types.js'
import type { WireRequest } from '../exchange.js'
import type { Generator, Scope } from '../generators/generator.js'
import { GENERATORS } from '../generators/index.js'
import { candidateOf } from '../session/send-step.js'
import type { Session } from '../session/session.js'
import { type Bindings, prepareRequest } from '../session/template.js'

export type Values = Readonly<Record<string, Json>>

export type Variables = readonly (readonly [name: string, generator: Generator])[]

export function variablesOf(subject: Case): Variables {
  return Object.entries(subject.forall ?? {}).map(([name, generatorName]) => {
    const generator = GENERATORS.get(generatorName)
    if (generator === undefined) throw new TypeError(`${subject.id}: no generator is named ${generatorName}`)
    return [name, generator]
  })
}

export function bindAll(variables: Variables, values: Values, scope: Scope, base: Bindings): Bindings {
  const bound = variables.map(
    ([name, generator]) => [name, generator.bind(values[name] ?? null, scope)] as const,
  )
  return { ...base, ...Object.fromEntries(bound) }
}

/** Whether the final bytes are what the generators promise: an accidentally valid request is no counterexample. */
export function keepsPromises(
  session: Session,
  subject: Case,
  variables: Variables,
  bindings: Bindings,
  scope: Scope,
): boolean {
  const registration = subject.steps.find(({ register }) => register !== undefined)?.register
  const candidate = registration && candidateOf(registration, bindings)
  const template = subject.steps.findLast(({ send }) => send !== undefined)?.send
  const wire = template === undefined ? NO_REQUEST : prepareRequest(template, bindings, session.basePath).wire
  return variables.every(([, generator]) => generator.promises(wire, scope, candidate))
}

/** The last step's request: what of it the inputs change. */
export function requestOf(session: Session, subject: Case, bindings: Bindings): string {
  const template = subject.steps.at(-1)?.send
  if (template === undefined) return ''
  const { wire } = prepareRequest(template, bindings, session.basePath)
  return `${wire.path} ${Buffer.from(wire.body ?? []).toString('latin1')}`
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
