import fc from 'fast-check'
import t from 'tap'
import { effort } from '../../tests/fixtures/effort.js'
import { credentialsIn } from '../exchange/header-credentials.js'
import { HttpResponse } from '../exchange/http-response.js'
import { answer } from '../fixtures/answers.js'
import { checkCompactJson, checkNoDiagnostics } from '../judge/checks/message.js'
import { isTokenPath } from '../judge/traffic/declared.js'
import { withExcerpts } from '../target/password-excerpts.js'
import {
  hideParameters,
  hidePathParameters,
  hideSecretMembers,
  hideTokenParameter,
  isMessage,
} from './hidden-fields.js'
import { issuedSecrets } from './issued-secrets.js'
import { Redactor } from './redact.js'

/** What a hostile service or client sends, of about that many characters, and the secrets that it made known before. */
interface Attack {
  readonly passwords: readonly string[]
  readonly tokens: readonly string[]
  readonly text: string
}

const SIZE = 16 * 1024

/** Everything that is done to a text before it is shown. */
function redact({ passwords, tokens, text }: Attack): void {
  const redactor = new Redactor(
    passwords.flatMap(withExcerpts).map((value) => ({ value, label: 'password' })),
  )
  for (const token of tokens) redactor.learnToken(token)
  redactor.text(text)
  for (const hide of [hideSecretMembers, hideParameters, hideTokenParameter]) hide(text)
  isMessage('password', text)
}

/** Microseconds of the processor, not of the clock: the machine may be busy. The least of some. */
function cpuOf(work: () => void): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user
  })
  return Math.min(...costs)
}

/** Microseconds: how exactly the time of the processor is counted. */
const NOISE = 4000

/** Linear is 4, quadratic 16. */
const MAX_GROWTH = 8

/**
 * How many times as much four times the input costs. What is more than linear is so at every size: where a small input seems
 * to be, which the compiler and the collector of Node may cause, one of four times its size decides.
 */
function growth(workOf: (size: number) => () => void, size = SIZE): number {
  workOf(size / 4)()
  const found = cpuOf(workOf(size * 4)) / Math.max(cpuOf(workOf(size)), NOISE)
  return found < MAX_GROWTH || size > SIZE ? found : growth(workOf, size * 4)
}

function redactionGrowth(attack: (size: number) => Attack): number {
  return growth((size) => {
    const chosen = attack(size)
    return () => redact(chosen)
  })
}

const BASE = 0x01000193
const hashOf = (text: string): number =>
  [...text].reduce((hash, char) => (Math.imul(hash, BASE) + char.charCodeAt(0) + 1) >>> 0, 0)

/** Eight letters other than `aaaaaaaa` with its polynomial hash modulo 2³², from the tables of both halves. */
function collidingEnd(): string {
  const letters = 'bcdefghijklmnopqrstuvwxyz0123456789'
  const four = (count: number): string =>
    [0, 1, 2, 3]
      .map((place) => letters[Math.floor(count / letters.length ** place) % letters.length])
      .join('')
  const factor = Array.from({ length: 4 }).reduce<number>((power) => Math.imul(power, BASE), 1)
  const wanted = hashOf('aaaaaaaa')
  const halves = new Map<number, string>()
  for (let count = 0; count < 300_000; count++) halves.set(hashOf(four(count)), four(count))
  for (let count = 0; ; count++) {
    const begin = four(count)
    const end = halves.get((wanted - Math.imul(hashOf(begin), factor)) >>> 0)
    if (end !== undefined) return begin + end
  }
}

const times = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size)

t.test('tokens made to collide with what is echoed cost no more than others', async (t) => {
  const end = collidingEnd()
  t.equal(hashOf(`aaaa${end}`), hashOf('aaaaaaaaaaaa'), 'under the base that was fixed once')
  const attack = (tokenEnd: string): Attack => ({
    passwords: [],
    tokens: Array.from({ length: 64 }, (_, at) => times('a', 60 * at + 200) + tokenEnd),
    text: times('a', SIZE),
  })
  const costOf = (tokenEnd: string): number => {
    const chosen = attack(tokenEnd)
    return cpuOf(() => redact(chosen))
  }
  costOf('bcdefghi')
  const ratio = costOf(end) / Math.max(costOf('bcdefghi'), NOISE)
  t.ok(ratio < 10, `${ratio}`)
})

t.test('a search for what an answer names a secret takes time in proportion to its length', async (t) => {
  const sent = {
    request: { method: 'POST', path: '/Token', headers: [], body: Buffer.from(times('%40', SIZE)) },
  }
  for (const unit of ['a-b', '%40', 'a.b', '%40a.', '://', '%41']) {
    const cost = growth((size) => {
      // Of 4096 characters each in the largest: longer ones are no secret.
      const tokens = Array.from({ length: 800 }, () => times(unit, size / 64))
      const response = answer(JSON.stringify({ tokens }))
      if (!(response instanceof HttpResponse)) throw new TypeError('no answer')
      return () => issuedSecrets(response, sent, [])
    })
    t.ok(cost < MAX_GROWTH, `${unit}: ${cost}`)
  }
})

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  percent: (text) => encodeURIComponent(text.toWellFormed()),
  'every byte': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  base64: (text) => Buffer.from(text).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  json: (text) => JSON.stringify(text).slice(1, -1),
  html: (text) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
  upper: (text) => text.toUpperCase(),
}

