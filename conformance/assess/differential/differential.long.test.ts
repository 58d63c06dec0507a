import t, { type Test } from 'tap'
import { findMutant, findVariant } from '../../../prove/jobs/selection.js'
import { type Behaviour, specifiedBehaviour } from '../../../reference/behaviour.js'
import type { Answer } from '../../../reference/http/answer.js'
import { isMediaType } from '../../../reference/http/media-type.js'
import { tokenMembers, wholeSeconds } from '../../../reference/token-response.js'
import type { Differential } from '../../../spec/generated/types/differential.js'
import { everyNth, seeds } from '../../../tests/fixtures/effort.js'
import { asSpecified, compareEmbedded } from './fixtures/embedded-pair.js'

const SEEDS = seeds(1)
/** Few made-up requests: what single requests and the cases show. */
const FEW = { seed: 1, runs: 5 }

const briefly = ({ findings }: Differential): readonly string[] =>
  findings.map(
    ({ class: own, rules, observation = '', title }) => `${own} ${rules.join() || observation}: ${title}`,
  )

const nothing = { verdict: 'same', findings: [], flaky: [], inconclusive: [] }

t.test('a service does not differ from itself', async (t) => {
  for (const seed of SEEDS)
    for (const runs of SEEDS.length === 1 ? [5] : [5, 20, 100])
      t.match(await compareEmbedded(asSpecified, asSpecified, { seed, runs }), nothing, `${seed}, ${runs}`)
})

/** Servers that differ visibly and conform: one finding each, with what a run observes of it. */
const VARIANTS: Readonly<Record<string, string>> = {
  'other-member-order': '2.1/extra-members',
  'extra-members': '2.1/extra-members',
  jwt: '2.1/token-format',
  'token-of-4-kb': '2.1/token-format',
  'token-per-account': '2.1/token-format',
  'expires-in-as-the-lifetime': '2.1/extra-members',
  'further-headers': '2.1/success-headers',
  'wrong-credentials-by-401': '7/other-errors',
  'wrong-credentials-by-html': '7/other-errors',
  'wrong-credentials-by-redirect': '7/other-errors',
  'other-methods-by-404': '4.1/get',
  'closes-on-other-methods': '4.1/get',
  'trimming-user-names': '4.1/user-name-with-space',
  'path-in-any-case': '4.1/lower-case-path',
  'success-by-201': '2.1/success-status',
  'success-as-text-json': '2.1/success-status',
  'messages-as-text': '7/several-messages',
  'rejected-by-422': '7/several-messages',
  'plain-e-mail': '8/email-in-other-case',
}

/** Servers that are wrong: one finding each, with a rule that they break. */
const MUTANTS = [
  'any-media-type',
  'any-method',
  'charset-refused',
  'capital-bearer',
  'digits-not-required',
  'duplicate-member',
  'error-by-401',
  'error-with-description',
  'every-grant-type',
  'fifteen-days',
  'grant-type-up-to-nul',
  'identifier-for-user-name',
  'iso-dates',
  'json-accepted',
  'lower-case-user-name',
  'minimum-length-of-7',
  'no-callback-by-403',
  'no-grant-type-needed',
  'no-issued',
  'password-of-8-characters',
  'unknown-user-let-in',
]

// Each is two servers and more than a thousand requests: a few of them where a change lands.
for (const [id, observation] of everyNth(Object.entries(VARIANTS), 24))
  t.test(`the variant ${id}`, async (t) => {
    const report = await compareEmbedded(asSpecified, findVariant(id).behaviour, FEW)
    t.equal(report.findings.length, 1, briefly(report).join('\n'))
    t.match(report.findings, [{ class: 'silent', observation }])
  })

for (const id of everyNth(MUTANTS, 24))
  t.test(`the mutant ${id}`, async (t) => {
    const { behaviour, violates } = findMutant(id)
    const report = await compareEmbedded(asSpecified, behaviour, FEW)
    t.equal(report.findings.length, 1, briefly(report).join('\n'))
    const [first] = report.findings
    t.equal(first?.class, 'breaks')
    t.ok(
      first?.rules.some((rule) => violates.includes(rule)),
      first?.rules.join() ?? 'no finding',
    )
  })

