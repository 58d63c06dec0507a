import { advice } from '../generated/advice.js'
import { AssayError } from '../model/assay-error.js'
import type { Case } from '../model/case.js'
import { digest } from '../model/digest.js'
import type { Requirement, Specification } from '../model/specification.js'
import { didYouMean } from './nearest.js'

/** Rules and cases that ship beside the specification's own: what another document asks for. */
export interface Profile {
  readonly description: string
  readonly requirements: readonly Requirement[]
  readonly cases: readonly Case[]
}

/** What gated at a release. */
export interface RequirementSet {
  readonly recommended: readonly string[]
  /** The rules that each case judged. */
  readonly cases: Readonly<Record<string, readonly string[]>>
}

/** What else ships with the suite, each by its name. */
export interface Shipped {
  readonly profiles: Readonly<Record<string, Profile>>
  readonly sets: Readonly<Record<string, RequirementSet>>
}

/** What a run judges and does not gate on. */
export interface AdviceOptions {
  /** Names of profiles whose rules are judged too: `katana`, `rfc6749`, `security`. They gate nothing. */
  readonly profiles?: readonly string[]
  /** Names of profiles whose rules gate. */
  readonly gate?: readonly string[]
  /** A release, such as `1.0`: what came later is judged, and gates nothing. */
  readonly requirements?: string
}

export function loadShipped(): Shipped {
  return advice
}

/**
 * The specification with profiles, and with what of it gates nothing marked.
 * @throws AssayError `usage` for a profile or a release that there is not
 */
export function withAdvice(
  base: Specification,
  { profiles = [], gate = [], requirements }: AdviceOptions,
  shipped: Shipped = loadShipped(),
): Specification {
  const names = [...new Set([...profiles, ...gate])]
  const added = names.map((name) => find('profile', shipped.profiles, name))
  const set = requirements === undefined ? undefined : find('set of requirements', shipped.sets, requirements)
  if (names.length === 0 && set === undefined) return base
  const isOwn = ({ id }: Case): boolean => id.includes(':')
  const frozen = (testCase: Case): Case => (set === undefined ? testCase : notIn(set, testCase))
  const cases = [
    // Cases of a user's own are of no release.
    ...base.cases.map((testCase) => (isOwn(testCase) ? testCase : frozen(testCase))),
    ...added.flatMap((profile, index) =>
      profile.cases.map((testCase) =>
        gate.includes(names[index] ?? '') ? frozen(testCase) : asAdvice(testCase, () => true),
      ),
    ),
  ]
  const rules = [...base.requirements, ...added.flatMap((profile) => profile.requirements)]
  const marked = new Set(cases.flatMap(({ id, advisory = [] }) => advisory.map((rule) => `${id} ${rule}`)))
  const shown = names.map((name) => ({ name, gates: gate.includes(name) }))
  const recommended = set?.recommended ?? []
  return {
    ...base,
    hash: `sha256:${digest([base.hash, shown, requirements, [...marked]])}`,
    requirements: rules.map((rule) => ({
      ...rule,
      ...(recommended.includes(rule.id) && rule.level === 'must' ? { level: 'should' as const } : {}),
      ...(rule.cases?.length && rule.cases.every((id) => marked.has(`${id} ${rule.id}`))
        ? { advisory: true as const }
        : {}),
    })),
    cases,
    advice: {
      ...(shown.length === 0 ? {} : { profiles: shown }),
      ...(requirements === undefined ? {} : { requirements }),
    },
  }
}

/** A later rule of the case, and each rule of a later case, is advice. */
function notIn({ cases }: RequirementSet, testCase: Case): Case {
  const gating = Object.hasOwn(cases, testCase.id) ? cases[testCase.id] : undefined
  return asAdvice(testCase, (rule) => gating?.includes(rule) !== true)
}

function asAdvice(testCase: Case, is: (rule: string) => boolean): Case {
  const rules = testCase.steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
  const advisory = [...new Set(rules)].filter(is)
  return advisory.length === 0 ? testCase : { ...testCase, advisory }
}

function find<T>(what: string, all: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(all, name) ? all[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(all)
  const hint = names.length === 0 ? 'there is none yet' : didYouMean(name, names)
  throw new AssayError('usage', `there is no ${what} \`${name}\`: ${hint}`)
}
