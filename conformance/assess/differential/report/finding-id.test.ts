import t from 'tap'
import { findMutant } from '../../../../prove/jobs/selection.js'
import { type Behaviour, specifiedBehaviour } from '../../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../../reference/embedded/registration-request.js'
import type { Refusal } from '../../../../reference/refusal.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import type { Json } from '../../../../spec/model/json.js'
import { type PairProbe, PLAIN, PLAIN_FORM, probeOf } from '../../../drivers/pair/probe.js'
import { formValues, parseForm } from '../../../exchange/parse-form.js'
import { findDifferences } from '../find-differences.js'
import { asSpecified, compareEmbedded } from '../fixtures/embedded-pair.js'
import { ACCOUNTS, LOGINS_ALONE, startPair } from '../fixtures/pair.js'

const LOGIN = probeOf('', [{ send: PLAIN }])
const WRONG = probeOf('', [{ send: { form: [...PLAIN_FORM.slice(0, 2), ['password', 'x']] } }])
const CAPITALS = probeOf('', [{ send: { form: [['grant_type', 'PASSWORD'], ...PLAIN_FORM.slice(1)] } }])
const REGISTRATION = probeOf('', [{ register: { password: 'x' } }])

/** The old service takes a grant type in any letter case. */
const lenient = { supportsGrantType: (grantType: string) => grantType.toLowerCase() === 'password' }

