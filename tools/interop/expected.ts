import type { Outcome, Report } from '../../spec/model/report.js'

/** Rules by what is to be found of them, each with the reason that the specification and the server's own source give. */
export interface Expected {
  readonly failed: Readonly<Record<string, string>>
  readonly cantTell: Readonly<Record<string, string>>
}

/** What comes of answering as RFC 6749 says, which knows no more than `access_token`, `token_type` and `expires_in`. */
export const RFC_6749: Expected = {
  failed: {
    '2.1-token_type': 'RFC 6749 leaves the case free, and it says `Bearer`; this contract says `bearer`.',
    '2.1-userName': 'It does not say whom it authenticated.',
    '2.1-issued': 'It does not say when a token was issued.',
    '2.1-expires': 'Nor when it expires, but for `expires_in`.',
  },
  cantTell: {
    '2.1-R1': 'Where there are no dates, their names cannot be judged.',
    '2.1-R2': 'Nor the time between them.',
    '2.1-issue-time': 'Nor whether `.issued` is the time of issue.',
  },
}

/** How a run differs from what reading the source foretells: a sentence for each kind of outcome that does. */
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
