import { GRANT_WORDS, MOMENT_WORDS } from '../../../../spec/model/later-life.js'
import type { JudgedCell } from '../expectations/judge-cells.js'

/** What a cell shows, beside what is expected of it, as one sentence. */
export function cellSentence({ cell, expected }: JudgedCell): string {
  const { issuer, acceptor, when, grant, observed } = cell
  const token = `a token that ${issuer.name} issued for ${GRANT_WORDS[grant]}`
  const status =
    observed.outcome === 'not-tried' || observed.status === undefined ? '' : ` (${observed.status})`
  const did = {
    accepted: `${acceptor.name} accepts${status} ${token}, ${MOMENT_WORDS[when]}`,
    refused: `${acceptor.name} refuses${status} ${token}, ${MOMENT_WORDS[when]}`,
    error: `${issuer.name}→${acceptor.name}, ${MOMENT_WORDS[when]}: ${'why' in observed ? observed.why : 'an error'}`,
    'not-tried': `${acceptor.name} was not tried with ${token}, ${MOMENT_WORDS[when]}`,
  }[observed.outcome]
  return expected === undefined ? did : `${did}; expected: ${expected.outcome}, ${expected.because}`
}
