const assert = require('node:assert/strict')
const { after, before, describe, it } = require('mocha')
const { startReferenceServer } = require('token-assay')
const { conformance } = require('token-assay/mocha')

const alice = { userName: 'alice', password: 'Correct-horse-1' }

describe('the token service', () => {
  /** @type {import('token-assay').ReferenceServer} */
  let service // yours, in its place
  before(async () => {
    service = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
  })
  after(() => service.close())

  // Not an arrow function: the cases follow as tests of a suite that has this title.
  it('keeps the contract', async function () {
    const report = await conformance(this, { baseUrl: service.url, accounts: [alice] }, { runs: 5 })
    assert.equal(report.verdict, 'conformant')
  })
})
