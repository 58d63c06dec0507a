import fc from 'fast-check'
import { AssayError } from '../../spec/model/assay-error.js'

/**
 * As `fc.check`.
 * @throws AssayError `usage` where no input is at the path of `--replay`
 */
export async function checkProperty<Inputs>(
  property: fc.IAsyncProperty<Inputs>,
  parameters: fc.Parameters<Inputs>,
): Promise<fc.RunDetails<Inputs>> {
  try {
    return await fc.check(property, parameters)
  } catch (error) {
    // fast-check walks the path before it runs anything, and has no class for this.
    if (parameters.path === undefined || !String(error).includes('Unable to replay')) throw error
    throw new AssayError(
      'usage',
      `--replay: no input is at \`${parameters.path}\`; take the whole text that is shown under a failure`,
    )
  }
}
