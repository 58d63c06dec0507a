import { type Finding, type Located, pointerTo } from '../../spec/position.js'
import type { Json } from '../../spec/types.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** A value that must never be shown, and what to show instead. */
export interface Secret {
  readonly value: string
  readonly label: string
}

export interface Substituted {
  readonly value: Json
  /** The same with each substituted value replaced by its label. */
  readonly shown: Json
  readonly secrets: readonly Secret[]
  readonly findings: readonly Finding[]
}

/**
 * Takes environment variables for `${NAME}` in every string of a target file; `$${` is a literal `${`. What has been
 * substituted is not scanned again, neither here nor, within a request template, for `$names`.
 */
export function substituteEnvironment(document: Json, env: Environment, located: Located): Substituted {
  const secrets: Secret[] = []
  const findings: Finding[] = []

  const walk = (value: Json, pointer: string): readonly [value: Json, shown: Json] => {
    if (typeof value === 'string') return substitute(value, pointer)
    if (typeof value !== 'object' || value === null) return [value, value]
    if (Array.isArray(value)) {
      const items = value.map((item: Json, index) => walk(item, pointerTo(pointer, index)))
      return [items.map(([real]) => real), items.map(([, label]) => label)]
    }
    const members = Object.entries(value).map(
      ([key, item]) => [key, walk(item, pointerTo(pointer, key))] as const,
    )
    return [
      Object.fromEntries(members.map(([key, [real]]) => [key, real])),
      Object.fromEntries(members.map(([key, [, label]]) => [key, label])),
    ]
  }

  const substitute = (text: string, pointer: string): readonly [string, string] => {
    const template = inTemplate.test(pointer)
    const replace = (hide: boolean): string =>
      text.replace(template ? templateToken : token, (match: string, name: string | undefined) => {
        if (name === undefined) return match === '$${' && !template ? '${' : match
        const value = env[name]
        const label = `${name} from the environment`
        if (value === undefined || value === '') return ''
        if (hide) return `‹${label}›`
        secrets.push({ value, label })
        return template ? value.replaceAll('$', () => '$$') : value
      })
    findings.push(
      ...problems(text, template, env).map((message) => ({ position: located.at(pointer), message })),
    )
    return [replace(false), replace(true)]
  }

  const [value, shown] = walk(document, '')
  return { value, shown, secrets, findings }
}

/** The strings in which `$name` has a meaning of its own: those of the target's own requests. */
const inTemplate =
  /^(\/deployments\/[^/]+)?\/(registration\/(request|cleanUp)|externalLogin\/(prepare\/)?request|externalLogin\/withoutCallback)\//

const token = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
/** In a template `$$` is a literal `$` as well: `$$${NAME}` is a dollar sign before the variable. */
const templateToken = /\$\$\{|\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

function problems(text: string, template: boolean, env: Environment): readonly string[] {
  const names = [...text.matchAll(template ? templateToken : token)].flatMap(([, name]) => name ?? [])
  const unset = names.filter((name) => (env[name] ?? '') === '')
  const messages = unset.map((name) => {
    const found = env[name] === undefined ? 'it unset' : 'it empty'
    return `expected the environment variable ${name} to be set, found ${found}`
  })
  const rest = text.replace(template ? templateToken : token, ' ')
  return rest.includes('${')
    ? [...messages, `expected a variable such as $\{NAME} (a literal $\{ is written $$\{)`]
    : messages
}
