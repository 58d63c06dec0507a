import { loadSpecification } from '../spec/specification.js'
import type { Specification } from '../spec/types.js'

/** The flag, the same for every command that takes cases of a user's own. */
export const CASES_FLAG = {
  value: 'DIR',
  help: 'cases and rules of your own too, from the YAML and JSON files of a folder',
} as const

/** The specification, with the cases of the folder where one is given. @throws AssayError where they will not do */
export async function specificationWith(folder: string | undefined): Promise<Specification> {
  const base = loadSpecification()
  if (folder === undefined) return base
  const { withExtraCases } = await import('../spec/extra-cases.js')
  return withExtraCases(base, folder, async () =>
    (await import('../conformance/generators/index.js')).GENERATORS.keys(),
  )
}
