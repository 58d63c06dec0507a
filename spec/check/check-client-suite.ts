import type { ClientSuite } from '../model/client-suite.js'

/** What does not fit together in the suite for clients: one sentence each. Empty where all is well. */
export function checkClientSuite({ requirements, scenarios, search }: ClientSuite): readonly string[] {
  const all = [...scenarios, search]
  const rules = new Set(requirements.map(({ id }) => id))
  const judged = new Set(all.flatMap((scenario) => scenario.rules))
  return [
    ...all
      .filter(({ id }, at) => all.findIndex((other) => other.id === id) !== at)
      .map(({ id }) => `spec/client: two cases have the id \`${id}\``),
    ...all.flatMap((scenario) =>
      scenario.rules
        .filter((rule) => !rules.has(rule))
        .map((rule) => `spec/client: ${scenario.id} judges \`${rule}\`, which is no rule of clients`),
    ),
    ...[...rules]
      .filter((rule) => !judged.has(rule))
      .map((rule) => `spec/client-requirements.yaml: no scenario judges \`${rule}\``),
  ]
}