const PIECES = [
  ...'aAbß%\\&?=. "\0',
  ...['25', '2', '%25', 'amp;', '&amp;', '\\u00', '\\\\', '\\"', 'u0061', '&#', 'YWFh', '6161'],
  ...[
    'token',
    'token":"',
    'token\\":\\"',
    'access_token=',
    'password: ',
    'access_token>',
    'value="',
    ' name=token ',
    'ﷺ',
    'é',
    'x\u0301\u0323',
    '\u0301',
  ],
]

const unit = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))

/** Secrets that begin, go on or end as the text does, nearly. */
const attacks = fc
  .record({
    unit,
    other: unit,
    cut: fc.integer({ min: 0, max: 8 }),
    encodings: fc.array(fc.constantFrom(...Object.keys(ENCODINGS)), { maxLength: 3 }),
    isEcho: fc.boolean(),
  })
  .map((chosen) => (size: number): Attack => {
    const text = times(chosen.unit, size)
    const secrets = (count: number, step: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => {
        const secret = times(chosen.unit, 8 + at * step).slice(chosen.cut)
        return chosen.isEcho ? secret : secret + chosen.other
      })
    const encoded = chosen.encodings.reduce((inner, name) => ENCODINGS[name]?.(inner) ?? inner, text)
    return {
      passwords: secrets(Math.sqrt(size) / 8, 1),
      // Half as long as the text, all together.
      tokens: secrets(Math.sqrt(size) / 4, 16),
      // As long as it is without: encodings are of different lengths.
      text: encoded.slice(0, size),
    }
  })

t.test('redaction takes time in proportion to its input, whatever that is', async (t) => {
  const slow: string[] = []
  fc.assert(
    fc.property(attacks, (attack) => {
      const cost = redactionGrowth(attack)
      const { tokens, text } = attack(64)
      if (cost >= MAX_GROWTH) slow.push(`${cost}: ${JSON.stringify([text, tokens])}`)
    }),
    { numRuns: effort(10), endOnFailure: true },
  )
  t.strictSame(slow, [])
})

t.test('as many secrets as there can be cost no more than their texts', async (t) => {
  for (const [name, secretOf] of [
    ['that share a beginning', (at: number) => `a-common-beginning-${at}`],
    ['that share an end', (at: number) => `${at}-a-common-end`],
    ['that are short', (at: number) => at.toString(36).padStart(5, 'z')],
    ['with spaces', (at: number) => `a token ${at} "of" its own`],
  ] as const) {
    const cost = redactionGrowth((size) => {
      const secrets = Array.from({ length: size / 16 }, (_, at) => secretOf(at))
      return { passwords: secrets, tokens: secrets, text: times(secrets.slice(0, 9).join('a-common-'), size) }
    })
    t.ok(cost < MAX_GROWTH, `${name}: ${cost}`)
  }
})

t.test('one token of any length costs no more than the text that repeats it', async (t) => {
  for (const unit of ['k3J-2mQ_9zXv', 'é漢', '6161']) {
    const cost = redactionGrowth((size) => {
      const token = times(unit, size)
      return { passwords: [token], tokens: [token], text: token }
    })
    t.ok(cost < MAX_GROWTH, `${unit}: ${cost}`)
  }
})

t.test('the beginning of a password, again and again, costs no more than the text', async (t) => {
  const password = 'Kq7vT2xWn9Lb4zRd8cYh3mGf6pJs1tXe'
  for (const length of [15, 16, password.length - 1]) {
    const cost = redactionGrowth((size) => ({
      passwords: [password],
      tokens: [],
      text: times(password.slice(0, length), size),
    }))
    t.ok(cost < MAX_GROWTH, `${length}: ${cost}`)
  }
})

/** What else is read of messages, by regular expressions. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  credentials: (text) => credentialsIn(['Authorization', 'Cookie'].map((name) => [name, text])),
  'path parameters': hidePathParameters,
  'near misses of a path': isTokenPath({ baseUrl: 'http://127.0.0.1:1' }),
  diagnostics: (text) => checkNoDiagnostics(parsed(text)),
  'compact JSON': (text) => checkCompactJson(parsed(`{} ${text}`)),
}

function parsed(body: string): HttpResponse {
  const response = answer(body)
  if (!(response instanceof HttpResponse)) throw new TypeError('no answer')
  return response
}

for (const [name, read] of Object.entries(READERS))
  t.test(`of a message, ${name} are read in time in proportion to its length`, async (t) => {
    for (const unit of [
      'a',
      'a.',
      ' ',
      '\n',
      '\\"',
      ';',
      '%3b',
      '=',
      '+',
      '%c2%a0',
      'com.',
      ':1',
      'at a ',
      '(',
    ]) {
      const cost = growth((size) => {
        const text = `${times(unit, size)}x`
        return () => read(text)
      }, SIZE / 4)
      t.ok(cost < MAX_GROWTH, `${JSON.stringify(unit)}: ${cost}`)
    }
  })
