import t from 'tap'
import { readJson } from '../../../../spec/load/read-json.js'
import type { AnswerView } from './answer-view.js'
import { compareAnswers } from './compare-answers.js'
import { Normaliser } from './normalise-body.js'

const TIME_MS = 1_800_000_000_000

/** An answer that consists of one member. */
function viewOf(name: string, json: string): AnswerView {
  const { root } = readJson(`{"${name}":${json}}`)
  if (root === undefined) throw new TypeError(`no JSON: ${json}`)
  const body = new Normaliser([], (text) => text).json(root, TIME_MS)
  const rest = { mediaType: '', contentType: '', headers: new Map(), problems: '' }
  return { isRegistration: false, fate: 'granted', status: '200', body, ...rest }
}

t.test(
  'an integer with a fraction or an exponent, and a date of another weekday, are of another type',
  async (t) => {
    const cases: readonly (readonly [name: string, old: string, now: string, places: readonly string[]])[] = [
      ['n', '1209599', '1209599', []],
      ['n', '1209599', '1209600', ['/n']],
      ['n', '1209599', '1209599.0', ['format /n']],
      ['n', '1209599', '1.209599e6', ['format /n']],
      ['n', '1209599.00', '1.209599E+6', []],
      ['n', '-1', '1.0', ['format /n', '/n']],
      // A measured time may be either.
      ['n', '1', '1.5', ['/n']],
      ['at', '1800000000', '1800000000.5', []],
      ['n', '7', '"7"', ['/n']],
      ['id', '7', '8', []],
      ['id', '7', '8.0', ['format /id']],
      ['at', '1800000000', '1800000000.0', ['format /at']],
      ['at', '1800000000', '1800000001', []],
      ['at', '"Fri, 15 Jan 2027 08:00:00 GMT"', '"Fri, 15 Jan 2027 08:00:01 GMT"', []],
      ['at', '"Fri, 15 Jan 2027 08:00:00 GMT"', '"Mon, 15 Jan 2027 08:00:00 GMT"', ['format /at']],
    ]
    for (const [name, old, now, places] of cases)
      t.strictSame(
        compareAnswers(viewOf(name, old), viewOf(name, now)).map(({ at }) => at),
        places,
        `${name}: ${old}, ${now}`,
      )
  },
)

t.test(
  'of a name that was sent, what a service changes is compared, and not what differs from request to request',
  async (t) => {
    const shown = (own: string, text: string): unknown => {
      const { root } = readJson(JSON.stringify({ userName: text }))
      if (root === undefined) throw new TypeError(`no JSON: ${text}`)
      const value = new Normaliser([[own, '‹userName›']], (all) => all).json(root, TIME_MS)
      return value.kind === 'object' ? value.members.get('userName') : value
    }
    for (const [own, text, label] of [
      ['ab12\'"cd', 'ab12\'"cd', '‹userName›'],
      ['ab12\'"cd', 'ab12cd', `‹userName›, without '"`],
      ["ab12'cd", 'ab12&#39;cd', "‹userName›, with &#39; for '"],
      ['ab12ëcd', 'ab12e\u0308cd', '‹userName›, with e\u0308 for ë'],
      ['Anne12', 'anne12', '‹userName›, spelled otherwise'],
      ['Anne12', 'Anne1', '‹userName›, spelled otherwise'],
      ['bq7x3kob', 'bob', 'bob'],
      ['Anne12', 'Bob', 'Bob'],
    ] as const)
      t.match(shown(own, text), { text: label }, text)
  },
)