t.test('a name that the old service changes is no noise, though each request has another', async (t) => {
  const { behaviour } = findMutant('user-name-without-markup')
  const { noise, findings } = await compareEmbedded(behaviour, asSpecified, FEW)
  t.strictSame(noise, [])
  t.match(findings, [{ class: 'mends', rules: ['2.1-userName'], title: /old "‹userName›, without '\\"&"$/ }])
})

type Expected = readonly RegExp[]

/** Two causes at once, also in the same part of an answer. */
const PAIRS: readonly (readonly [Partial<Behaviour>, Expected])[] = [
  [
    { ...findVariant('trimming-user-names').behaviour(), ...findMutant('get-allowed').behaviour() },
    [/^breaks 4\.1-method/, /^silent 4\.1\/user-name-with-space/],
  ],
  [
    { ...findVariant('path-in-any-case').behaviour(), ...findMutant('any-media-type').behaviour() },
    [/^breaks 4\.1-content-type/, /^silent 4\.1\/lower-case-path/],
  ],
  [
    { ...findVariant('success-by-201').behaviour(), ...findVariant('rejected-by-422').behaviour() },
    [/^silent 2\.1\/success-status/, /^silent 7\//],
  ],
  [
    { ...findMutant('fifteen-days').behaviour(), ...findMutant('capital-bearer').behaviour() },
    [/^breaks 2\.1-R2|^breaks 2\.1-expires_in|^breaks 8-R3/, /^breaks 2\.1-token_type/],
  ],
  [
    // Other refusals follow from the first, and not from the second.
    { ...findMutant('any-media-type').behaviour(), ...findVariant('wrong-credentials-by-401').behaviour() },
    [/^breaks 4\.1-content-type/, /^silent 7\/other-errors/],
  ],
]

function hasAll(t: Test, report: Differential, expected: Expected): void {
  const found = briefly(report)
  t.equal(found.length, expected.length, found.join('\n'))
  for (const one of expected)
    t.ok(
      found.some((own) => one.test(own)),
      `${one}: ${found.join('\n')}`,
    )
}

t.test('two differences at once are two findings', async (t) => {
  for (const [behaviour, expected] of everyNth(PAIRS, 5))
    hasAll(t, await compareEmbedded(asSpecified, () => behaviour, FEW), expected)
})

t.test('who may log in and who may register are two directions', async (t) => {
  const folding = findVariant('case-folding-user-names').behaviour
  hasAll(t, await compareEmbedded(asSpecified, folding, FEW), [
    /^silent 4\.1\/user-name-in-upper-case: .*new grants/,
    /^silent 8\/user-name-in-other-case: .*new refuses/,
  ])
})

const FORM = 'application/x-www-form-urlencoded'

/** Two causes in one place of a request, each of which lets more requests in: what new lets in, and what it refuses from now on. */
const IN_ONE_PLACE: Readonly<Record<string, readonly [Partial<Behaviour>, Expected]>> = {
  'user names trimmed, and their letter case ignored': [
    { userNameKey: (userName) => userName.trim().toLowerCase() },
    [
      /^silent 4\.1\/user-name-with-space/,
      /^silent 4\.1\/user-name-in-upper-case/,
      // What logs in may not be registered twice: the other direction.
      /^silent 8\/user-name-in-other-case/,
    ],
  ],
  'two further grant types': [
    {
      supportsGrantType: (grantType) =>
        ['password', 'refresh_token', 'client_credentials'].includes(grantType),
    },
    [
      /4\.1-grant_type: `grant_type` "refresh_token": /,
      /4\.1-grant_type: `grant_type` "client_credentials": /,
    ],
  ],
  'a grant type trimmed, and its letter case ignored': [
    { supportsGrantType: (grantType) => grantType.trim().toLowerCase() === 'password' },
    [
      /4\.1-grant_type: `grant_type` surrounded by spaces: /,
      /4\.1-grant_type: `grant_type` in different letter case: /,
    ],
  ],
  'two further media types': [
    {
      acceptsMediaType: (contentType) =>
        [FORM, 'text/plain', 'application/json'].some((own) => isMediaType(contentType, own)),
    },
    [
      /4\.1-content-type: `Content-Type: text\/plain`: /,
      /4\.1-content-type: `Content-Type: application\/json`: /,
    ],
  ],
  'two requirements of the password policy': [
    { policyInForce: (policy) => ({ ...policy, requireDigit: false, requireUppercase: false }) },
    [/8-require-digit: .*"Abcdef!x"\): /, /8-require-uppercase: .*"abcdef1!"\): /],
  ],
}

/** Also compared the other way around, where a change lands. */
const TURNED = everyNth(Object.keys(IN_ONE_PLACE), 4)

for (const [both, [behaviour, expected]] of everyNth(Object.entries(IN_ONE_PLACE), 5))
  t.test(`a finding each: ${both}`, async (t) => {
    const more = await compareEmbedded(asSpecified, () => behaviour, FEW)
    hasAll(t, more, expected)
    if (!TURNED.includes(both)) return
    const less = await compareEmbedded(() => behaviour, asSpecified, FEW)
    hasAll(t, less, expected)
    t.strictSame(
      less.findings.map(({ request }) => request).sort(),
      more.findings.map(({ request }) => request).sort(),
    )
  })

const HOUR_MS = 3_600_000

/** What differs by chance, on both sides alike, and what must differ. */
const NOISE: Readonly<
  Record<string, readonly [old: () => Partial<Behaviour>, now?: () => Partial<Behaviour>]>
> = {
  'members in random order': [() => ({ tokenMembers: (grant) => shuffled(tokenMembers(grant)) })],
  'headers in random order': [
    () => ({ deliver: (answer) => ({ kind: 'answer', answer: withShuffledHeaders(answer) }) }),
  ],
  'two versions behind one address': [
    () => {
      const [adds, creates, rejects] = [balancer(), balancer(), balancer()]
      return {
        tokenMembers: (grant) => [...tokenMembers(grant), ...(adds() ? [['version', 2] as const] : [])],
        successStatus: () => (creates() ? 201 : 200),
        errorStatus: (refusal) => (rejects() ? 422 : specifiedBehaviour.errorStatus(refusal)),
      }
    },
  ],
  'clocks an hour apart': [
    asSpecified,
    () => ({
      dateHeader: (nowMs) => specifiedBehaviour.dateHeader(nowMs + HOUR_MS),
      issuedAt: (nowMs) => wholeSeconds(nowMs + HOUR_MS),
    }),
  ],
  'tokens of random length': [
    () => ({
      newAccessToken: (bearer) =>
        specifiedBehaviour
          .newAccessToken(bearer)
          .repeat(9)
          .slice(0, 16 + Math.floor(Math.random() * 300)),
    }),
  ],
}

for (const [noise, [old, now = old]] of everyNth(Object.entries(NOISE), 5))
  t.test(`no finding: ${noise}`, async (t) => {
    for (const seed of SEEDS) {
      const report = await compareEmbedded(old, now, { ...FEW, seed })
      t.strictSame(briefly(report), [], `seed ${seed}`)
    }
  })

t.test('a difference in one class of inputs in a hundred is found at defaults', async (t) => {
  for (const seed of SEEDS) {
    let [asked, hit] = [0, 0]
    const planted = (): Partial<Behaviour> => ({
      supportsGrantType: (grantType) => {
        asked++
        const isPlanted = isOneInAHundred(grantType)
        if (isPlanted) hit++
        return grantType === 'password' || isPlanted
      },
    })
    const report = await compareEmbedded(asSpecified, planted, { seed })
    const found = briefly(report)
    t.ok(found.length > 0, `seed ${seed}: ${hit} of ${asked}`)
    t.ok(
      found.every((one) => one.startsWith('breaks 4.1-grant_type')),
      found.join('\n'),
    )
  }
})

/** By a hash of the text that has nothing to do with how it is made: of every hundred texts one. */
function isOneInAHundred(text: string): boolean {
  let hash = 5381
  for (const unit of text) hash = (hash * 33 + (unit.codePointAt(0) ?? 0)) % 1_000_003
  return text !== 'password' && hash % 100 === 7
}

/**
 * Whether the other of two versions answers: by chance, and none more than three times in a row. Where chance alone decides, each
 * side may stay with one for the six answers by which a difference is confirmed, once in a few thousand.
 */
function balancer(): () => boolean {
  let [last, times] = [false, 0]
  return () => {
    const isOther = times < 3 ? Math.random() < 0.5 : !last
    times = isOther === last ? times + 1 : 1
    last = isOther
    return isOther
  }
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)
}

function withShuffledHeaders(answer: Answer): Answer {
  return { ...answer, headers: shuffled(answer.headers) }
}
