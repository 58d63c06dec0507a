import { type CheckResult, PASS } from '../../conformance/judge/checks/check-result.js'
import { CHECK_TABLE, type CheckTable } from '../../conformance/judge/checks/index.js'
import type { Expectation, MemberCheck } from '../../spec/model/expectation.js'

const PARTS = [
  'absent',
  'type',
  'nonEmpty',
  'equals',
  'equalsIgnoringCase',
  'integerOrOneLess',
  'imfFixdate',
  'follows',
  'sameAs',
  'differsFrom',
] as const satisfies readonly (keyof MemberCheck)[]

/**
 * A check of the judge, and how it decides otherwise: `never fails` passes what fails, `negated` exchanges the two, `ignored`
 * leaves out one part of `member`. Plain data: it crosses to another process.
 */
export interface JudgeSite {
  readonly check: keyof Expectation
  readonly how: 'never fails' | 'is negated' | 'is ignored'
  readonly part?: (typeof PARTS)[number]
}

/** Many answers together decide the first, code the second; of the others the profiles alone ask, and their own mutants show them. */
const NO_SITES: readonly (keyof Expectation)[] = [
  'acrossAccounts',
  'property',
  'header',
  'compactJson',
  'emptyBody',
  'hasString',
  'noDiagnostics',
]

/** Every check that decides by itself. */
export const JUDGE_SITES: readonly JudgeSite[] = [
  ...[...CHECK_TABLE.keys()]
    .filter((check) => !NO_SITES.includes(check))
    .flatMap((check): readonly JudgeSite[] => [
      { check, how: 'never fails' },
      { check, how: 'is negated' },
    ]),
  ...PARTS.map((part): JudgeSite => ({ check: 'member', how: 'is ignored', part })),
]

/** `status never fails`, `member.type is ignored`. */
export function idOf({ check, part, how }: JudgeSite): string {
  return `${part === undefined ? check : `${check}.${part}`} ${how}`
}

export function isAskedFor({ check, part }: JudgeSite, expectation: Expectation): boolean {
  return part === undefined ? expectation[check] !== undefined : expectation.member?.[part] !== undefined
}

/** The judge's checks, with that one decision made otherwise. */
export function checksWith({ check, part, how }: JudgeSite): CheckTable {
  return new Map(
    [...CHECK_TABLE].map(([name, own]) => {
      if (name !== check) return [name, own]
      if (part !== undefined)
        // The record of checks gives `member` its own arguments.
        return [
          name,
          (response, asked, context) =>
            own(response, { ...(asked as MemberCheck), [part]: undefined }, context),
        ]
      return [name, (...args) => otherwise(own(...args), how)]
    }),
  )
}

function otherwise(result: CheckResult, how: JudgeSite['how']): CheckResult {
  if (result.kind === 'fail') return PASS
  if (result.kind === 'inconclusive' || how !== 'is negated') return result
  return { kind: 'fail', message: 'the check is negated', expected: 'the opposite', actual: 'what is right' }
}
