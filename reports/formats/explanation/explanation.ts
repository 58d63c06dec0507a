import type { Explanation, Mending } from '../../../spec/generated/types/explanations.js'
import type { Requirement } from '../../../spec/model/specification.js'

interface ExplainedCase {
  readonly id: string
  readonly title: string
  /** What of every answer it judges, whichever case drew it. */
  readonly invariant?: string
}

export interface RuleExplanation {
  readonly rule: Requirement
  readonly cases: readonly ExplainedCase[]
  /** Servers that are wrong on purpose, by which the suite shows that it notices. */
  readonly mutants: readonly { readonly id: string; readonly description: string }[]
  /** None of rules that nothing judges, and of rules of profiles, of clients and of a user's own. */
  readonly explanation?: Explanation
  readonly mending?: Mending
}

/** The stacks of the code, as their users call them. */
export const STACKS = [
  { key: 'aspnetcore', name: 'ASP.NET Core', language: 'csharp' },
  { key: 'spring', name: 'Spring', language: 'java' },
  { key: 'express', name: 'Express', language: 'js' },
  { key: 'go', name: 'Go', language: 'go' },
  { key: 'flask', name: 'Flask', language: 'python' },
  { key: 'django', name: 'Django', language: 'python' },
  { key: 'php', name: 'PHP', language: 'php' },
] as const

/** Why nothing judges a rule, where nothing does. */
export function unjudged({ why, observation }: Requirement): string | undefined {
  if (why !== undefined) return `Not judged. ${why}`
  return observation === undefined
    ? undefined
    : `Not judged: every report says what a service does (observation \`${observation}\`).`
}

/** `katana` of `katana:token-status`; undefined of a rule of the specification. */
export function namespaceOf(rule: string): string | undefined {
  const colon = rule.indexOf(':')
  return colon === -1 ? undefined : rule.slice(0, colon)
}

/** What the command that judges this rule alone leaves out; undefined: nothing. */
export function leftOutAlone(cases: RuleExplanation['cases']): string | undefined {
  if (cases.every(({ invariant }) => invariant === undefined)) return undefined
  return 'A whole run judges it in the answers to all other cases, too.'
}

/** The command that judges this rule and no other. */
export function judgeAlone({ id, source }: Pick<Requirement, 'id' | 'source'>): string {
  const namespace = namespaceOf(id)
  if (namespace === 'client') return `token-assay client --only ${id} -- COMMAND`
  if (namespace === undefined) return `token-assay run … --only ${id}`
  // Of a user's own rules none has a source.
  return `token-assay run … ${source === undefined ? '--cases DIR' : `--profile ${namespace}`} --only ${id}`
}
