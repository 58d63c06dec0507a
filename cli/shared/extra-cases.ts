import { loadSpecification } from '../../spec/load/specification.js'
import type { Specification } from '../../spec/model/specification.js'

/** The flag of every command that takes the user's own cases. */
export const CASES_FLAG = {
  value: 'DIR',
  help: 'add your own cases and rules from the YAML and JSON files in a folder',
} as const

/** The specification, with the cases of the folder, if given. @throws AssayError where they are not valid */
export async function specificationWith(folder: string | undefined): Promise<Specification> {
  const base = loadSpecification()
  if (folder === undefined) return base
  const { withExtraCases } = await import('../../spec/check/extra-cases.js')
  return withExtraCases(base, folder, async () =>
    (await import('../../conformance/generators/index.js')).GENERATORS.keys(),
  )
}
