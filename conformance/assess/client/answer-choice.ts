import fc from 'fast-check'
import { clientSuite } from '../../../spec/load/client-suite.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'

/** For each freedom the way that is chosen, by its place among the ways; 0 is the plain one. */
export type AnswerChoice = Readonly<Record<string, number>>

/** Each freedom with the way that is chosen, where it is not the plain one. */
export function chosenWays(choice: AnswerChoice) {
  return clientSuite().freedoms.flatMap(({ name, rule, ways }) => {
    const way = ways[(choice[name] ?? 0) - 1]
    return way === undefined ? [] : [{ ...way, rule }]
  })
}

/** The service that answers by this choice. */
export function scenarioOf(choice: AnswerChoice): ClientScenario {
  return { ...clientSuite().search, answers: chosenWays(choice).map(({ answer }) => answer) }
}

/** Every freedom at once; plain is the simplest. */
export function anyChoice(): fc.Arbitrary<AnswerChoice> {
  const places = clientSuite().freedoms.map(({ name, ways }) => [
    name,
    fc.constantFrom(...Array(ways.length + 1).keys()),
  ])
  return fc.record(Object.fromEntries(places))
}

/**
 * The same choice with the plain way in place of others.
 * @param failed the cases of ways that break the client by themselves
 * @param rules what is judged: ways of others are not tried
 */
export function plainly(
  choice: AnswerChoice,
  failed: ReadonlySet<string>,
  rules: readonly string[],
): AnswerChoice {
  const places = clientSuite().freedoms.map(({ name, rule, ways }) => {
    const place = choice[name] ?? 0
    const isTried = rules.includes(rule) && !failed.has(ways[place - 1]?.id ?? '')
    return [name, isTried ? place : 0]
  })
  return Object.fromEntries(places)
}
