import t from 'tap'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { alice, startService } from '../../fixtures/service.js'
import { assess } from '../assess.js'

const CASE = '8/accepted-account'
const BUSY = { status: 503, headers: [['Content-Type', 'text/html']] as const, body: 'busy' }

t.test('a status that comes at one request and then at another is the answer to neither', async (t) => {
  let isNext: 'login' | 'registration' = 'login'
  const refused: string[] = []
  const server = await startService(t, {
    behaviour: {
      // The login of each new account, and the registration after it.
      deliver: (answer, request) => {
        const isLogin = /username=(?!alice)/.test(Buffer.from(request.body).toString())
        const kind = isLogin
          ? 'login'
          : request.contentType === 'application/json'
            ? 'registration'
            : undefined
        if (kind !== isNext) return { kind: 'answer', answer }
        isNext = kind === 'login' ? 'registration' : 'login'
        refused.push(kind)
        return { kind: 'answer', answer: BUSY }
      },
    },
  })
  const registration = { request: REGISTRATION_REQUEST }
  const report = await assess(
    { baseUrl: server.url, accounts: [alice], registration },
    { seed: 1, only: [CASE], runs: 1, concurrency: 1 },
  )
  t.ok(refused.length > 2, 'it was sent again')
  const [result] = report.results.filter(({ case: id }) => id === CASE)
  t.match(result, { outcome: 'cantTell' }, JSON.stringify(result?.judgements))
})
