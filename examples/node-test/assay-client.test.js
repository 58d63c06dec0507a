import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assayClient } from 'token-assay'
import { openSession } from '../client/open-session.js'
import { signIn } from '../client/sign-in.js'

/**
 * @param {string} resourceUrl
 * @param {string} accessToken
 */
async function fetchResource(resourceUrl, accessToken) {
  const { ok } = await fetch(resourceUrl, { headers: { Authorization: `Bearer ${accessToken}` } })
  if (!ok) throw new Error('the token is refused')
}

/** @param {import('token-assay').Report} report */
const brokenRules = ({ rules }) => rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)

test('the sign-in keeps the contract, whatever a legal answer looks like', async () => {
  const report = await assayClient(async ({ url, userName, password, resourceUrl }) => {
    const session = await signIn(url, userName, password)
    await fetchResource(resourceUrl, session.accessToken)
    return { userName: session.userName }
  })
  assert.deepEqual(brokenRules(report), [])
  assert.equal(report.verdict, 'conformant')
})

test('the session goes on when its token expires', async () => {
  const report = await assayClient(
    async ({ url, userName, password, resourceUrl, fetches }) => {
      const session = openSession(url, userName, password)
      for (let nth = 0; nth < fetches; nth++) await fetchResource(resourceUrl, await session.accessToken())
    },
    { longRunning: true, only: ['client:expiry/*'] },
  )
  // It goes by its clock alone: a token that is revoked stays in use. That is advice, and fails with `strict`.
  assert.deepEqual(brokenRules(report), ['client:expiry-refused'])
  assert.equal(report.verdict, 'conformant')
})
