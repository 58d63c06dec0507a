import fc from 'fast-check'
import t from 'tap'
import { loadSpecification } from '../../spec/load/specification.js'
import type { Json } from '../../spec/model/json.js'
import { effort } from '../../tests/fixtures/effort.js'
import type { WireRequest } from '../exchange/exchange.js'
import { type Bindings, prepareRequest } from '../exchange/template.js'
import { accountBinding } from '../target/account-binding.js'
import type { Account } from '../target/deployment.js'
import type { Generator, Scope } from './generator.js'
import { GENERATORS } from './index.js'
import { unsupportedGrantType } from './unsupported-grant-type.js'

const account = (userName: string, password: string): Account => ({ userName, password })

/** Ordinary credentials, and those at which a generator may stumble. */
const targets: Readonly<Record<string, readonly [Account, ...Account[]]>> = {
  usual: [account('alice', 'Correct-horse-9-battery'), account('bob', 'Another+long&password=1')],
  alone: [account('alice', 'Correct-horse-9-battery')],
  short: [account('a', 'x'), account('b', 'y')],
  eight: [account('al', 'Secret-8'), account('bo', 'SECRET-8')],
  digits: [account('12', '12345678901234'), account('1', '2')],
  odd: [account('Zoë Straße', ' ßpace and Ünïcode ß '), account('%41', '%2B+%00\u0000end')],
  emoji: [account('🙂🙃', '😀😁😂🤣😃😄😅😆😉'), account('ﬁne', 'ﬁnal-Answer-ﬁ')],
  astral: [account('𐐀𐐁', '𐐨esert-letters'), account('x', 'X𝐀𝐁𝐂-math')],
  nested: [account('alice', 'Secret-of-1'), account('alicex', 'Secret-of-1x'), account('lice', 'ecret-of-1')],
}

/** The requests that a generator's values go into: those of the cases that name it. */
const { cases } = loadSpecification()

interface Use {
  readonly name: string
  readonly generator: Generator
  readonly requestOf: (value: Json, scope: Scope) => WireRequest
}

/** Those of the token request; the account policy's have tests of their own. */
const names = [
  'unsupported-grant-type',
  'wrong-media-type',
  'wrong-password',
  'unknown-user',
  'form-encoding',
  'form-credentials',
]

const uses: readonly Use[] = names.map((name) => {
  const generator = GENERATORS.get(name)
  if (generator === undefined) throw new TypeError(`no generator is named ${name}`)
  const testCase = cases.find(({ forall }) => Object.values(forall ?? {}).includes(name))
  const template = testCase?.steps[0]?.send
  const variable = Object.keys(testCase?.forall ?? {})[0]
  if (template === undefined || variable === undefined) throw new TypeError(`no case uses ${name}`)
  return {
    name,
    generator,
    requestOf: (value, scope) => {
      const bindings: Bindings = {
        account: accountBinding(scope.account, scope),
        [variable]: generator.bind(value, scope),
      }
      return prepareRequest(template, bindings, '').wire
    },
  }
})

function scopesOf(accounts: readonly [Account, ...Account[]]): readonly Scope[] {
  const deployment = { accounts, additionalGrantTypes: ['urn:example:grant', 'Password'] }
  return accounts.map((own) => ({ deployment, account: own, runNonce: '0123456789' }))
}

const RANDOM_VALUES = effort(1000)

/** Every example, and random values that depend on the seed alone. */
function valuesOf({ generator }: Use, scope: Scope): readonly Json[] {
  return [
    ...generator.examples(scope),
    ...fc.sample(generator.arbitrary(scope), { numRuns: RANDOM_VALUES, seed: 7 }),
  ]
}

// A classification of its own, from the bytes: pairs are split and decoded by hand, not by the platform's parsers.

interface Seen {
  readonly contentType: string | undefined
  readonly pairs: readonly (readonly [string, string])[]
}

