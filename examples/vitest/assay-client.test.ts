import { assayClient, type Report } from 'token-assay'
import { expect, test } from 'vitest'
import { openSession } from '../client/open-session.js'
import { signIn } from '../client/sign-in.js'

// Tokens really expire, and refused clients are asked to wait.
const timeout = 300_000

async function fetchResource(resourceUrl: string, accessToken: string): Promise<void> {
  const { ok } = await fetch(resourceUrl, { headers: { Authorization: `Bearer ${accessToken}` } })
  if (!ok) throw new Error('the token is refused')
}

const brokenRules = ({ rules }: Report) =>
  rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)

test('the sign-in keeps the contract, whatever a legal answer looks like', { timeout }, async () => {
  const report = await assayClient(async ({ url, userName, password, resourceUrl }) => {
    const session = await signIn(url, userName, password)
    await fetchResource(resourceUrl, session.accessToken)
    return { userName: session.userName }
  })
  expect(brokenRules(report)).toEqual([])
  expect(report.verdict).toBe('conformant')
})

test('the session goes on when its token expires', { timeout }, async () => {
  const report = await assayClient(
    async ({ url, userName, password, resourceUrl, fetches }) => {
      const session = openSession(url, userName, password)
      for (let nth = 0; nth < fetches; nth++) await fetchResource(resourceUrl, await session.accessToken())
    },
    { longRunning: true, only: ['client:expiry/*'] },
  )
  // It goes by its clock alone: a token that is revoked stays in use. That is advice, and fails with `strict`.
  expect(brokenRules(report)).toEqual(['client:expiry-refused'])
  expect(report.verdict).toBe('conformant')
})
