import t from 'tap'
import { imfFixdate, newAccessToken } from './token-response.js'

t.test('Tokens differ, however many are drawn', async (t) => {
  const tokens = Array.from({ length: 1000 }, newAccessToken)
  t.equal(new Set(tokens).size, tokens.length)
  t.ok(tokens.every((token) => /^[\w-]{43}$/.test(token)))
  // Each of the 43 places takes many values: no byte of any token is left as it was.
  for (let place = 0; place < 42; place++)
    t.ok(new Set(tokens.map((token) => token[place])).size > 32, `place ${place} varies`)
})

t.test('A date is that of its second', async (t) => {
  for (const ms of [-0.5, -1000]) t.equal(imfFixdate(ms), 'Wed, 31 Dec 1969 23:59:59 GMT')
  for (const ms of [8.64e15 + 1, 8.64e15]) t.equal(imfFixdate(ms), 'Sat, 13 Sep 275760 00:00:00 GMT')
})
