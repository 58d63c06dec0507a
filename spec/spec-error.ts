import { AssayError } from './assay-error.js'
import { type Finding, formatFindings } from './position.js'

/** The files of a specification do not hold what they must. The message lists the findings, each with its place. */
export class SpecError extends AssayError {
  override readonly name: string = 'SpecError'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super('bad-specification', formatFindings(findings))
    this.findings = findings
  }
}
