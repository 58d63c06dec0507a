import t from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { alice, bob } from '../../conformance/fixtures/service.js'
import { startReferenceServer } from '../../reference/server.js'
import { runFacts } from '../../reports/formats/shared/run-facts.js'

t.test('a first 500 that never comes again is trouble, and the summary says so', async (t) => {
  let isCold = true
  await using server = await startReferenceServer({
    accounts: [alice, bob],
    hashing: 'fast',
    behaviour: {
      deliver: (own) => {
        const answer = isCold ? { status: 500, headers: [], body: '' } : own
        isCold = false
        return { kind: 'answer', answer }
      },
    },
  })
  const report = await assess(
    { baseUrl: server.url, accounts: [alice, bob] },
    { seed: 1, only: ['4.1/password-grant', '4.1/no-grant-type'] },
  )
  t.equal(report.verdict, 'conformant')
  t.match(runFacts(report), [/^Trouble: 500 on 1 of \d+ requests\. By cases: /])
})