const iso = { formatDate: (ms: number) => new Date(ms).toISOString() }
const withoutFraction = { formatDate: (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z` }
const minutes = { expiresIn: (seconds: number) => Math.floor(seconds / 60) }
const hour = { lifetime: () => 3600 }
const says = (text: string) => ({ errorBody: () => ({ error: 'invalid_grant', error_description: text }) })
const header = (name: string, value: () => string) => ({ commonHeaders: () => [[name, value()] as const] })
const member = (name: string, value: Json) => ({
  tokenMembers: (...of: Parameters<Behaviour['tokenMembers']>) => [
    ...specifiedBehaviour.tokenMembers(...of),
    [name, value] as const,
  ],
})
const jwt = (length: number) => ({
  newAccessToken: () => `eyJh.${'x'.repeat(length)}${Math.random().toString(36).slice(2)}.sig`,
})
const hex = { newAccessToken: () => crypto.randomUUID().replaceAll('-', '') }

let counter = 0
/** What differs between two answers of one service, too, belongs to no change. */
const counted = { ...header('X-Remaining', () => String(counter++)) }

/** Changes of one place. Accepting one of them must not hide another. */
const PLACES: Readonly<Record<string, readonly [PairProbe, Readonly<Record<string, Partial<Behaviour>>>]>> = {
  times: [
    LOGIN,
    {
      hour,
      'two hours': { lifetime: () => 7200 },
      minutes,
      iso,
      'ISO dates without fractions': withoutFraction,
      'ISO dates and minutes': { ...iso, ...minutes },
      'a text': { expiresIn: (seconds) => String(seconds - 1) },
      'eleven seconds less': { expiresIn: (seconds) => seconds - 12 },
      'with a fraction': { expiresIn: (seconds) => seconds - 11.5 },
    },
  ],
  'a member more': [
    LOGIN,
    {
      api: member('scope', 'api'),
      admin: member('scope', 'admin'),
      'a list': member('scope', ['api']),
      'another list': member('scope', ['admin']),
      'no token': member('refresh_token', null),
      'a token': member('refresh_token', 'a7B9c2D4e6F8'),
    },
  ],
  'a member': [LOGIN, { Bearer: { tokenType: () => 'Bearer' }, mac: { tokenType: () => 'mac' } }],
  headers: [
    LOGIN,
    {
      private: header('Cache-Control', () => 'private'),
      'no-cache': header('Cache-Control', () => 'no-cache'),
    },
  ],
  tokens: [LOGIN, { jwt: jwt(80), 'a longer jwt': jwt(300), hex }],
  'the text of a refusal': [WRONG, { invalid: says('Invalid credentials.'), locked: says('Locked.') }],
  'the status of a refusal': [WRONG, { 401: { errorStatus: () => 401 }, 500: { errorStatus: () => 500 } }],
  'who is refused': [
    CAPITALS,
    { '400': {}, '401': { errorStatus: () => 401 }, 'a text': says('Locked.'), 'another text': says('No.') },
  ],
  'messages of a registration': [
    REGISTRATION,
    {
      short: { rejectedBody: () => ({ errors: ['Too short.'] }) },
      weak: { rejectedBody: () => ({ errors: ['Too weak.'] }) },
    },
  ],
}

const idsOf = async (own: PairProbe, altered: Partial<Behaviour>): Promise<readonly string[]> => {
  const { old, new: now } = await startPair(t, {
    old: { altered: own === CAPITALS ? lenient : {} },
    new: { altered },
  })
  const { findings } = await findDifferences(old, now, { replay: own })
  return findings.map(({ id }) => id)
}

for (const [place, [own, changes]] of Object.entries(PLACES))
  t.test(`an id of its own for each change: ${place}`, async (t) => {
    const known = new Map<string, string>()
    for (const [name, altered] of Object.entries(changes)) {
      const ids = await idsOf(own, altered)
      t.ok(ids.length > 0, name)
      for (const id of ids) {
        t.equal(known.get(id), undefined, `${name} has an id of its own`)
        known.set(id, name)
      }
    }
  })

t.test('the same id in another run: times, tokens and what varies in each answer do not count', async (t) => {
  for (const altered of [hour, iso, minutes, jwt(80), counted, { ...hour, ...counted }])
    t.strictSame(await idsOf(LOGIN, altered), await idsOf(LOGIN, altered))
})

const whole = loadSpecification()
/** The specification with these cases alone. @throws TypeError for one that it does not have */
function withCases(...ids: readonly string[]): typeof whole {
  const cases = ids.map((id) => {
    const found = whole.cases.find((one) => one.id === id)
    if (found === undefined) throw new TypeError(`no case is ${id}`)
    return found
  })
  return { ...whole, cases, observations: [] }
}

/** A service that names in a header whom a request is for. */
const naming = (spelled: (name: string) => string): Partial<Behaviour> => ({
  deliver: (answer, { body }) => {
    const [name = ''] = formValues(parseForm(body), 'username')
    const headers = [...answer.headers, ['X-User', spelled(name)] as const]
    return { kind: 'answer', answer: { ...answer, headers } }
  },
})

/** The near misses of a password, and single requests by other methods. */
const NEAR = {
  runs: 46,
  specification: {
    ...whole,
    cases: whole.cases.filter(({ id }) => id === '4.1/wrong-password' || id.startsWith('4.1/method-')),
    observations: [],
  },
}

const LETS_IN = [
  'password-in-swapped-case',
  'password-in-capitals',
  'user-name-as-password',
  'put-allowed',
  'delete-allowed',
]

t.test('an id for each kind of wrong password and each method that is let in, in every run', async (t) => {
  const known = new Map<string, string>()
  for (const mutant of LETS_IN) {
    const { old, new: now } = await startPair(t, {
      new: { altered: findMutant(mutant).behaviour() },
      // The near misses are of the password of a new account.
      ...(mutant.endsWith('-allowed') && { declares: LOGINS_ALONE }),
    })
    const [ids, again] = [
      await findDifferences(old, now, { ...NEAR, seed: 1 }),
      await findDifferences(old, now, { ...NEAR, seed: 2 }),
    ].map(({ findings }) => findings.map(({ id }) => id))
    t.ok(ids?.length, mutant)
    t.strictSame(again, ids, `${mutant}: the same with another seed`)
    for (const id of ids ?? []) {
      t.equal(known.get(id), undefined, `${mutant} has an id of its own`)
      known.set(id, mutant)
    }
  }
})

t.test('where new trims what an account is registered with, the same ids with each seed', async (t) => {
  const altered: Partial<Behaviour> = {
    newAccount: (members) =>
      Object.fromEntries(Object.entries(members).map(([name, text]) => [name, String(text).trim()])),
  }
  const specification = {
    ...whole,
    cases: whole.cases.filter(({ id }) =>
      /^(?:4\.1\/form-en|8\/(?:account|any-user|password-with))/.test(id),
    ),
    observations: [],
  }
  const found: string[][] = []
  for (const seed of [63, 64]) {
    const { old, new: now } = await startPair(t, { new: { altered } })
    const { findings } = await findDifferences(old, now, { seed, runs: 250, specification })
    found.push(findings.map(({ id, request }) => `${id} ${request}`).toSorted())
  }
  t.ok(found[0]?.some((one) => one.endsWith('registered with `userName` surrounded by spaces')))
  t.strictSame(found, Array(found.length).fill(found[0]))
})

t.test('the name that an account has once it was trimmed breaks no rule', async (t) => {
  const trim = (name: string): string => name.trim()
  const altered: Partial<Behaviour> = {
    newAccount: ({ userName, ...others }) => ({ ...others, userName: trim(String(userName)) }),
    userNameKey: trim,
  }
  const { old, new: now } = await startPair(t, { new: { altered } })
  const { findings } = await findDifferences(old, now, {
    ...{ seed: 1, runs: 1 },
    specification: withCases('2.1/token-response'),
  })
  const own = findings.find(({ request }) => /^account registered with `userName` surr/.test(request))
  t.match(own, { class: 'silent', rules: [] })
})

t.test('what new makes of OPTIONS covers no other method', async (t) => {
  const specification = {
    ...whole,
    cases: whole.cases.filter(({ id }) => id.startsWith('4.1/method-')),
    observations: whole.observations.filter(({ id }) => ['4.1/get', '4.1/options'].includes(id)),
  }
  const answering = (statuses: Readonly<Record<string, number>>): Partial<Behaviour> => ({
    deliver: (answer, { method }) => {
      const status = answer.status === 405 ? statuses[method] : undefined
      return { kind: 'answer', answer: status === undefined ? answer : { ...answer, status, body: '' } }
    },
  })
  const idsWith = async (statuses: Readonly<Record<string, number>>): Promise<readonly string[]> => {
    const { old, new: now } = await startPair(t, {
      declares: LOGINS_ALONE,
      new: { altered: answering(statuses) },
    })
    const { findings } = await findDifferences(old, now, { specification, runs: 100, seed: 1 })
    return findings.map(({ id }) => id)
  }
  const cors = await idsWith({ OPTIONS: 204 })
  t.equal(cors.length, 1)
  for (const others of [{ GET: 418 }, { GET: 302, PUT: 302 }, { DELETE: 200 }]) {
    const ids = await idsWith({ OPTIONS: 204, ...others })
    t.ok(ids.includes(cors[0] ?? ''))
    t.equal(ids.length, 2, JSON.stringify(others))
  }
})

t.test('what new makes of one path or method covers no other one, answered in the same way', async (t) => {
  const specification = {
    ...whole,
    cases: whole.cases.filter(({ id }) => id.startsWith('4.1/method-')),
    observations: whole.observations.filter(({ id }) => ['4.1/get', '4.1/options'].includes(id)),
  }
  const refusing = (places: readonly string[]): Partial<Behaviour> => ({
    deliver: (answer, { method, path }) => {
      const isChanged = answer.status >= 400 && (places.includes(method) || places.includes(path))
      return { kind: 'answer', answer: isChanged ? { ...answer, status: 401 } : answer }
    },
  })
  const idsWith = async (places: readonly string[], seed: number): Promise<readonly string[]> => {
    const { old, new: now } = await startPair(t, {
      declares: LOGINS_ALONE,
      new: { altered: refusing(places) },
    })
    const { findings } = await findDifferences(old, now, { specification, runs: 100, seed })
    return findings.map(({ id }) => id)
  }
  for (const [one, ...others] of [
    ['/Token/', '/token'],
    ['OPTIONS', 'DELETE'],
  ]) {
    const places = [one ?? '']
    const known = new Set(await idsWith(places, 1))
    t.equal(known.size, 1, places.join())
    for (const other of others) {
      const ids = await idsWith([...places, other], 1)
      t.strictSame(await idsWith([...places, other], 2), ids, `${other}: the same with another seed`)
      t.notOk(
        ids.every((id) => known.has(id)),
        `${other} is not covered by ${one}`,
      )
      t.notOk(
        (await idsWith([other], 1)).some((id) => known.has(id)),
        `nor is ${other} alone`,
      )
    }
  }
})

t.test('what new makes of a sign-in through a provider covers no login', async (t) => {
  const specification = withCases('4.2/external-login', '4.1/password-grant')
  const spelledWhere = (isChanged: (path: string) => boolean) => (): Partial<Behaviour> => ({
    deliver: (answer, { path }) => {
      const body = Buffer.from(answer.body).toString().replace('"bearer"', '"Bearer"')
      return { kind: 'answer', answer: isChanged(path) ? { ...answer, body } : answer }
    },
  })
  const idsOf = async (now: () => Partial<Behaviour>, seed: number): Promise<readonly string[]> => {
    const { findings } = await compareEmbedded(asSpecified, now, { specification, runs: 1, seed })
    t.equal(findings.length, 1)
    return findings.map(({ id }) => id)
  }
  const atProvider = spelledWhere((path) => path !== '/Token')
  const ids = await idsOf(atProvider, 1)
  t.strictSame(await idsOf(atProvider, 2), ids, 'the same with another seed')
  t.notSame(await idsOf(spelledWhere(Boolean), 1), ids)
})

t.test('what new makes of some answers covers no others', async (t) => {
  const specification = withCases(
    '4.1/password-grant',
    '4.1/wrong-password',
    '4.1/unknown-user',
    '4.1/unknown-grant-type',
  )
  const marking = (isMarked: (status: number) => boolean) => (): Partial<Behaviour> => ({
    deliver: (answer) => {
      const headers = [...answer.headers, ...(isMarked(answer.status) ? [['X-Node', 'a'] as const] : [])]
      return { kind: 'answer', answer: { ...answer, headers } }
    },
  })
  const refusing =
    (...refusals: readonly Refusal[]) =>
    (): Partial<Behaviour> => ({
      errorStatus: (refusal) => (refusals.includes(refusal) ? 401 : specifiedBehaviour.errorStatus(refusal)),
    })
  const changes = {
    'a header of refusals': marking((status) => status >= 400),
    'a header of tokens': marking((status) => status < 400),
    'a header of both': marking(() => true),
    'the status for unknown users': refusing('unknown-user'),
    'the status of failed logins': refusing('unknown-user', 'wrong-password'),
  }
  const known = new Map<string, string>()
  for (const [name, change] of Object.entries(changes)) {
    const [ids, again] = await Promise.all(
      [1, 2].map(async (seed) => {
        const { old, new: now } = await startPair(t, {
          declares: LOGINS_ALONE,
          new: { altered: change() },
        })
        const { findings } = await findDifferences(old, now, { specification, runs: 30, seed })
        return findings.map(({ id }) => id)
      }),
    )
    t.strictSame([ids?.length, again], [1, ids], `${name}: one, the same with another seed`)
    for (const id of ids ?? []) {
      t.equal(known.get(id), undefined, `${name} has an id of its own`)
      known.set(id, name)
    }
  }
})

t.test(
  'a member that new alone has, and some of whose values are wrong, covers no other wrong ones',
  async (t) => {
    const cases = withCases('2.1/token-response', '2.1/token-of-each-account')
    const specification = { ...cases, observations: whole.observations }
    type Value = (value: Json) => Json
    const moved =
      (seconds: number): Value =>
      (value) =>
        new Date(Date.parse(String(value)) + seconds * 1000).toUTCString()
    const written: Value = (value) => new Date(String(value)).toISOString()
    const changes: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
      'a lifetime a second longer': { '.expires': moved(1) },
      'another format': { '.issued': written, '.expires': written },
      'times of another zone': { '.issued': moved(7200), '.expires': moved(7200) },
    }
    const membersOf =
      (change: (name: string, value: Json, userName: string) => readonly [string, Json]) =>
      (...of: Parameters<Behaviour['tokenMembers']>) =>
        specifiedBehaviour
          .tokenMembers(...of)
          .map(([name, value]) => change(name, value, of[0].bearer.userName))
    const withoutDots = { tokenMembers: membersOf((name, value) => [name.replace('.', ''), value]) }
    const known = new Map<string, string>()
    for (const [what, values] of Object.entries(changes)) {
      const { old, new: now } = await startPair(t, {
        declares: LOGINS_ALONE,
        old: { altered: withoutDots },
        new: {
          altered: {
            tokenMembers: membersOf((name, value, user) => [
              name,
              user === 'Bob' ? (values[name]?.(value) ?? value) : value,
            ]),
          },
        },
      })
      const { findings } = await findDifferences(old, now, { specification, runs: 30 })
      t.strictSame(
        findings.map((one) => one.class),
        ['breaks'],
        what,
      )
      for (const { id } of findings) {
        t.equal(known.get(id), undefined, `${what} has an id of its own`)
        known.set(id, what)
      }
    }
  },
)

t.test('the status of rejected registrations covers no refused login', async (t) => {
  const specification = withCases('4.1/password-grant', '4.1/unknown-user', '7/digit-message')
  const rejected: Partial<Behaviour> = { rejectedStatus: () => 422 }
  const unknown: Partial<Behaviour> = {
    errorStatus: (refusal) => (refusal === 'unknown-user' ? 422 : specifiedBehaviour.errorStatus(refusal)),
  }
  const [alone, logins, both] = await Promise.all(
    [rejected, unknown, { ...rejected, ...unknown }].map(async (altered) => {
      const { old, new: now } = await startPair(t, { new: { altered } })
      const { findings } = await findDifferences(old, now, { specification, runs: 1, seed: 1 })
      return findings.map(({ id }) => id)
    }),
  )
  t.strictSame([alone?.length, logins?.length], [1, 1])
  t.strictSame(both?.toSorted(), [...(alone ?? []), ...(logins ?? [])].sort())
})

t.test('a header that names the user of each request is one change', async (t) => {
  const specification = withCases(
    '4.1/password-grant',
    '4.1/unknown-user',
    '4.1/empty-username',
    '4.1/user-name-alone',
  )
  for (const spelled of [encodeURIComponent, (name: string) => Buffer.from(name).toString('base64')]) {
    const [ids, again] = await Promise.all(
      [1, 2].map(async (seed) => {
        const options = { specification, runs: 20, seed }
        const { findings } = await compareEmbedded(asSpecified, () => naming(spelled), options)
        return findings.map(({ id }) => id)
      }),
    )
    t.equal(ids?.length, 1)
    t.strictSame(again, ids, 'the same with another seed')
  }
})

t.test('a change has its id beside another one of the same answers', async (t) => {
  const specification = withCases(
    '4.1/password-grant',
    '4.1/wrong-password',
    '4.1/other-media-type',
    '4.1/unknown-grant-type',
  )
  const adding =
    (...added: readonly ('Vary' | 'WWW-Authenticate')[]) =>
    (): Partial<Behaviour> => ({
      deliver: (answer) => {
        const isGrant = Buffer.from(answer.body).toString().includes('unsupported_grant_type')
        const own = added.filter((name) => answer.status >= 400 && (name === 'Vary' || isGrant))
        const headers = [...answer.headers, ...own.map((name) => [name, 'Bearer'] as const)]
        return { kind: 'answer', answer: { ...answer, headers } }
      },
    })
  const [vary, authenticate, both] = await Promise.all(
    [adding('Vary'), adding('WWW-Authenticate'), adding('Vary', 'WWW-Authenticate')].map(async (now) => {
      const { findings } = await compareEmbedded(asSpecified, now, { specification, runs: 20 })
      return findings.map(({ id }) => id)
    }),
  )
  t.equal(both?.length, 2)
  t.strictSame([...(both ?? [])].sort(), [...(vary ?? []), ...(authenticate ?? [])].sort())
})

t.test(
  'an id is the same whatever accounts the target declares, and whether it registers others',
  async (t) => {
    const specification = withCases('4.1/password-grant', '4.1/unknown-user', '8/accepted-account')
    const [ann, bob] = ACCOUNTS
    const declared = [
      { accounts: [ann] },
      { accounts: [bob] },
      { accounts: ACCOUNTS, registration: { request: REGISTRATION_REQUEST } },
    ]
    for (const altered of [
      naming(encodeURIComponent),
      member('scope', 'api'),
      { expiresIn: (seconds: number) => String(seconds - 1) },
    ]) {
      const found = await Promise.all(
        declared.map(async (declares) => {
          const { old, new: now } = await startPair(t, { new: { altered }, declares: declares as never })
          const { findings } = await findDifferences(old, now, {
            runs: 10,
            seed: 1,
            specification,
          })
          return findings.map(({ id }) => id)
        }),
      )
      t.equal(found[0]?.length, 1)
      t.strictSame(
        found,
        Array.from(declared, () => found[0]),
      )
    }
  },
)

t.test('what is silent and what breaks a rule have no id in common', async (t) => {
  const lifetime = (seconds: number) => ({ expiresIn: () => seconds })
  const ids = await Promise.all(
    [1209600, 1209599, 1209598, 1209601].map((seconds) => idsOf(LOGIN, lifetime(seconds))),
  )
  t.equal(ids[1]?.length, 0, 'as specified')
  t.equal(ids[0]?.length, 1)
  t.notOk([...(ids[2] ?? []), ...(ids[3] ?? [])].includes(ids[0]?.[0] ?? ''))
})