function look({ headers, body }: WireRequest): Seen {
  const text = Buffer.from(body ?? '').toString('latin1')
  const pairs = text.split('&').map((piece): readonly [string, string] => {
    const [name = '', value = '', ...more] = piece.split('=')
    if (more.length > 0) throw new TypeError(`a pair with two signs: ${piece}`)
    return [decodeURIComponent(name.replaceAll('+', '%20')), decodeURIComponent(value.replaceAll('+', '%20'))]
  })
  return { contentType: headers.find(([name]) => name === 'Content-Type')?.[1], pairs }
}

function valueIn({ pairs }: Seen, name: string): string {
  const [pair, ...others] = pairs.filter(([key]) => key === name)
  if (pair === undefined || others.length > 0 || pairs.length !== 3)
    throw new TypeError('not the form of a grant')
  return pair[1]
}

const FORM = 'application/x-www-form-urlencoded'

/** NIST SP 800-63B lets a verifier drop outer white space and forgive the case of the first character. */
function mayForgive(sent: string, right: string): boolean {
  const spellings = (text: string): readonly string[] => {
    const [first = '', ...rest] = [...text.normalize().trim()]
    return [first, first.toLowerCase(), first.toUpperCase()].map((char) => char + rest.join(''))
  }
  const own = spellings(right)
  return spellings(sent).some((text) => own.includes(text))
}

function sameName(one: string, other: string): boolean {
  const [a, b] = [one.normalize('NFKC').trim(), other.normalize('NFKC').trim()]
  const fold = (text: string): string => text.toUpperCase().toLowerCase()
  return fold(a) === fold(b) || a.localeCompare(b, 'en', { sensitivity: 'accent' }) === 0
}

/** Why the request is not of the generator's class; undefined: it is. */
function explainOutOfScope(
  name: string,
  request: WireRequest,
  { deployment, account: own }: Scope,
): string | undefined {
  const seen = look(request)
  const [grantType, userName, password] = ['grant_type', 'username', 'password'].map((key) =>
    valueIn(seen, key),
  )
  const rightForm = seen.contentType === FORM
  const named = deployment.accounts.find((one) => one.userName === userName)
  const grant = grantType === 'password' && named !== undefined && named.password === password
  switch (name) {
    case 'unsupported-grant-type':
      if (grantType === 'password' || deployment.additionalGrantTypes.includes(grantType ?? ''))
        return 'supported'
      if ((grantType ?? '').length > 256) return 'longer than 256'
      if (grantType !== grantType?.normalize('NFC')) return 'not in NFC'
      return rightForm && userName === own.userName && password === own.password ? undefined : 'not the rest'
    case 'wrong-media-type': {
      const essence = /^([^\s;,/]+\/[^\s;,/]+)\s*(?:;|$)/.exec(seen.contentType ?? '')?.[1]
      if (essence === undefined) return 'no media type'
      if (!essence.split('/').every((part) => /^[a-z0-9]/i.test(part))) return 'no name of RFC 6838'
      if (essence.toLowerCase() === FORM) return 'the right one'
      return grant ? undefined : 'not a grant'
    }
    case 'wrong-password':
      if (!rightForm || grantType !== 'password' || named !== own) return 'not the rest'
      if (password === '') return 'empty'
      return mayForgive(password ?? '', own.password) ? 'forgivable' : undefined
    case 'unknown-user':
      if (!rightForm || grantType !== 'password') return 'not the rest'
      if (!deployment.accounts.some((one) => isPasswordFor(one, `${userName}`, `${password}`)))
        return 'no password of an account'
      if ((userName ?? '').trim() === '') return 'empty'
      return deployment.accounts.some((one) => sameName(one.userName, userName ?? '')) ? 'known' : undefined
    case 'form-encoding':
    case 'form-credentials':
      return rightForm && grant ? undefined : 'not a valid grant'
    default:
      return `no test knows ${name}`
  }
}

