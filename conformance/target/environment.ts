import type { Finding, Located } from '../../spec/load/position.js'
import { type Json, pointerTo } from '../../spec/model/json.js'
import { literal } from '../../spec/model/literal.js'
import type { Secret } from './deployment.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** What other programs may have of our environment: our variables may be secrets, and are for us. */
export function withoutOurs(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TOKEN_ASSAY_/i.test(name)))
}

/** Characters. */
const MAX_ORDINARY = 2

/** A value that may be a secret; a password always is one. */
export function secretUnlessOrdinary(value: string, label: string): Secret {
  return { value, label, ...(value.length > MAX_ORDINARY ? {} : { isOrdinary: true }) }
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

  const substitute = (text: string, pointer: string, hide: boolean): string => {
    const template = inTemplate.test(pointer)
    return text.replace(template ? templateToken : token, (match: string, name: string | undefined) => {
      if (name === undefined) return match === '$${' && !template ? '${' : match
      const value = variable(env, name)
      const label = `${name} from the environment`
      if (value === undefined || value === '') return ''
      if (hide) return `‹${label}›`
      secrets.push(secretUnlessOrdinary(value, label))
      return template ? literal(value) : value
    })
  }

  const value = mapStrings(document, '', (text, pointer) => {
    const messages = problems(text, inTemplate.test(pointer), env)
    findings.push(...messages.map((message) => ({ position: located.at(pointer), message })))
    return substitute(text, pointer, false)
  })
  const shown = mapStrings(document, '', (text, pointer) => substitute(text, pointer, true))
  return { value, shown, secrets, findings }
}

function mapStrings(value: Json, pointer: string, map: (text: string, pointer: string) => string): Json {
  if (typeof value === 'string') return map(value, pointer)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map((item: Json, index) => mapStrings(item, pointerTo(pointer, index), map))
  const members = Object.entries(value)
  return Object.fromEntries(
    members.map(([key, item]) => [key, mapStrings(item, pointerTo(pointer, key), map)]),
  )
}

/** The strings in which `$name` is a reference: those of the target's own requests. */
const inTemplate =
  /^(\/deployments\/[^/]+)?\/(registration\/(request|cleanUp)|externalLogin\/(prepare\/)?request|externalLogin\/withoutCallback|refresh\/request|revoke)\/|^(\/deployments\/[^/]+)?\/resource\/([a-z0-9-]+\/)?(path|headers|json|form)(\/|$)/

const token = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
/** In a template `$$` is a literal `$` as well: `$$${NAME}` is a dollar sign before the variable. */
const templateToken = /\$\$\{|\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

function problems(text: string, template: boolean, env: Environment): readonly string[] {
  const names = [...text.matchAll(template ? templateToken : token)].flatMap(([, name]) => name ?? [])
  const unset = names.filter((name) => (variable(env, name) ?? '') === '')
  const messages = unset.map(
    (name) =>
      `the environment variable ${name} is ${variable(env, name) === undefined ? 'not set' : 'empty'}`,
  )
  const rest = text.replace(template ? templateToken : token, ' ')
  return rest.includes('${')
    ? [...messages, `expected a variable such as $\{NAME} ($$\{ for a literal $\{)`]
    : messages
}

/** A name such as `toString` is no variable, although every object has it. */
function variable(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}

/** The variables that a target file names, each once. */
export function variablesIn(document: Json): readonly string[] {
  const names = new Set<string>()
  mapStrings(document, '', (text, pointer) => {
    for (const [, name] of text.matchAll(inTemplate.test(pointer) ? templateToken : token))
      if (name !== undefined) names.add(name)
    return text
  })
  return [...names]
}
