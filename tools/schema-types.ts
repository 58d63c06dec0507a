/** What the schemas of `spec/schemas/` use of JSON Schema. What has no type of its own (`not`, `if`, `pattern`) is left out. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema | boolean
  readonly prefixItems?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly then?: Schema
  readonly else?: Schema
}

/**
 * The TypeScript module with the types of a schema file: one named as the file, and one for each of its `$defs` that is
 * more than a text or a number.
 * @param file such as `case-file.schema.json`
 * @param schemas all of them, by file
 */
export function schemaTypes(file: string, schemas: ReadonlyMap<string, Schema>): string {
  const schema = schemas.get(file) ?? {}
  const imports = new Map<string, Set<string>>()
  const named = (target: string, name: string): string => {
    if (target !== file) imports.set(target, (imports.get(target) ?? new Set()).add(name))
    return name
  }

  /** `#/$defs/x`, `other.schema.json`, `other.schema.json#/$defs/x` or `other.schema.json#/properties/x`. */
  const typeAt = (ref: string): string => {
    const [target = '', path = ''] = ref.split('#')
    const [, kind, key = ''] = path.split('/')
    if (key === 'Json') return 'Json'
    const plain = plainType(schemas.get(target || file)?.$defs?.[key] ?? {})
    if (kind === '$defs') return plain ?? named(target || file, pascal(key))
    const root = named(target || file, typeName(target || file))
    return kind === undefined ? root : `${root}['${key}']`
  }

  const typeOf = (part: Schema): string => {
    if (part.$ref !== undefined) return typeAt(part.$ref)
    if ('const' in part) return JSON.stringify(part.const)
    if (part.enum !== undefined) return union(part.enum.map((value) => JSON.stringify(value)))
    // Branches that only say which keys are needed have no type.
    const branches = [part.anyOf ?? [], part.oneOf ?? [], part.then ?? [], part.else ?? []].flat()
    const typed = branches.filter(
      (branch) => branch.$ref !== undefined || branch.type !== undefined || 'const' in branch,
    )
    if (typed.length > 0 && part.properties === undefined) return union(typed.map(typeOf))
    if (Array.isArray(part.type)) return union(part.type.map((type: string) => typeOf({ type })))
    switch (part.type) {
      case undefined:
        return 'Json'
      case 'integer':
        return 'number'
      case 'array':
        return listOf(part, typeOf)
      case 'object':
        return part.properties === undefined ? mapOf(part, typeOf) : membersOf(part, typeOf)
      default:
        return String(part.type)
    }
  }

  const declarations = [[typeName(file), schema] as const, ...Object.entries(schema.$defs ?? {})]
    .filter(([name, part]) => name !== 'Json' && plainType(part) === undefined)
    .map(([name, part]) => {
      const body = typeOf(part)
      const isObject = part.properties !== undefined && part.$ref === undefined
      const head = isObject ? `interface ${pascal(name)}` : `type ${pascal(name)} =`
      return `${comment(part)}export ${head} ${body}\n`
    })
  const lines = [...imports].map(
    ([target, names]) =>
      `import type { ${[...names].join(', ')} } from './${target.replace('.schema.json', '.js')}'\n`,
  )
  const json = declarations.some((text) => /\bJson\b/.test(text))
    ? "import type { Json } from '../../model/json.js'\n"
    : ''
  return [json, ...lines, ...declarations].join('\n')
}

type TypeOf = (part: Schema) => string

function listOf({ prefixItems, items }: Schema, typeOf: TypeOf): string {
  if (prefixItems !== undefined) return `readonly [${prefixItems.map(typeOf).join(', ')}]`
  const item = typeof items === 'object' ? typeOf(items) : 'Json'
  return `readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`
}

function mapOf({ additionalProperties: values }: Schema, typeOf: TypeOf): string {
  return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values) : 'Json'}>>`
}

function membersOf({ properties = {}, required = [] }: Schema, typeOf: TypeOf): string {
  const members = Object.entries(properties).map(([name, part]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${comment(part)}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(part)}\n`
  })
  return `{\n${members.join('')}}`
}

function comment({ description, default: value }: Schema): string {
  const isPlain = value !== undefined && typeof value !== 'object'
  const text = [description ?? [], isPlain ? `Default ${value}.` : []].flat().join(' ')
  return text === '' ? '' : `/** ${text} */\n`
}

/** The type of a text or a number; such a definition has no name of its own. */
function plainType({ type = [], enum: values }: Schema): string | undefined {
  const types = [type].flat()
  return types.length === 0 || values !== undefined || types.some((name) => !PLAIN.includes(name))
    ? undefined
    : types.map((name) => (name === 'integer' ? 'number' : name)).join(' | ')
}

const PLAIN: readonly string[] = ['string', 'number', 'integer']

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

/** The name of the type of a whole file: `CaseFile` of `case-file.schema.json`. */
export function typeName(file: string): string {
  return pascal(file.replace('.schema.json', ''))
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
