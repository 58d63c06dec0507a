import type { FormValues } from './body.js'

/** What a change answers: the path to go on to, what is wrong, or what went well. */
export interface ChangeOutcome {
  readonly go?: string
  readonly message?: string
  readonly good?: string
}

/** What a page may change, by path. Each throws AssayError for what it refuses. */
export type Changes = Readonly<Record<string, (values: FormValues) => Promise<ChangeOutcome> | ChangeOutcome>>