/** The account's, or with it as much of its name as the other one lacks. */
function isPasswordFor(own: Account, userName: string, password: string): boolean {
  return password === own.password || userName + password === own.userName + own.password
}

t.test('what a generator makes is of its class, by another reading of the bytes', async (t) => {
  for (const use of uses) {
    const faults = new Set<string>()
    let [admitted, tried] = [0, 0]
    for (const [target, accounts] of Object.entries(targets)) {
      for (const scope of scopesOf(accounts)) {
        for (const value of valuesOf(use, scope)) {
          const request = use.requestOf(value, scope)
          tried++
          if (!use.generator.inScope(request, scope)) continue
          admitted++
          const fault = explainOutOfScope(use.name, request, scope)
          if (fault !== undefined) faults.add(`${target}: ${fault}: ${JSON.stringify(value)}`)
        }
      }
    }
    t.strictSame([...faults].slice(0, 5), [], use.name)
    t.ok(admitted > effort(10_000) && admitted / tried > 0.3, `${use.name}: ${admitted} of ${tried} admitted`)
  }
})

t.test('accidentally valid requests are not admitted', async (t) => {
  const [scope] = scopesOf([account('alice', 'Secret-of-1'), account('bob', 'Other-one-2')])
  if (scope === undefined) throw new TypeError('there is an account')
  const request = (body: string, contentType = FORM, method = 'POST'): WireRequest => ({
    method,
    path: '/Token',
    headers: [['content-type', contentType]],
    body: Buffer.from(body),
  })
  const right = 'grant_type=password&username=alice&password=Secret-of-1'
  const with_ = (name: string, value: string): WireRequest =>
    request(right.replace(new RegExp(`${name}=[^&]*`), `${name}=${value}`))
  const rows: readonly (readonly [string, string, WireRequest, boolean])[] = [
    ['unsupported-grant-type', 'the right one', request(right), false],
    ['unsupported-grant-type', 'the right one, escaped', with_('grant_type', 'p%61ssword'), false],
    ['unsupported-grant-type', 'a declared one', with_('grant_type', 'urn:example:grant'), false],
    ['unsupported-grant-type', 'twice', request(`${right}&grant_type=x`), false],
    ['unsupported-grant-type', 'not NFC', with_('grant_type', 'e%CC%81'), false],
    ['unsupported-grant-type', '257 long', with_('grant_type', 'x'.repeat(257)), false],
    ['unsupported-grant-type', '256 long', with_('grant_type', 'x'.repeat(256)), true],
    ['unsupported-grant-type', 'empty', with_('grant_type', ''), true],
    [
      'unsupported-grant-type',
      'under another media type',
      request(right.replace('=p', '=x'), 'text/plain'),
      false,
    ],
    [
      'wrong-media-type',
      'the right one',
      request(right, 'Application/X-www-form-urlencoded;charset=x'),
      false,
    ],
    ['wrong-media-type', 'none', request(right, 'text'), false],
    ['wrong-media-type', 'with a comma', request(right, 'text/plain, text/html'), false],
    ['wrong-media-type', 'with a name of punctuation', request(right, 'application/.a'), false],
    ['wrong-media-type', 'another', request(right, 'text/plain; charset="utf-8"'), true],
    ['wrong-media-type', 'with a wrong password', request(right.replace('Secret', 'x'), 'text/plain'), false],
    ['wrong-password', 'the right one', request(right), false],
    ['wrong-password', 'with outer white space', with_('password', '+Secret-of-1%0A'), false],
    ['wrong-password', 'its first letter in other case', with_('password', 'secret-of-1'), false],
    ['wrong-password', 'in full width', with_('password', encodeURIComponent('Ｓecret-of-1')), true],
    ['wrong-password', 'a later letter in other case', with_('password', 'SEcret-of-1'), true],
    ['wrong-password', "another's", with_('password', 'Other-one-2'), true],
    ['wrong-password', 'empty', with_('password', ''), false],
    ['wrong-password', 'of no account', request('grant_type=password&username=x&password=y'), false],
    ['unknown-user', 'a known one', request(right), false],
    ['unknown-user', 'in other case', with_('username', 'ALICE'), false],
    ['unknown-user', 'with white space', with_('username', '+alice'), false],
    ['unknown-user', 'another account', with_('username', 'bob'), false],
    ['unknown-user', 'empty', with_('username', '+'), false],
    ['unknown-user', 'unknown', with_('username', 'alic'), true],
    ['unknown-user', 'by a possible address', with_('username', 'alice%40example.com'), false],
    [
      'unknown-user',
      'so with a wrong password',
      request(right.replace('alice', 'Alice%40x').replace('Secret', 'x')),
      true,
    ],
    ['form-encoding', 'a valid grant', request(right), true],
    ['form-encoding', 'by PUT', request(right, FORM, 'PUT'), false],
    ['form-encoding', "another's password", with_('username', 'bob'), false],
    ['form-encoding', 'a user name twice', request(`${right}&username=alice`), false],
    ['form-encoding', 'under another media type', request(right, 'text/plain'), false],
  ]
  for (const [name, what, sent, promised] of rows)
    t.equal(GENERATORS.get(name)?.inScope(sent, scope), promised, `${name}: ${what}`)
})

