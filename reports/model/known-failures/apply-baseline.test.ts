import t from 'tap'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { waive } from './apply-baseline.js'
import { fingerprints } from './fingerprint.js'

const type = { message: '`token_type` is not "bearer"', expected: '"bearer"' }
const judgements: readonly Judgement[] = [
  {
    rule: '2.1-token_type',
    outcome: 'failed',
    ...type,
    actual: '"Bearer"',
    others: [{ ...type, actual: '"MAC"' }],
  },
  { rule: '2.1-issued', outcome: 'failed', message: '`.issued` is missing', expected: 'x', actual: 'y' },
]
const result: Result = {
  ...{ id: 'default/a', case: 'a', deployment: 'default', title: '', outcome: 'failed', durationMs: 1 },
  ...{ judgements, exchanges: [] },
}
const entries = judgements.flatMap((judgement) =>
  fingerprints(result, judgement).map((fingerprint, at) => ({
    ...{ rule: judgement.rule, case: 'a', deployment: '*', fingerprint, owner: 'me' },
    ...{ reason: `${judgement.rule} ${at}`, until: `2027-01-0${9 - at}` },
  })),
)

t.test('a failure of several kinds is waived by an entry for each, and is one failure still', async (t) => {
  t.equal(entries.length, 3)
  t.strictSame(waive(result, entries).waived, {
    reason: '2.1-token_type 0 (me); 2.1-token_type 1 (me); 2.1-issued 0 (me)',
    until: '2027-01-08',
    entries: [
      { rule: '2.1-token_type', reason: '2.1-token_type 0 (me); 2.1-token_type 1 (me)', until: '2027-01-08' },
      { rule: '2.1-issued', reason: '2.1-issued 0 (me)', until: '2027-01-09' },
    ],
  })
  for (const missing of entries)
    t.equal(
      waive(
        result,
        entries.filter((entry) => entry !== missing),
      ).waived,
      undefined,
      missing.reason,
    )
})
