import type { Judgement } from '../../spec/model/report.js'
import type { CaseRun } from '../drivers/send/session/case-run.js'
import type { CaseRecord, SentRequest } from '../drivers/send/session/session.js'

/** What a property shows of all rules of its case. */
export type PropertyFinding = Omit<Judgement, 'rule'>

export function cantTell(reason: string): PropertyFinding {
  return { outcome: 'cantTell', reason }
}

export const NOT_TRIED = cantTell('not tried: `maxFailedLogins` allows no more failed logins')
export const NO_ACCOUNT = cantTell('no further account could be registered and logged in')

/** The record of a case of which one finding says all. @param sent what shows it */
export function oneFinding(
  { testCase }: CaseRun,
  sent: readonly SentRequest[],
  finding: PropertyFinding,
  runs?: number,
): CaseRecord {
  const rules = testCase.steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
  return {
    judgements: rules.map((rule) => ({ rule, ...finding })),
    sent,
    evidence: new Map(rules.map((_, index) => [index, { sent, about: sent.at(-1) }])),
    stopped: false,
    ...(runs === undefined ? {} : { runs }),
  }
}

export function stopped(sent: readonly SentRequest[]): CaseRecord {
  return { judgements: [], sent, stopped: true }
}
