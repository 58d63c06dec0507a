import { startReferenceServer } from 'token-assay'
import { conformance } from 'token-assay/vitest'
import { expect, test } from 'vitest'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

// vitest wants to know its tests before it runs any: the service is assessed while this file is loaded.
await using service = await startReferenceServer({ accounts: [alice], hashing: 'fast' }) // yours, in its place
const report = await conformance(test, { baseUrl: service.url, accounts: [alice] }, { runs: 5 })

test('the token service keeps the contract', () => {
  expect(report.verdict).toBe('conformant')
})
