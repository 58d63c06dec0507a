import t from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { UNSTABLE } from '../../spec/model/report.js'
import { alice, type FieldService, type Reaction, startFieldService } from '../fixtures/field-service.js'

const ENDS: Readonly<Record<string, (service: FieldService) => Reaction>> = {
  hangs: () => 'hang',
  ends: (service) => {
    void service.die()
    return 'drop'
  },
}

for (const [name, end] of Object.entries(ENDS))
  t.test(`a service that ${name} during the run has stopped answering: nothing is unstable`, async (t) => {
    const service = await startFieldService(t, ({ count }, service) =>
      count > 40 ? end(service) : undefined,
    )
    const target = { baseUrl: service.url, accounts: [alice], timeoutMs: 2000 } as const
    const report = await assess(target, { seed: 1, runs: 5, only: ['2.1/*', '4.1/*'] })
    const reasons = report.results.flatMap(({ judgements }) =>
      judgements.flatMap(({ reason = '' }) => reason),
    )
    t.strictSame(
      [...new Set(reasons)].filter((reason) => reason.startsWith(UNSTABLE)),
      [],
      'what was sent before it ended does not count as answered afterwards',
    )
    t.match(report.stops, [
      { cause: 'stoppedAnswering', message: 'The service stopped answering during the run.' },
    ])
    t.ok(report.counts.cantTell > 0 && report.counts.failed === 0)
  })
