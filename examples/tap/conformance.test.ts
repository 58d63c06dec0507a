import t from 'tap'
import { startReferenceServer } from 'token-assay'
import { conformance } from 'token-assay/tap'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

t.test('the token service keeps the contract', async (t) => {
  const service = await startReferenceServer({ accounts: [alice], hashing: 'fast' }) // yours, in its place
  t.teardown(() => service.close())
  const report = await conformance(t, { baseUrl: service.url, accounts: [alice] }, { runs: 5 })
  t.equal(report.verdict, 'conformant')
})
