import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { serve } from '../../../tests/fixtures/serve.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
const CASE = '4.1/wrong-password-on-the-connection-of-the-right-one'

/** What the case says of a service that lets in what comes on these connections of who has signed in. */
async function judged(
  t: Test,
  letsIn: (socket: Socket, known: ReadonlySet<Socket>) => boolean,
  concurrency?: number,
) {
  const known = new Set<Socket>()
  const passwords = new Map([[ANN.userName, ANN.password]])
  const url = await serve(t, async (request, response) => {
    const body = await text(request)
    if (request.url === '/accounts') {
      const { userName, password } = JSON.parse(body)
      passwords.set(userName, password)
      return void response.writeHead(201).end()
    }
    const form = new URLSearchParams(body)
    const isRight = form.get('password') === passwords.get(form.get('username') ?? '')
    const isGranted = isRight || letsIn(request.socket, known)
    if (isRight) known.add(request.socket)
    response.writeHead(isGranted ? 200 : 400, { 'Content-Type': 'application/json;charset=UTF-8' })
    response.end(isGranted ? '{"access_token":"some-token-of-ann","token_type":"bearer"}' : '{}')
  })
  // Beside others, which would use its connection.
  const only = [CASE, '4.1/unknown-grant-type', '4.1/other-media-type']
  const registration = {
    request: { path: '/accounts', json: { userName: '$userName', password: '$password' } },
  }
  const target = { baseUrl: `http://${url}`, accounts: [ANN], registration }
  const { results } = await assess(target, {
    only,
    seed: 1,
    ...(concurrency === undefined ? {} : { concurrency }),
  })
  return results.find((one) => one.case === CASE)
}

for (const concurrency of [undefined, 1])
  t.test(
    `a wrong password is sent on the connection of the right one, ${concurrency ?? 'many'} at a time`,
    async (t) => {
      const ofConnection = await judged(t, (socket, known) => known.has(socket), concurrency)
      t.equal(ofConnection?.outcome, 'failed')
      const [failed] = ofConnection?.judgements ?? []
      t.match(failed, { rule: '4.1-credentials', replay: `default/${CASE}@` })
      t.equal(failed?.reproduce, undefined, 'sent alone, it is refused')
      t.equal((await judged(t, () => false, concurrency))?.outcome, 'passed')
    },
  )
