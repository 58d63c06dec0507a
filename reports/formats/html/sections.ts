import { groupBy } from '../../../spec/model/items.js'
import type { Report, RuleResult } from '../../../spec/model/report.js'

/** The headings of the specification and of the rules of clients, by section. */
const TITLES: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2.1': 'Token response',
  '2.2': 'User account',
  '3': 'States and transitions',
  '4.1': 'POST /Token',
  '4.2': 'Other endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits and account policy',
  '9': 'Versioning',
  'client:request': 'What a client sends',
  'client:answer': 'Answers that it accepts',
  'client:refusal': 'When it is refused',
  'client:wrong': 'Wrong answers',
}

export interface Section {
  readonly number: string
  readonly title: string
  readonly rules: readonly RuleResult[]
}

/** The rules by section, both in the order of the report, which is the specification's. */
export function sectionsOf({ rules, profiles = [] }: Pick<Report, 'rules' | 'profiles'>): readonly Section[] {
  const titleOf = (section: string): string => {
    const profile = profiles.find(({ name }) => section.startsWith(`${name}:`))
    if (profile !== undefined) return profile.gates ? 'Profile' : 'Profile (advisory)'
    return Object.hasOwn(TITLES, section) ? (TITLES[section] ?? '') : 'Your own rules'
  }
  return Array.from(
    groupBy(rules, ({ section }) => section),
    ([number, rules]) => ({
      number,
      title: titleOf(number),
      rules,
    }),
  )
}
