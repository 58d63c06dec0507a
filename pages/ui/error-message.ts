import { AssayError } from '../../spec/model/assay-error.js'

/** Of misuse the message; of anything else no more than that it is a bug: a page shows no stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof AssayError) return error.message
  const what = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
  return `This is a bug in token-assay, not in your service (${what}).`
}
