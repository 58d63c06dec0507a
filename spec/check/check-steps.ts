import type { PlacedStep } from '../load/expand-case.js'
import { suggestion } from '../load/nearest.js'
import { type Finding, finding, type Located } from '../load/position.js'
import type { Expectation } from '../model/expectation.js'

/** The steps of a case have names of their own, and expectations name steps that are there. */
export function* checkSteps(file: Located, steps: readonly PlacedStep[]): Generator<Finding> {
  const names = new Set<string>()
  for (const { step, pointer } of steps) {
    if (step.name === undefined) continue
    if (names.has(step.name))
      yield finding(
        file.at(`${pointer}/name`),
        `expected each step name once, found "${step.name}" a second time`,
      )
    names.add(step.name)
  }
  for (const { step, expect } of steps)
    for (const { expectation, pointer } of expect)
      for (const { path, name, judged } of stepsNamedBy(expectation, step.name)) {
        const position = file.at(`${pointer}${path}`)
        if (!names.has(name)) {
          const message = `expected the name of a step of this case, found "${name}"${suggestion(name, names)}`
          yield finding(position, message)
        } else if (name === judged)
          yield finding(position, `expected another step than the judged one, found "${name}"`)
      }
}

interface NamedStep {
  readonly path: string
  readonly name: string
  /** The step whose answer is judged: it must not be compared with itself. */
  readonly judged?: string | undefined
}

function* stepsNamedBy(
  {
    of,
    needs,
    ifAccepted,
    ifRejected,
    orAccepted,
    member,
    advances,
    sameAnswerAs,
    sameMembersAs,
  }: Expectation,
  own: string | undefined,
): Generator<NamedStep> {
  const judged = of ?? own
  if (of !== undefined) yield { path: '/of', name: of }
  if (needs !== undefined) yield { path: '/needs', name: needs }
  if (ifAccepted !== undefined) yield { path: '/ifAccepted', name: ifAccepted }
  if (ifRejected !== undefined) yield { path: '/ifRejected', name: ifRejected }
  if (orAccepted !== undefined) yield { path: '/orAccepted', name: orAccepted, judged }
  if (member?.sameAs !== undefined) yield { path: '/member/sameAs', name: member.sameAs, judged }
  if (member?.differsFrom !== undefined)
    yield { path: '/member/differsFrom', name: member.differsFrom, judged }
  if (advances !== undefined) yield { path: '/advances/since', name: advances.since, judged }
  if (sameAnswerAs !== undefined) yield { path: '/sameAnswerAs', name: sameAnswerAs, judged }
  if (sameMembersAs !== undefined) yield { path: '/sameMembersAs', name: sameMembersAs, judged }
}
