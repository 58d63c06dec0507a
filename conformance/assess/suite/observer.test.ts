import { text } from 'node:stream/consumers'
import t from 'tap'
import { listen } from '../../../tools/interop/listen.js'
import { assess } from '../assess.js'

t.test('what an observation shows has no part of a secret, also where it is cut', async (t) => {
  const password = 'Qz7-wxkv-9Jh-pqr'
  for (const before of [0, 170, 190]) {
    let refused = 0
    await using server = await listen(async (request, response) => {
      const form = new URLSearchParams(await text(request))
      const given = form.get('password') ?? ''
      if (given === password && form.get('grant_type') === 'password' && form.get('username') === 'alice') {
        response.writeHead(200, { 'Content-Type': 'application/json;charset=UTF-8' })
        return void response.end(JSON.stringify({ access_token: crypto.randomUUID(), token_type: 'bearer' }))
      }
      // The first refusal alone is right: an observation shows that one, and the cases others.
      response.writeHead(refused++ === 0 ? 400 : 500, { 'Content-Type': 'text/plain' })
      response.end('-'.repeat(before) + given)
    })
    const report = await assess(
      { baseUrl: server.url, accounts: [{ userName: 'alice', password }] },
      { seed: 1, runs: 3 },
    )
    const observed = JSON.stringify(report.observations)
    t.match(observed, before === 0 ? '‹password of alice' : '--')
    t.notMatch(observed, /Qz7-wx/i, `after ${before} characters`)
  }
})
