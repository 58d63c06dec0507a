import t from 'tap'
import type { Behaviour, LoginAttempt } from '../../../../reference/behaviour.js'
import { type Grant, imfFixdate, tokenMembers } from '../../../../reference/token-response.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import type { Json } from '../../../../spec/model/json.js'
import { type PairProbe, PLAIN, PLAIN_FORM, probeOf } from '../../../drivers/pair/probe.js'
import { findDifferences } from '../find-differences.js'
import { startPair } from '../fixtures/pair.js'

const LOGIN = probeOf('', [{ send: PLAIN }])
const WEAK = probeOf('', [{ register: { password: 'x' } }])
const SHORT = probeOf('', [{ register: { password: 'Abc1!x' } }])
const otherCase = probeOf('', [
  { name: 'first', register: {} },
  { register: { userName: '$second.userName', email: '$upperFresh.email', password: '$second.password' } },
])

const WRONG = probeOf('', [{ send: { form: { ...Object.fromEntries(PLAIN_FORM), password: 'wrong' } } }])
const NO_GRANT_TYPE = probeOf('', [{ send: { form: PLAIN_FORM.slice(1) } }])

const withExpires = (hoursLater: number): Behaviour['tokenMembers'] => {
  const later = ({ expires }: Grant): string => imfFixdate(Date.parse(expires) + hoursLater * 3_600_000)
  return (grant) => tokenMembers({ ...grant, expires: later(grant) })
}
const jwt = { newAccessToken: () => `eyJh.${'x'.repeat(100)}.${Math.random().toString(36).slice(2)}` }
const ofSeven: Partial<Behaviour> = { policyInForce: (policy) => ({ ...policy, minimumLength: 7 }) }
const one = (errors: readonly string[]) => ({ errors: errors.slice(0, 1) })
const joined = (errors: readonly string[]) => ({ errors: [errors.join(' ')] })

/** What a reader sees first. */
const TITLES: readonly (readonly [what: string, own: PairProbe, now: Partial<Behaviour>, title: RegExp])[] = [
  [
    'dates as they were sent',
    LOGIN,
    { formatDate: (ms) => new Date(ms).toISOString() },
    /^times differ: `\/\.issued`: new \d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z, old [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT; /,
  ],
  [
    'a media type as it is spelled',
    LOGIN,
    { successMediaType: () => 'application/json' },
    /^`Content-Type`: new `application\/json`, old `application\/json;charset=UTF-8`$/,
  ],
  ['kinds of tokens', LOGIN, jwt, /^new tokens are JSON Web Tokens, and longer$/],
  [
    'whose address it is',
    otherCase,
    { emailKey: (email) => email },
    /^registration with an address already taken, in another letter case: new registers the account/,
  ],
  [
    'what new leaves out',
    WEAK,
    { rejectedBody: one },
    /^registration with `password` "x": old says "[^"]+", .*; new omits them$/,
  ],
  [
    'that new sends in one text what were several messages',
    WEAK,
    { rejectedBody: joined },
    /^registration with `password` "x": `length \/errors`: new 1 item, old 4 items/,
  ],
  [
    'why new refuses',
    SHORT,
    ofSeven,
    /^registration with a 6-character `password`: new refuses \(400: "[^"]+ 7 characters\."\), old registers the account \(201\)$/,
  ],
]

for (const [what, own, altered, title] of TITLES)
  t.test(`a title says ${what}`, async (t) => {
    const { old, new: now } = await startPair(t, {
      old: { altered: { emailKey: (email) => email.toLowerCase() } },
      new: { altered: { emailKey: (email) => email.toLowerCase(), ...altered } },
    })
    const { findings } = await findDifferences(old, now, { replay: own })
    t.match(findings[0]?.title, title)
    t.equal(findings.length, 1)
    if (own === LOGIN && what.startsWith('a media type')) t.equal(findings[0]?.hurts, 'answers')
  })

const whole = loadSpecification()
const policy = whole.cases.filter(({ id }) => /^8\/(?:minimum-length|each-)/.test(id))

t.test('of several rules that a request is for, the one that all requests of the cause break', async (t) => {
  const { old, new: now } = await startPair(t, { new: { altered: ofSeven } })
  const specification = { ...whole, cases: policy, observations: [] }
  const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
  t.match(findings, [{ rules: ['8-minimum-length'], request: /6-character/, hurts: 'registration' }])
  t.equal(findings.length, 1)
})

t.test('a password that is shorter than the minimum is named by its length', async (t) => {
  const ofFive: Partial<Behaviour> = { policyInForce: (policy) => ({ ...policy, minimumLength: 5 }) }
  const { old, new: now } = await startPair(t, { new: { altered: ofFive } })
  const tooShort = whole.cases.filter(({ id }) => id === '8/too-short')
  const specification = { ...whole, cases: tooShort, observations: [] }
  const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
  t.match(findings, [{ rules: ['8-minimum-length'], request: /5-character/ }])
  t.equal(findings.length, 1)
})

