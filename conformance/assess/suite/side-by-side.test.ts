import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { serve } from '../../../tests/fixtures/serve.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
const CASE = '4.1/wrong-password-beside-the-right-one'
/** Turns of the event loop for which a password is checked: under any load, the other login has come by then. */
const CHECK_TURNS = 200

async function check(form: URLSearchParams): Promise<boolean> {
  for (let turns = 0; turns < CHECK_TURNS; turns++) await turn()
  return form.get('password') === ANN.password
}

/** What a service that checks the passwords of all logins at the same time once for each key makes of that case. */
async function judged(t: Test, keyOf: (form: URLSearchParams) => string) {
  const checks = new Map<string, Promise<boolean>>()
  const url = await serve(t, async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const key = keyOf(form)
    const own = checks.get(key) ?? check(form)
    checks.set(key, own)
    const isRight = await own
    checks.delete(key)
    response.writeHead(isRight ? 200 : 400, { 'Content-Type': 'application/json;charset=UTF-8' })
    response.end(isRight ? '{"access_token":"some-token-of-ann","token_type":"bearer"}' : '{}')
  })
  const { results } = await assess({ baseUrl: `http://${url}`, accounts: [ANN] }, { only: [CASE], seed: 1 })
  return results.find((one) => one.case === CASE)
}

t.test('a wrong password is sent while the right one of its account is checked', async (t) => {
  const shared = await judged(t, (form) => `${form.get('username')}`)
  t.equal(shared?.outcome, 'failed')
  const [failed] = shared?.judgements ?? []
  t.match(failed, { rule: '4.1-credentials', replay: `default/${CASE}@` })
  t.equal(failed?.reproduce, undefined, 'sent alone, it is refused')
  const apart = await judged(t, (form) => `${form}`)
  t.equal(apart?.outcome, 'passed')
})
