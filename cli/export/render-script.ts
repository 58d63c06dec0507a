import type { ChosenCases } from '../../conformance/assess/k6/choose-cases.js'
import { expressionOf, literal, type ScriptText } from './script-text.js'

export type ScriptTexts = readonly (readonly [name: string, value: ScriptText])[]

/** What a script is made for: one deployment, its secrets as variables. */
export interface ScriptTarget {
  readonly deployment: string
  readonly baseUrl: ScriptText
  readonly accounts: readonly {
    readonly userName: ScriptText
    readonly password: ScriptText
    readonly userId?: ScriptText
  }[]
  readonly headers: ScriptTexts
  readonly tokenRequest?: {
    readonly path?: ScriptText
    readonly headers: ScriptTexts
    readonly form: ScriptTexts
  }
  /** Seconds. */
  readonly tokenLifetime: number
  /** Seconds. */
  readonly clockSkew: number
  readonly timeoutMs: number
  readonly maxRequestsPerSecond?: number
  readonly tls?: {
    readonly hasAuthority: boolean
    readonly hasCertificate: boolean
    readonly rejectUnauthorized: boolean
  }
}

export const CERTIFICATE = 'TOKEN_ASSAY_TLS_CERT'
export const KEY = 'TOKEN_ASSAY_TLS_KEY'

/** How many turns of one virtual user send every input. */
export function turnsOf({ inputs }: ChosenCases): number {
  return Math.max(1, ...Object.values(inputs).map(({ length }) => length))
}

/** What is in no script, by the reason: lines for its head. */
export function leftLines({ left }: ChosenCases): readonly string[] {
  if (left.size === 0) return []
  const lines = [...left].flatMap(([why, ids]) => [`- ${literal(why).slice(1, -1)}:`, ...wrapped(ids)])
  return ['', 'Not in here, and left to `token-assay run`:', ...lines]
}

/**
 * The code of a function `read`, which gives the script's data, and throws where a variable is not set.
 * @param sample N: every N-th answer of a case is judged, the others by their status alone
 */
export function renderRead(target: ScriptTarget, chosen: ChosenCases, sample: number): string {
  const { tokenLifetime, clockSkew, timeoutMs } = target
  return `const read = () => ({
  // The service. TOKEN_ASSAY_BASE_URL takes the place of the declared one.
  baseUrl: (__ENV.TOKEN_ASSAY_BASE_URL || ${expressionOf(target.baseUrl)}).replace(/\\/$/, ''),
  accounts: [
${target.accounts.map(account).join('\n')}
  ],
  headers: ${textsOf(target.headers)},
  target: {
    ...${literal({ tokenLifetime, clockSkew, timeoutMs })},${tokenRequest(target)}
  },
  // What is sent, and what each rule expects of the answer: \`token-assay list cases\`, \`token-assay list rules\`.
  cases: [
${chosen.cases.map((one) => `    ${literal(one)},`).join('\n')}
  ],
  // Every answer that yields a token is judged by this.
  grant: ${literal(chosen.grant)},
  inputs: ${literal(chosen.inputs, 2)},
  // Every N-th answer of a case is judged, the others by their status alone.
  sample: ${sample},
})

function variable(name) {
  const value = __ENV[name]
  if (value === undefined || value === '')
    throw new Error('expected the environment variable ' + name + ' to be set')
  return value
}
`
}

export function environmentVariablesOf({
  baseUrl,
  accounts,
  headers,
  tokenRequest: added,
  tls,
}: ScriptTarget): readonly string[] {
  const texts = [
    baseUrl,
    added?.path ?? [],
    ...accounts.flatMap(({ userName, password, userId = [] }) => [userName, password, userId]),
    ...[headers, added?.headers ?? [], added?.form ?? []].flat().map(([, value]) => value),
  ]
  const named = texts.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.variable]))
  return [...new Set([...named, ...(tls?.hasCertificate ? [CERTIFICATE, KEY] : [])])]
}

function tokenRequest({ tokenRequest: added }: ScriptTarget): string {
  if (added === undefined) return ''
  const { path, headers, form } = added
  const ownPath = path === undefined ? '' : ` path: ${expressionOf(path)},`
  return `\n    tokenRequest: {${ownPath} headers: ${textsOf(headers)}, form: ${textsOf(form)} },`
}

function textsOf(texts: ScriptTexts): string {
  return `{${texts.map(([name, value]) => ` ${literal(name)}: ${expressionOf(value)},`).join('')} }`
}

function account({ userName, password, userId }: ScriptTarget['accounts'][number]): string {
  const id = userId === undefined ? '' : `, userId: ${expressionOf(userId)}`
  return `    { userName: ${expressionOf(userName)}, password: ${expressionOf(password)}${id} },`
}

const WIDTH = 110

function wrapped(ids: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const id of ids) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + id.length + 2 < WIDTH) lines[lines.length - 1] = `${last}, ${id}`
    else lines.push(`    ${id}`)
  }
  return lines
}