t.test('every kind of near miss occurs at the default budgets', async (t) => {
  const [scope] = scopesOf(targets.usual ?? [account('', '')])
  if (scope === undefined) throw new TypeError('there is an account')
  /** The first values of a run that the promises admit. */
  const first = (name: string, runs: number): readonly string[] => {
    const use = uses.find((one) => one.name === name)
    if (use === undefined) throw new TypeError(name)
    const kept = valuesOf(use, scope).filter((value) =>
      use.generator.inScope(use.requestOf(value, scope), scope),
    )
    return kept.slice(0, runs).map((value) => {
      const bound = use.generator.bind(value, scope)
      return 'wire' in bound && typeof bound.wire === 'string' ? bound.wire : JSON.stringify(value)
    })
  }
  // Decision 7's list, reckoned from the password; 20 failed logins less those of the single cases leave 8 or 9.
  const wrong = first('wrong-password', 9)
  const right = scope.account.password
  const oneLess = (text: string): boolean =>
    [...right].some((_, at) => right.slice(0, at) + right.slice(at + 1) === text)
  const kinds: Readonly<Record<string, (text: string) => boolean>> = {
    'a character changed': (text) =>
      text.length === right.length && [...right].filter((char, at) => char !== text[at]).length === 1,
    'a character dropped': oneLess,
    'a character added': (text) =>
      [...text].some((_, at) => text.slice(0, at) + text.slice(at + 1) === right),
    'case of a later letter': (text) =>
      text !== right && text.slice(1).toLowerCase() === right.slice(1).toLowerCase() && text[0] === right[0],
    'cut to eight': (text) => text === right.slice(0, 8),
    "another's": (text) => text === 'Another+long&password=1',
  }
  for (const [kind, is] of Object.entries(kinds)) t.ok(wrong.some(is), `${kind}, in 9 runs`)
  t.ok(
    first('wrong-password', 12).includes(right.slice(0, Math.ceil(right.length / 2))),
    'cut to half, in 12 runs',
  )

  const unknown = first('unknown-user', 11).map((text) => String(JSON.parse(text).kind))
  t.strictSame([...new Set(unknown)].sort(), [
    ...['changed', 'fresh', 'joined', 'longer', 'member', 'pattern', 'prefixed', 'query', 'shorter'],
  ])

  const has = (texts: readonly string[], what: string, is: (text: string) => boolean): void =>
    void t.ok(texts.some(is), what)
  const grants = first('unsupported-grant-type', 100)
  for (let at = 0; at < 8; at++) {
    const [before, after] = ['password'.slice(0, at), 'password'.slice(at + 1)]
    const isAround = (text: string): boolean => text.startsWith(before) && text.endsWith(after)
    has(grants, `letter ${at} changed`, (text) => text.length === 8 && isAround(text))
    has(grants, `letter ${at} dropped`, (text) => text === before + after)
  }
  for (const one of [
    'PASSWORD',
    'passwordpassword',
    'password\0',
    'password\ufeff',
    'client_credentials',
    '',
  ])
    t.ok(grants.includes(one), JSON.stringify(one))
  has(grants, 'padded', (text) => text.trim() === 'password' && text !== 'password')
  has(grants, 'in full-width letters', (text) => text !== 'password' && text.normalize('NFKC') === 'password')
  has(grants, '200 long', (text) => text.length === 200)
  has(grants, '256 long', (text) => text.length === 256)
  has(grants, 'free random', (text) => !/pass|word/i.test(text) && text.length > 2 && !/^x+$/.test(text))

  const media = first('wrong-media-type', 100)
  for (const one of ['application/json', 'text/plain', 'multipart/form-data; boundary=token-assay'])
    t.ok(media.includes(one), one)
  has(media, 'longer', (text) => text !== FORM && text.startsWith(FORM))
  has(media, 'shorter', (text) => text !== FORM && FORM.startsWith(text))
  has(media, 'the right one as a parameter', (text) => text.includes(`"${FORM}"`))
  const form = first('form-encoding', 100)
  for (const choice of ['plusForSpace', 'lowerCaseHex'])
    for (const value of [true, false])
      has(form, `${choice} ${value}`, (text) => JSON.parse(text)[choice] === value)
})

