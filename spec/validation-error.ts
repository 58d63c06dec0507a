/** One error of a generated validator (ajv, with `verbose` and `allErrors`). */
export interface ValidationError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly schema?: unknown
  readonly parentSchema?: Readonly<Record<string, unknown>>
  readonly data?: unknown
  readonly propertyName?: string
}
