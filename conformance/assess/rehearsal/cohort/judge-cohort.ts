import type { RehearsedCohort } from '../../../../spec/generated/types/rehearsal.js'
import { explainingClasses } from './explaining-classes.js'
import type { CohortOutcome } from './run-cohort.js'

/** Of the accounts of a difference so many are named by their place. */
const MAX_ROWS = 20

/** What came of a cohort, for the report: an account that logs in at the old service is to log in at the new one. */
export function judgeCohort({ tally, unanswered, stopped, names }: CohortOutcome): RehearsedCohort {
  const { all, classes, tried } = tally
  const sides = [
    ['old', 'new', all.oldOnly],
    ['new', 'old', all.newOnly],
  ] as const
  const differences = sides.flatMap(([side, other, total]) =>
    explainingClasses(tally, side).map(({ name, accounts }) => {
      const count = name === undefined ? accounts.length : (classes[name]?.[`${side}Only`] ?? 0)
      const what = name ?? 'of no class of their own'
      return {
        id: `cohort, ${name ?? 'other'}`,
        side,
        differs: side === 'old',
        sentence: `cohort: ${count} of ${total} accounts that log in at ${side} only: ${what}; none of that class logs in at ${other} too`,
        rows: accounts.slice(0, MAX_ROWS).map(({ row }) => row),
        ...(names.size === 0
          ? {}
          : { names: accounts.slice(0, MAX_ROWS).flatMap(({ row }) => names.get(row) ?? []) }),
      }
    }),
  )
  return {
    tried,
    ...all,
    unanswered,
    classes: Object.entries(classes).map(([name, counts]) => ({ name, ...counts })),
    differences: differences.map((one) =>
      one.id === 'cohort, other'
        ? { ...one, sentence: one.sentence.replace(/; none of that class.*$/, '') }
        : one,
    ),
    ...(stopped === undefined ? {} : { stopped }),
  }
}
