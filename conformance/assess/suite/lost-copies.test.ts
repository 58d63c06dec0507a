import t from 'tap'
import { startReference } from '../../../tests/fixtures/reference.js'
import { alice } from '../../fixtures/service.js'
import { assess } from '../assess.js'

const CASE = '2.1/issue-time-advances'
/** The sixth of the first step, behind the login at the start. */
const LAST_OF_FIRST = 7
const NO_ANSWER = Buffer.from('no answer\r\n\r\n')

t.test('a step waits also where the last of several requests before it was not answered', async (t) => {
  let asked = 0
  const { url } = await startReference(t, {
    accounts: [alice],
    hashing: 'fast',
    behaviour: {
      deliver: (answer) => {
        asked += 1
        return asked === LAST_OF_FIRST ? { kind: 'raw', bytes: NO_ANSWER } : { kind: 'answer', answer }
      },
    },
  })
  // One at a time, so that it is known which is the last.
  const options = { seed: 1, only: [CASE], concurrency: 1 }
  const { results } = await assess({ baseUrl: url, accounts: [alice] }, options)
  const [result] = results.filter(({ case: id }) => id === CASE)
  const first = result?.exchanges.filter(({ label }) => label === 'first')
  t.strictSame(
    first?.map(({ response }) => response?.status),
    [200, 200, 200, 200, 200, undefined],
  )
  t.equal(result?.outcome, 'passed', JSON.stringify(result?.judgements))
})