t.test('one decision is one finding: the first reason alone', async (t) => {
  const { old, new: now } = await startPair(t, { new: { altered: { rejectedBody: one } } })
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => /^7\/.*reason/.test(id)) }
  const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
  t.equal(findings.length, 1, findings.map(({ title }) => title).join('\n'))
})

t.test('a message that changes breaks the rule on that message too', async (t) => {
  const rejectedBody = (errors: readonly string[]) => ({
    errors: errors.map((error) => (error.includes('digit (') ? 'Passwords need a digit.' : error)),
  })
  const { old, new: now } = await startPair(t, { new: { altered: { rejectedBody } } })
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => id.startsWith('7/')) }
  const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
  t.match(findings, [{ class: 'breaks', rules: ['7-one-per-violation', '7-digit-message'] }])
  t.equal(findings.length, 1)
})

/** By the answer to one login. */
const HURT: readonly (readonly [what: string, own: PairProbe, now: Partial<Behaviour>, hurts: string])[] = [
  ['a date two hours late', LOGIN, { tokenMembers: withExpires(2) }, 'answers'],
  ['a date two hours early', LOGIN, { tokenMembers: withExpires(-2) }, 'answers'],
  ['dates that no client can read', LOGIN, { formatDate: (ms) => new Date(ms).toISOString() }, 'sign-in'],
  ['a wrong password', WRONG, { signIn: ({ account }) => account }, 'users'],
  ['a parameter that need not be there', NO_GRANT_TYPE, { allowsNoGrantType: () => true }, 'none'],
]

for (const [what, own, altered, hurts] of HURT)
  t.test(`who is hurt: ${what}`, async (t) => {
    const { old, new: now } = await startPair(t, { new: { altered } })
    const { findings } = await findDifferences(old, now, { replay: own })
    t.equal(findings[0]?.hurts, hurts)
    t.equal(findings.length, 1)
  })

const REGISTERED = /^8\/(?:account-with-any-user-name|user-name-beyond-ascii|password-of-any)/
const isNew = ({ account }: LoginAttempt): boolean => account?.email !== undefined

/** What a service does to new accounts alone, and what each finding says of it. */
const OF_NEW: readonly (readonly [what: string, now: Partial<Behaviour>, rules: string, title: RegExp])[] = [
  [
    'a capital',
    {
      signIn: (login) =>
        login.matches && !(isNew(login) && /[A-Z]/.test(login.userName ?? '')) ? login.account : undefined,
    },
    '8-R1',
    /^account registered with `userName` with "[A-Z]" [a-z ]+: new refuses \(400\), old grants a token \(200\)$/,
  ],
  [
    'letters beyond ASCII',
    {
      signIn: (login) =>
        login.matches && !(isNew(login) && /[^ -~]/.test(login.userName ?? '')) ? login.account : undefined,
    },
    '8-R1',
    /^account registered with `userName` with "Ż" [a-z \d]+: new refuses \(400\), old grants a token \(200\)$/,
  ],
  [
    'a password beyond ASCII',
    {
      signIn: (login) => (login.matches && !/[^ -~]/.test(login.password ?? '') ? login.account : undefined),
    },
    '8-R1',
    /^a `password` with letters beyond ASCII: new refuses/,
  ],
]

for (const [what, altered, rules, title] of OF_NEW)
  t.test(
    `a new account that cannot log in for ${what} breaks the rule that run names, and is one finding`,
    async (t) => {
      const { old, new: now } = await startPair(t, { new: { altered } })
      const cases = whole.cases.filter(
        ({ id, invariant }) => invariant || REGISTERED.test(id) || /^4\.1\/(?:form|content)/.test(id),
      )
      const specification = { ...whole, cases, observations: [] }
      const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
      t.strictSame(
        findings.map((one) => one.rules.join()),
        [rules],
        findings.map((one) => one.title).join('\n'),
      )
      t.match(findings[0]?.title, title)
    },
  )

t.test('another declared account is named as one', async (t) => {
  const lower = (name: string, value: Json): Json =>
    name === 'userName' ? String(value).toLowerCase() : value
  const altered: Partial<Behaviour> = {
    tokenMembers: (grant) => tokenMembers(grant).map(([name, value]) => [name, lower(name, value)]),
  }
  const { old, new: now } = await startPair(t, { new: { altered } })
  const cases = whole.cases.filter(({ id, invariant }) => invariant || /^4\.1\/form-encoding/.test(id))
  const specification = { ...whole, cases, observations: [] }
  const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
  t.strictSame(
    findings.map((one) => one.title),
    ['login of another account: `/userName`: new "bob", old "Bob"'],
  )
})
