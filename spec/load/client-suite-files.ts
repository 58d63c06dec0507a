import type { AnswerFreedom, ClientScenarios } from '../generated/types/client-scenarios.js'
import { clientScenarios, requirements } from '../generated/validators.js'
import type { ClientScenario, ClientSuite } from '../model/client-suite.js'
import { type Finding, SpecError } from './position.js'
import { readValid, yamlFiles } from './specification-files.js'

/**
 * Reads `client-requirements.yaml`, and `client/*.yaml` by name: the scenarios come in the order of the files.
 * @throws SpecError with every finding of every file
 */
export function readClientSuite(folder: string): ClientSuite {
  const findings: Finding[] = []
  const ledger = readValid(folder, 'client-requirements.yaml', requirements, findings).value
  const files = yamlFiles(folder, 'client').map(
    (path) => readValid(folder, path, clientScenarios, findings).value,
  )
  if (findings.length > 0) throw new SpecError(findings)
  const freedoms = files.flatMap((file) => file.freedoms ?? [])
  return {
    requirements: ledger.requirements,
    scenarios: files.flatMap(scenariosOf),
    freedoms,
    search: {
      ...(files.find(({ search }) => search !== undefined)?.search ?? { id: 'none', title: 'none' }),
      expects: 'signed-in',
      rules: [...new Set(freedoms.map(({ rule }) => rule))],
    },
  }
}

function scenariosOf({ scenarios = [], freedoms = [] }: ClientScenarios): readonly ClientScenario[] {
  return [...scenarios, ...freedoms.flatMap(waysAlone)]
}

/** Each way in which an answer may differ, alone. */
function waysAlone({ rule, judgesToo = [], ways }: AnswerFreedom): readonly ClientScenario[] {
  return ways.map(({ id, when, answer }) => ({
    id,
    title: `signs in when ${when}`,
    expects: 'signed-in',
    rules: [rule, ...judgesToo],
    answers: [answer],
  }))
}
