import t from 'tap'
import { type Behaviour, specifiedBehaviour } from '../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { errorBody } from '../../../reference/refusal.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
/** Of sequences some logins fail later; the wait of issue times shows nothing here. */
const skip = ['8/sequences', '2.1/issue-time-advances']

for (const concurrency of [8, 64])
  t.test(`what passed is judged again after the last failed login, ${concurrency} at a time`, async (t) => {
    const run = async (isWrongAfter: number) => {
      let failedLogins = 0
      const behaviour: Partial<Behaviour> = {
        signIn: (given) => {
          if (!given.matches) failedLogins++
          return specifiedBehaviour.signIn(given)
        },
        errorBody: (refusal) =>
          refusal === 'wrong-media-type' && failedLogins >= isWrongAfter ? '{}' : errorBody(refusal),
      }
      const { url } = await startReference(t, { accounts: [ANN], behaviour })
      const target = { baseUrl: url, accounts: [ANN], registration: { request: REGISTRATION_REQUEST } }
      const { results } = await assess(target, { seed: 1, runs: 8, skip, concurrency })
      const failed = results.filter(({ outcome }) => outcome === 'failed')
      return { failedLogins, failed }
    }
    const { failedLogins, failed } = await run(Number.POSITIVE_INFINITY)
    t.strictSame(failed, [])
    t.ok(failedLogins > 20)
    const { failed: later } = await run(failedLogins)
    const messages = later.flatMap(({ judgements }) => judgements.flatMap(({ message }) => message ?? []))
    t.ok(messages.length > 0)
    t.strictSame(
      messages.filter((message) => !/\(at the end of the run; it was right before\)$/.test(message)),
      [],
    )
  })
