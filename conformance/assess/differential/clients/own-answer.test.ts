import t from 'tap'
import type { WireResponse } from '../../../exchange/exchange.js'
import { ownAnswer } from './own-answer.js'
import { StandIns } from './stand-ins.js'

const answer = (status: number, type: string, body: string): WireResponse => ({
  status,
  headers: [
    ['Content-Type', type],
    ['X-Id', String(status)],
  ],
  body: Buffer.from(body),
  truncated: false,
})
const OLD = answer(200, 'application/json;charset=UTF-8', '{ "a" : "1", "b" : 2, "c" : { "d" : 1 } }')
const NEW = answer(201, 'application/json', '{"c":{"d":2},"b":"2","e":[1],"a":"1"}')

const own = (...places: string[]) => {
  const { status, headers, body } = ownAnswer(
    OLD,
    NEW,
    places.map((at) => ({ at, old: '', new: '' })),
  )
  return [status, headers.map(([, value]) => value).join(' '), String(body)]
}
const TYPES = 'application/json;charset=UTF-8 200'

t.test('an answer has the differences of its finding, and all else as the old one spells it', async (t) => {
  t.strictSame(own('status'), [201, TYPES, String(OLD.body)])
  t.strictSame(own('media type'), [200, '200 application/json', String(OLD.body)])
  t.strictSame(own('header x-id'), [200, 'application/json;charset=UTF-8 201', String(OLD.body)])
  t.strictSame(own('/b'), [200, TYPES, '{ "a" : "1", "b":"2", "c" : { "d" : 1 } }'])
  t.strictSame(own('/c/d'), [200, TYPES, '{ "a" : "1", "b" : 2, "c":{"d":2} }'])
  t.strictSame(own('member /e'), [200, TYPES, '{ "a" : "1", "b" : 2, "c" : { "d" : 1 }, "e":[1] }'])
  t.strictSame(own('order '), [200, TYPES, '{ "c" : { "d" : 1 }, "b" : 2, "a" : "1" }'])
  // A name that holds a secret is shown otherwise: no client may be spared the difference for that.
  for (const at of [
    'outcome',
    'body',
    'JSON',
    'length ',
    '/‹password›',
    'member /‹password›',
    'header ‹password›',
  ])
    t.strictSame(own(at), [201, 'application/json 201', String(NEW.body)], at)
})

t.test('secrets have stand-ins of their shape, the same each time', async (t) => {
  const standIns = new StandIns(['Secret-1-Secret'])
  const given = answer(200, 'a/b', '{"access_token":"Ab1-\\u0041_=","x":"Secret-1-Secret","n":"keep me"}')
  const cookie: WireResponse = {
    ...given,
    headers: [
      ['Set-Cookie', 'a=Bc2/; path=/'],
      ['Date', 'x'],
    ],
  }
  const shown = standIns.answer(cookie, () => true)
  t.match(
    String(shown?.body),
    /^\{"access_token":"[A-Z][a-z][1-9]-\\u0041_=","x":"[A-Z][a-z]{5}-[1-9]-[A-Z][a-z]{5}","n":"keep me"\}$/,
  )
  t.notMatch(String(shown?.body), 'Secret-1-Secret')
  t.match(shown?.headers, [['Set-Cookie', /^a=[A-Z][a-z][1-9]\/; path=\/$/]])
  t.equal(shown?.headers.length, 1)
  t.ok(String(shown?.body).includes(standIns.of('Secret-1-Secret')))
  t.equal(
    standIns.answer(given, () => false),
    undefined,
  )
  const [signed, signature] = ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.', 'c2lnbmF0dXJl']
  t.ok(standIns.of(signed + signature).startsWith(signed))
  t.not(standIns.of(signed + signature), signed + signature)
})
