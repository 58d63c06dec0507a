import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReferenceServer } from 'token-assay'
import { conformance } from 'token-assay/node-test'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

test('the token service keeps the contract', async (t) => {
  const service = await startReferenceServer({ accounts: [alice], hashing: 'fast' }) // yours, in its place
  t.after(() => service.close())
  const report = await conformance(t, { baseUrl: service.url, accounts: [alice] }, { runs: 5 })
  assert.equal(report.verdict, 'conformant')
})
