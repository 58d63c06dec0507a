import type { Outcome, Report } from '../../spec/model/report.js'

/** The rules that a server breaks or leaves undecided, each with the reason from its source; empty where the fault says it all. */
export interface Expected {
  readonly failed: Readonly<Record<string, string>>
  readonly cantTell: Readonly<Record<string, string>>
}

/** Why the rules on dates cannot be judged. */
export const NO_DATES = 'its answers have no dates.'

/** Why errors cannot be judged. */
export const GRANTED = 'it grants a token where the contract wants an error.'

/** A server that answers as RFC 6749 says, which has only `access_token`, `token_type` and `expires_in`. */
export const RFC_6749: Expected = {
  failed: {
    '2.1-token_type': '',
    '2.1-userName': '',
    '2.1-issued': '',
    '2.1-expires': '',
  },
  cantTell: {
    '2.1-R1': NO_DATES,
    '2.1-R2': NO_DATES,
    '2.1-issue-time': NO_DATES,
  },
}

/** The differences between a run and the expectations: a sentence for each kind of outcome that differs. */
export function differences({ failed, cantTell }: Expected, report: Report): readonly string[] {
  return Object.entries({ failed, cantTell }).flatMap(([outcome, reasons]) => {
    const found = rulesThat(outcome as keyof Expected, report)
    const foretold = Object.keys(reasons)
    const more = found.filter((id) => !foretold.includes(id))
    const less = foretold.filter((id) => !found.includes(id))
    return [
      ...(more.length === 0 ? [] : [`${outcome}, which was not expected: ${more.join(', ')}`]),
      ...(less.length === 0 ? [] : [`expected ${outcome}, and is not: ${less.join(', ')}`]),
    ]
  })
}

function rulesThat(outcome: Outcome, { rules }: Report): readonly string[] {
  return rules.flatMap((rule) => (rule.outcome === outcome ? [rule.id] : []))
}