t.test('nothing that is shown gives a password away', async (t) => {
  for (const use of uses) {
    const faults = new Set<string>()
    for (const [target, accounts] of Object.entries(targets)) {
      for (const scope of scopesOf(accounts)) {
        for (const value of valuesOf(use, scope).slice(0, 200)) {
          const [bound, again] = [use.generator.bind(value, scope), use.generator.bind(value, scope)]
          if (JSON.stringify(bound) !== JSON.stringify(again)) faults.add(`${target}: not reproducible`)
          const texts = 'wire' in bound ? [bound] : Object.values(bound).filter((part) => 'wire' in part)
          const secrets = texts.filter(
            (part) => 'wire' in part && part.wire !== part.shown && part.shown !== '',
          )
          const shown = [
            JSON.stringify(use.generator.show(value, scope)),
            ...texts.map((part) => ('shown' in part ? String(part.shown) : '')),
          ].join('\n')
          const hidden = [
            ...accounts.map(({ password }) => password),
            ...secrets.map((part) => String('wire' in part ? part.wire : '')),
          ]
          // A letter or two of a password may well occur in the words of its label.
          for (const text of hidden)
            if (text.length > 4 && shown.includes(text)) faults.add(`${target}: ${shown}`)
        }
      }
    }
    t.strictSame([...faults].slice(0, 5), [], use.name)
  }
})

t.test('grant types near a declared one are tried, after the likeliest mistakes', async (t) => {
  const alice = account('alice', 'Correct-horse-9-battery')
  const tried = (additionalGrantTypes: readonly string[]): readonly string[] =>
    unsupportedGrantType.examples({
      deployment: { accounts: [alice], additionalGrantTypes },
      account: alice,
      runNonce: '0',
    })
  const usual = tried([])
  const near = (declared: string): readonly string[] =>
    tried([declared]).filter((type) => !usual.includes(type))
  t.strictSame(near('refresh_token'), [
    'REFRESH_TOKEN',
    'refresh_tokens',
    'refresh_toke',
    'refresh_toke0',
    'xrefresh_token',
    'efresh_token',
  ])
  t.strictSame(near('urn:a:b'), ['urn:a:bs', 'urn:a:', 'urn:a:0', 'xurn:a:b', 'rn:a:b'])
})
