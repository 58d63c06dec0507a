import type { RuleResult } from '../../spec/types.js'

/** The headings of the specification, by section. */
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
}

export interface Section {
  readonly number: string
  readonly title: string
  readonly rules: readonly RuleResult[]
}

/** The rules by section, both in the order of the report, which is the specification's. */
export function sectionsOf(rules: readonly RuleResult[]): readonly Section[] {
  const bySection = new Map<string, RuleResult[]>()
  for (const rule of rules) {
    const list = bySection.get(rule.section)
    if (list === undefined) bySection.set(rule.section, [rule])
    else list.push(rule)
  }
  return Array.from(bySection, ([number, rules]) => ({
    number,
    title: Object.hasOwn(TITLES, number) ? (TITLES[number] ?? '') : 'Rules of your own',
    rules,
  }))
}
