/** What a validator says of a value, as ajv has it. */
export interface Invalid {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly parentSchema?: Readonly<Record<string, unknown>>
}

/**
 * What is wrong with a value, in one sentence: an unknown member first, else what lies deepest. No value is quoted: it may
 * be a password.
 * @param root what the value itself is called
 */
export function explainInvalid(errors: readonly Invalid[], root: string): string {
  const worst = [...errors].reverse().sort((a, b) => rank(b) - rank(a))[0]
  return worst === undefined ? `expected another ${root}` : explain(worst, root)
}

function rank({ keyword, instancePath }: Invalid): number {
  // Where one member is wrong, ajv calls those beside it unevaluated.
  if (keyword === 'unevaluatedProperties') return 0
  return keyword === 'additionalProperties' ? Number.POSITIVE_INFINITY : instancePath.split('/').length
}

function explain({ instancePath, params, parentSchema = {} }: Invalid, root: string): string {
  const name = nameOf(instancePath) || root
  const unknown = params.additionalProperty ?? params.unevaluatedProperty
  if (unknown !== undefined) {
    const known = Object.keys(parentSchema.properties ?? {})
    const found = JSON.stringify(String(unknown).slice(0, 64))
    return known.length === 0
      ? `expected ${name} to have no member ${found}`
      : `expected ${name} to have no member but ${known.join(', ')}, found ${found}`
  }
  if (params.missingProperty !== undefined)
    return `expected ${name} to have a member ${params.missingProperty}`
  return `expected ${name} to be ${wanted(parentSchema)}`
}

function wanted({
  title,
  type,
  enum: values,
  minimum,
  maximum,
  maxItems,
}: Readonly<Record<string, unknown>>) {
  if (typeof title === 'string') return title
  if (Array.isArray(values)) return `one of ${values.join(', ')}`
  if (type === 'integer')
    return maximum === undefined
      ? `a whole number of at least ${minimum}`
      : `a whole number ${minimum === undefined ? 'of at most' : `from ${minimum} to`} ${maximum}`
  if (type === 'number') return 'a number'
  if (type === 'boolean') return 'true or false'
  if (type === 'array') return maxItems === undefined ? 'a list' : `a list of at most ${maxItems}`
  return type === 'object' ? 'an object' : 'another value'
}

/** `/account/externalLogins/0` is `account.externalLogins[0]`. */
export function nameOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
    )
    .join('')
    .replace(/^\./, '')
}
