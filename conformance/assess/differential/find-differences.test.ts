import t, { type Test } from 'tap'
import { findMutant, findVariant } from '../../../prove/jobs/selection.js'
import { type Behaviour, specifiedBehaviour } from '../../../reference/behaviour.js'
import type { Answer } from '../../../reference/http/answer.js'
import { tokenMembers } from '../../../reference/token-response.js'
import type { Differential } from '../../../spec/generated/types/differential.js'
import { differential as isDifferential } from '../../../spec/generated/validators/differential.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { seeds } from '../../../tests/fixtures/effort.js'
import { serve } from '../../../tests/fixtures/serve.js'
import { PLAIN, PLAIN_FORM, probeOf } from '../../drivers/pair/probe.js'
import { resolveTarget } from '../../target/target.js'
import { type DifferentialOptions, findDifferences } from './find-differences.js'
import { asSpecified, compareEmbedded } from './fixtures/embedded-pair.js'
import { ACCOUNTS, LOGINS_ALONE, REGISTRATION, startPair } from './fixtures/pair.js'

const whole = loadSpecification()
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
/** Few made-up requests, and the cases of section 4.1 alone. All of them: `differential.long.test.ts`. */
const FEW = {
  seed: 1,
  runs: 1,
  specification: {
    ...whole,
    cases: whole.cases.filter(
      ({ id, forall, invariant }) => invariant || (/^[124]/.test(id) && forall === undefined),
    ),
    observations: whole.observations.filter(({ section }) => section === '4.1'),
  },
}
/** The plain login alone. */
const LOGIN = { ...FEW, replay: probeOf('', [{ send: PLAIN }]) }

const briefly = ({ findings }: Differential) =>
  findings.map(
    ({ class: own, rules, observation = '', title }) => `${own} ${rules.join() || observation}: ${title}`,
  )

/** What a mutant of the reference server differs in. */
async function findingsOf(t: Test, id: string, options: DifferentialOptions) {
  const { old, new: now } = await startPair(t, { new: { altered: findMutant(id).behaviour() } })
  return (await findDifferences(old, now, options)).findings
}

t.test(
  'a service does not differ from itself, and the report keeps its schema and its secrets',
  async (t) => {
    const { old, new: now } = await startPair(t)
    const report = await findDifferences(old, now, FEW)
    t.strictSame(briefly(report), [])
    t.strictSame(
      {
        verdict: report.verdict,
        noise: report.noise,
        flaky: report.flaky,
        inconclusive: report.inconclusive,
      },
      {
        verdict: 'same',
        noise: [],
        flaky: [],
        inconclusive: [],
      },
    )
    t.ok(report.asked > 150, `${report.asked} requests`)
    t.ok(isDifferential(report), JSON.stringify(isDifferential.errors?.[0]))
  },
)

t.test('differences with two causes are two findings, each as small as it can be', async (t) => {
  const { old, new: now } = await startPair(t, {
    new: {
      altered: {
        tokenType: () => 'Bearer',
        userNameKey: (userName) => userName.trim(),
      },
    },
  })
  const report = await findDifferences(old, now, FEW)
  t.strictSame(briefly(report), [
    'breaks 2.1-token_type: `/token_type`: new "Bearer", old "bearer"',
    'silent 4.1/user-name-with-space: `username` surrounded by spaces: new grants a token (200), old refuses (400)',
  ])
  const [type, name] = report.findings
  t.equal(type?.request, 'plain login')
  t.ok((type?.behind ?? 0) > 30)
  t.equal(name?.request, '`username` surrounded by spaces')
  t.match(name?.differences, [{ at: 'outcome', old: 'refused', new: 'granted' }], 'in plain words')
  t.ok(isDifferential(report), JSON.stringify(isDifferential.errors?.[0]))
  const text = JSON.stringify(report)
  for (const { password } of ACCOUNTS) t.notMatch(text, password)
  t.match(text, 'TOKEN_ASSAY_PASSWORD')
})

t.test('a token that one side alone grants is judged by all rules that its usual ones keep', async (t) => {
  const lenient: Partial<Behaviour> = { userNameKey: (userName) => userName.toLowerCase() }
  const naming = (kind: string): Partial<Behaviour> => ({
    ...lenient,
    deliver: (answer, { body }) => {
      const isOther = /username=(?!ann|Bob)/.test(Buffer.from(body).toString())
      const text = Buffer.from(answer.body).toString()
      return { kind: 'answer', answer: { ...answer, body: isOther ? text.replace('"bearer"', kind) : text } }
    },
  })
  const found = async (altered: Partial<Behaviour>) => {
    const { old, new: now } = await startPair(t, { declares: LOGINS_ALONE, new: { altered } })
    const { findings } = await findDifferences(old, now, FEW)
    return findings.filter(({ title }) => title.startsWith('`username` in different letter case'))
  }
  const [right, wrong] = [await found(lenient), await found(naming('"Bearer"'))]
  t.match(right, [{ class: 'silent' }])
  t.match(wrong, [{ class: 'breaks', rules: ['2.1-token_type'] }])
  t.not(right[0]?.id, wrong[0]?.id)
  const always: Partial<Behaviour> = { ...lenient, tokenType: () => 'Bearer' }
  t.match(await found(always), [{ class: 'silent' }], 'where all tokens are so, that is a finding of its own')
})

t.test('passwords in any letter case are one finding, of long ones too', async (t) => {
  const cases = ['4.1/wrong-password', '8/password-of-any-characters']
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => cases.includes(id)) }
  const altered = findMutant('password-without-case').behaviour()
  const { old, new: now } = await startPair(t, { new: { altered } })
  const report = await findDifferences(old, now, { ...FEW, specification, runs: 30 })
  t.strictSame(
    report.findings.map(({ title }) => title),
    ['`password` in different letter case: new grants a token (200), old refuses (400)'],
  )
})

t.test('a password that is a word of either base URL leaves the commands whole', async (t) => {
  for (const password of ['contoso', 'northwind', 'contoso-accounts-2026!']) {
    const accounts = [{ userName: 'ann', password }]
    const { old, new: now } = await startPair(t, {
      old: { accounts, basePath: '/contoso-accounts' },
      new: { accounts, basePath: '/northwind', altered: { tokenType: () => 'Bearer' } },
      declares: { accounts },
    })
    const report = await findDifferences(old, now, { ...FEW, runs: 1 })
    const [finding] = report.findings
    const text = JSON.stringify(finding)
    t.match(text, '/contoso-accounts/Token', password)
    t.match(text, '/northwind/Token', password)
    t.notMatch(text, '‹password of ann›s', password)
  }
})

t.test('no near miss of a long password is shown, however a service echoes it', async (t) => {
  const password = `Ann-${Array.from({ length: 12 }, (_, index) => index * 1_234_567 + 89).join('-')}`
  const accounts = [{ userName: 'ann', password }]
  const altered: Partial<Behaviour> = {
    passwordAsHashed: (text) => text.slice(0, 72),
    deliver: (answer, { body }) => ({
      kind: 'answer',
      answer: { ...answer, headers: [...answer.headers, ['X-Echo', body.toString()]] },
    }),
  }
  const { old, new: now } = await startPair(t, {
    old: { accounts },
    new: { accounts, altered },
    declares: { accounts, maxFailedLogins: 100 },
  })
  const report = await findDifferences(old, now, FEW)
  t.ok(report.findings.some(({ rules }) => rules.includes('4.1-credentials')))
  const text = JSON.stringify(report)
  const pieces = Array.from({ length: password.length - 20 }, (_, at) => password.slice(at, at + 20))
  t.strictSame(
    pieces.filter((piece) => text.includes(piece)),
    [],
  )
})

t.test('where few logins may fail, the nearest misses of a password go first', async (t) => {
  const near = whole.cases.filter(({ id }) => id === '4.1/wrong-password')
  const specification = { ...FEW.specification, cases: [...FEW.specification.cases, ...near] }
  const hashes = [(text: string) => text.slice(0, 8), (text: string) => text.toLowerCase()]
  for (const passwordAsHashed of hashes) {
    const { old, new: now } = await startPair(t, { declares: {}, new: { altered: { passwordAsHashed } } })
    const { findings } = await findDifferences(old, now, { ...FEW, specification })
    t.match(findings, [{ class: 'breaks', rules: ['4.1-credentials'] }])
  }
})

t.test('where few logins may fail, a login without a password is tried, too', async (t) => {
  const near = whole.cases.filter(({ id }) => /^4.1\/(?:wrong-password|unknown-user)$/.test(id))
  const specification = { ...FEW.specification, cases: [...FEW.specification.cases, ...near] }
  // That both refuse in other words takes failed logins, too.
  const errorBody = () => ({ error: 'invalid_grant' })
  for (const id of ['no-password-needed', 'empty-password-let-in', 'password-by-operator']) {
    const altered = { ...findMutant(id).behaviour(), errorBody }
    const { old, new: now } = await startPair(t, { declares: {}, new: { altered } })
    const { findings } = await findDifferences(old, now, { ...FEW, specification })
    t.match(findings[0], { class: 'breaks', rules: ['4.1-password'], hurts: 'users' }, id)
    t.match(
      findings.map(({ rules }) => rules.join()),
      ['4.1-password', /7/],
      id,
    )
  }
})

t.test('the near misses of a password are of the one that is asked with', async (t) => {
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => id === '4.1/wrong-password') }
  // The password of a new account ends with a letter, those of the declared ones with another, or with a digit.
  const passwordAsHashed = (text: string) => text.slice(0, -1) + text.slice(-1).toLowerCase()
  const accounts = ['Secret-1', 'Secret-2B'].map((password, at) => ({ userName: `ann${at}`, password }))
  for (const registration of [{ registration: REGISTRATION }, {}]) {
    const { old, new: now } = await startPair(t, {
      old: { accounts },
      new: { accounts, altered: { passwordAsHashed } },
      declares: { accounts, ...registration } as never,
    })
    const { findings } = await findDifferences(old, now, { ...FEW, specification })
    t.match(findings, [{ class: 'breaks', rules: ['4.1-credentials'], hurts: 'users' }])
  }
})

t.test(
  'where the sides have other passwords, what misses the one is no right password of the other',
  async (t) => {
    const specification = { ...whole, cases: whole.cases.filter(({ id }) => id === '4.1/wrong-password') }
    const sideOf = (password: string) => {
      const accounts = [{ userName: 'ann', password }]
      return startPair(t, { old: { accounts }, new: { accounts }, declares: { accounts } as never })
    }
    const [{ old }, { new: now }] = await Promise.all([sideOf('Secret-1-Secret-X'), sideOf('Short-11')])
    for (const [one, other] of [
      [old, now],
      [now, old],
    ] as const)
      t.strictSame(briefly(await findDifferences(one, other, { ...FEW, specification })), [])
  },
)

t.test('a token for a form without `grant_type` is a break, whatever else it holds', async (t) => {
  const { old, new: now } = await startPair(t, { new: { altered: { allowsNoGrantType: () => true } } })
  const form = [...PLAIN_FORM.filter(([name]) => name !== 'grant_type'), ['client_id', 'web']] as const
  const replay = probeOf('a recorded one', [{ send: { form } }])
  const { findings } = await findDifferences(old, now, { ...FEW, replay })
  t.match(findings, [{ class: 'breaks', rules: ['4.1-R2'] }])
})

t.test('a form after a byte order mark is no form with a `grant_type`', async (t) => {
  const isMarked = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 3)).equals(BYTE_ORDER_MARK)
  const altered: Partial<Behaviour> = {
    parseForm: (bytes) => specifiedBehaviour.parseForm(isMarked(bytes) ? bytes.subarray(3) : bytes),
  }
  const { old, new: now } = await startPair(t, { declares: LOGINS_ALONE, new: { altered } })
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => id === '4.1/form-encoding') }
  t.strictSame(briefly(await findDifferences(old, now, { ...FEW, specification })), [
    'silent 7/other-errors: a BOM before the form: new grants a token (200), old refuses (400)',
  ])
})

t.test('a second sign-in through a provider is compared, too', async (t) => {
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => id === '4.2/external-login') }
  const second = (): Partial<Behaviour> => {
    let count = 0
    return {
      signInExternally: (linked) =>
        linked && (++count === 1 ? linked : { userName: 'throwaway', userId: linked.userId }),
    }
  }
  const { findings } = await compareEmbedded(asSpecified, second, { ...FEW, specification })
  t.match(findings, [{ class: 'breaks', rules: ['4.2-external-login'] }])
})

t.test('of an account that is alone, the password of another is no probe', async (t) => {
  const accounts = ACCOUNTS.slice(0, 1)
  const altered = findMutant('empty-password-let-in').behaviour()
  const { old, new: now } = await startPair(t, {
    declares: { accounts } as never,
    old: { accounts },
    new: { accounts, altered },
  })
  t.strictSame(briefly(await findDifferences(old, now, { seed: 1, runs: 10 })), [
    'breaks 4.1-password: empty `password`: new grants a token (200), old refuses (400)',
  ])
})

t.test('a number with a fraction of zero is another type', async (t) => {
  const altered = findMutant('expires-in-with-fraction').behaviour()
  const { old, new: now } = await startPair(t, { new: { altered } })
  t.strictSame(briefly(await findDifferences(old, now, LOGIN)), [
    'breaks 2.1-expires_in: times differ: `/expires_in`: new a number with a fraction or an exponent, old an integer',
  ])
})

t.test('a rule that the old service broke and the new one keeps is a fix', async (t) => {
  const { old, new: now } = await startPair(t, {
    declares: LOGINS_ALONE,
    old: { altered: { allowsNoGrantType: () => true } },
  })
  const [finding] = (await findDifferences(old, now, FEW)).findings
  t.match(finding, { class: 'mends', request: 'no `grant_type`' })
  t.ok(finding?.rules.includes('4.1-R2'), `${finding?.rules}`)
})

t.test(
  'noise is measured: two versions behind one address, and members in any order, are no finding',
  async (t) => {
    let count = 0
    const altered = {
      tokenMembers: (grant: Parameters<typeof tokenMembers>[0]) => {
        const members = tokenMembers(grant)
        return ++count % 2 === 0 ? members.toReversed() : [['version', 1] as const, ...members]
      },
    }
    const { old, new: now } = await startPair(t, { old: { altered }, new: { altered } })
    const report = await findDifferences(old, now, FEW)
    t.strictSame(briefly(report), [])
    t.match(
      report.noise.map(({ at }) => at.trim()),
      ['member /version', 'order'],
    )
    t.equal(report.verdict, 'same')
  },
)

/** Both are right: the seconds are counted from the beginning of a second, or from its end. */
function varying(): Partial<Behaviour> {
  let count = 0
  return { expiresIn: (seconds) => seconds - (++count % 2) }
}

t.test('what varies at the old service is a finding where the new one breaks a rule by it', async (t) => {
  for (const [id, rule] of [
    ['expires-in-two-less', '2.1-expires_in'],
    ['expires-in-as-string', '2.1-expires_in'],
    ['negative-expires-in', '2.1-expires_in'],
  ] as const) {
    const { old, new: now } = await startPair(t, {
      old: { altered: varying() },
      new: { altered: findMutant(id).behaviour() },
    })
    const { findings } = await findDifferences(old, now, LOGIN)
    t.strictSame(
      findings.map((one) => [one.class, one.rules, one.request]),
      [['breaks', [rule], 'plain login']],
      id,
    )
  }
  const { old, new: now } = await startPair(t, {
    declares: LOGINS_ALONE,
    old: { altered: varying() },
    new: { altered: varying() },
  })
  t.equal((await findDifferences(old, now, FEW)).verdict, 'same')
})

t.test('so it is where the old one breaks it in another way, or by far less', async (t) => {
  const wrong = (): Partial<Behaviour> => {
    let count = 0
    return { expiresIn: (seconds) => seconds - 2 - (++count % 2) }
  }
  const classOf = async (altered: Partial<Behaviour>) => {
    const { old, new: now } = await startPair(t, { old: { altered: wrong() }, new: { altered } })
    return (await findDifferences(old, now, LOGIN)).findings.map((one) => [one.class, one.rules])
  }
  t.strictSame(await classOf(findMutant('expires-in-as-string').behaviour()), [['both', ['2.1-expires_in']]])
  t.strictSame(await classOf({ expiresIn: () => 3600 }), [['both', ['2.1-expires_in']]])
  t.strictSame(await classOf(wrong()), [])
})

const isSignInError = ({ status, body }: Answer): boolean => status === 400 && `${body}`.includes('"error"')

/**
 * Answers a refused sign-in so each second time, and the others as the reference server does.
 * @param first 1: so the first time, too
 */
function refusing(
  status: number,
  {
    text,
    first = 0,
    turn = 1,
  }: { readonly text?: string; readonly first?: number; readonly turn?: number } = {},
): Partial<Behaviour> {
  const counts = new Map<string, number>()
  return {
    deliver: (answer, request) => {
      if (!isSignInError(answer)) return { kind: 'answer', answer }
      // Of any account: each probe may have its own. A probe of two requests is not always answered by the same turn.
      const body = Buffer.from(request.body).toString()
      const asked = `${request.headers['content-type']} ${body.replace(/(?<=username=)[^&]*/, '')}`
      const count = counts.get(asked) ?? first
      counts.set(asked, count + 1)
      const isUsual = Math.floor(count / (body.includes('grant_type') ? 1 : turn)) % 2 === 0
      return { kind: 'answer', answer: isUsual ? answer : { ...answer, status, body: text ?? answer.body } }
    },
  }
}

t.test('where refusals vary, a token that the new one gives in their place is a finding', async (t) => {
  const rulesOf = async (altered: Partial<Behaviour>, vary: () => Partial<Behaviour>) => {
    const { old, new: now } = await startPair(t, {
      declares: LOGINS_ALONE,
      old: { altered: vary() },
      new: { altered },
    })
    const { findings } = await findDifferences(old, now, FEW)
    for (const { title } of findings) t.match(title, 'new grants a token')
    return findings.flatMap(({ rules }) => rules)
  }
  for (const vary of [() => refusing(200, { text: '{}' }), () => refusing(500)]) {
    t.strictSame(await rulesOf(findMutant('no-password-needed').behaviour(), vary), ['4.1-password'])
    t.strictSame(await rulesOf({}, vary), [])
    t.strictSame(await rulesOf(vary(), vary), [])
  }
})

t.test('where the status of refusals varies, a success in its place is a finding', async (t) => {
  const success: Partial<Behaviour> = {
    deliver: (answer) => ({
      kind: 'answer',
      answer: isSignInError(answer) ? { ...answer, status: 200 } : answer,
    }),
  }
  // By chance both of a pair may be answered alike, and those of another pair otherwise.
  for (const turn of [1, 2]) {
    const { old, new: now } = await startPair(t, {
      old: { altered: refusing(401, { turn }) },
      new: { altered: success },
    })
    const { findings } = await findDifferences(old, now, { ...FEW, concurrency: 1 })
    const broken = findings.map(({ class: own, rules }) => `${own} ${rules}`)
    t.strictSame(broken, ['breaks 7-token-error-status', 'breaks 4.1-R1,7-token-error-status'])
  }
})

t.test('which of its statuses the old service gave is no part of an id', async (t) => {
  const ids = new Set<string>()
  for (const first of [0, 1]) {
    const { old, new: now } = await startPair(t, {
      declares: LOGINS_ALONE,
      old: { altered: refusing(401, { first }) },
      new: { altered: findMutant('no-password-needed').behaviour() },
    })
    const { findings } = await findDifferences(old, now, FEW)
    for (const { id, rules } of findings) if (rules.includes('4.1-password')) ids.add(id)
  }
  t.equal(ids.size, 1, [...ids].join())
})

t.test('what comes with an outcome that varies is no part of other ids', async (t) => {
  const refused: Partial<Behaviour> = {
    errorStatus: (refusal) => (refusal === 'wrong-password' ? 401 : specifiedBehaviour.errorStatus(refusal)),
  }
  let count = 0
  // What is granted to a request with a query, by turns.
  const sometimes: Partial<Behaviour> = {
    deliver: (answer, { query }) => ({
      kind: 'answer',
      answer:
        query !== '' && answer.status === 200 && count++ % 2
          ? { ...answer, status: 400, body: '{}' }
          : answer,
    }),
  }
  const reportOf = async (altered: Partial<Behaviour>, changed: Partial<Behaviour>) => {
    const { old, new: now } = await startPair(t, {
      declares: LOGINS_ALONE,
      old: { altered },
      new: { altered: changed },
    })
    return findDifferences(old, now, FEW)
  }
  const marked: Partial<Behaviour> = {
    ...refused,
    deliver: (answer) => ({
      kind: 'answer',
      answer: isSignInError(answer) || answer.status === 401 ? withHeader(answer) : answer,
    }),
  }
  // The status of refusals does not vary, and is a difference beside any other.
  for (const changed of [refused, marked]) {
    const [steady, varying] = [await reportOf({}, changed), await reportOf(sometimes, changed)]
    t.ok(varying.noise.some(({ at }) => at === 'outcome'))
    const isOfRefusals = ({ title }: { title: string }): boolean => title.startsWith('failed login')
    const idsOf = ({ findings }: typeof steady) =>
      findings
        .filter(isOfRefusals)
        .map(({ id }) => id)
        .sort()
    const placesOf = ({ findings }: typeof steady) =>
      findings.filter(isOfRefusals).flatMap(({ differences }) => differences.map(({ at }) => at))
    t.ok(placesOf(varying).includes('status'))
    t.ok(idsOf(steady).length > 0)
    t.strictSame(idsOf(varying), idsOf(steady))
  }
})

function withHeader(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ['X-New', '1']] }
}

t.test('a header that both services have now and then is noise', async (t) => {
  const rarely = (): Partial<Behaviour> => {
    let count = 0
    return {
      deliver: (answer) => {
        const headers = [...answer.headers]
        if (++count % 9 === 0) headers.push(['X-Cache', 'HIT'])
        return { kind: 'answer', answer: { ...answer, headers } }
      },
    }
  }
  for (const seed of [1, 2]) {
    const { old, new: now } = await startPair(t, {
      declares: LOGINS_ALONE,
      old: { altered: rarely() },
      new: { altered: rarely() },
    })
    const { verdict, flaky } = await findDifferences(old, now, { ...FEW, seed })
    t.strictSame([verdict, flaky], ['same', []])
  }
})

t.test('what varies beside an error hides no other error, also where few logins may fail', async (t) => {
  const hinting = (error: string): Partial<Behaviour> => ({
    deliver: (answer) => {
      const { error: own, ...rest } = isSignInError(answer) ? JSON.parse(`${answer.body}`) : {}
      if (own !== 'invalid_grant') return { kind: 'answer', answer }
      const body = JSON.stringify({ ...rest, error, hint: `see ${Math.random().toString().slice(2, 8)}` })
      return { kind: 'answer', answer: { ...answer, body } }
    },
  })
  for (const declares of [{}, { registration: REGISTRATION }]) {
    const { old, new: now } = await startPair(t, {
      declares,
      old: { altered: hinting('invalid_grant') },
      new: { altered: hinting('bad_login') },
    })
    const { findings } = await findDifferences(old, now, FEW)
    t.strictSame(
      findings.map(({ title }) => title),
      ['failed login: `/error`: new "bad_login", old "invalid_grant"'],
    )
  }
})

const MESSAGES = {
  ...FEW,
  specification: { ...whole, cases: whole.cases.filter(({ id, invariant }) => invariant || /^7/.test(id)) },
}

/** Adds a member that varies, and changes one of the messages. */
function saying(change: (text: string) => string): Partial<Behaviour> {
  return {
    deliver: (answer) => {
      const text = `${answer.body}`
      if (!text.includes('Passwords must')) return { kind: 'answer', answer }
      const body = JSON.stringify({
        hint: `see ${Math.random().toString(16).slice(2, 8)}`,
        ...JSON.parse(change(text)),
      })
      return { kind: 'answer', answer: { ...answer, body } }
    },
  }
}

t.test('what varies beside a message is no part of the finding, nor of its id', async (t) => {
  const change = (text: string): string => text.replace('one uppercase', 'one upper case')
  const { old, new: now } = await startPair(t, {
    old: { altered: saying((text) => text) },
    new: { altered: saying(change) },
  })
  const reports = [await findDifferences(old, now, MESSAGES), await findDifferences(old, now, MESSAGES)]
  t.strictSame(
    reports.map(({ findings }) => findings.map(({ class: own }) => own)),
    [['breaks'], ['breaks']],
  )
  const [first, second] = reports.map(({ findings: [finding] }) => finding)
  t.equal(first?.id, second?.id)
  t.notMatch(first?.title ?? '', 'see ')
})

t.test('messages in random order hide no wrong one', async (t) => {
  const shuffle = (text: string): string => {
    const { messages, ...rest } = JSON.parse(text)
    return JSON.stringify({ ...rest, messages: messages?.toSorted(() => Math.random() - 0.5) })
  }
  const change = (text: string): string => shuffle(text.replace('one uppercase', 'one upper case'))
  const { old, new: now } = await startPair(t, {
    old: { altered: saying(shuffle) },
    new: { altered: saying(change) },
  })
  const { findings } = await findDifferences(old, now, MESSAGES)
  t.ok(findings.length > 0)
  t.ok(
    findings.every(({ class: own }) => own === 'breaks'),
    findings.map(({ title }) => title).join('; '),
  )
})

t.test(
  'two instances that answer by turns are no difference, however many requests a probe has',
  async (t) => {
    const byTurns = (): Partial<Behaviour> => {
      let count = 0
      return {
        tokenMembers: (grant) => [
          ...tokenMembers(grant),
          ...(count % 2 ? [['version', count] as const] : []),
        ],
        deliver: (answer) => {
          count++
          return { kind: 'answer', answer }
        },
      }
    }
    for (const seed of seeds(1)) {
      const { old, new: now } = await startPair(t, {
        old: { altered: byTurns() },
        new: { altered: byTurns() },
      })
      const { findings, flaky, verdict } = await findDifferences(old, now, { ...FEW, seed })
      t.strictSame([findings.map(({ title }) => title), flaky, verdict], [[], [], 'same'])
    }
  },
)

t.test(
  'where logins may fail but few times, no more of them fail, and what is left out is named',
  async (t) => {
    const failed = { old: 0, new: 0 }
    const counting = (side: keyof typeof failed) => ({
      signIn: ({ matches, account }: { matches: boolean; account: never }) => {
        if (!matches) failed[side]++
        return matches ? account : undefined
      },
    })
    const { old, new: now } = await startPair(t, {
      declares: { maxFailedLogins: 12 },
      old: { altered: counting('old') as never },
      new: { altered: counting('new') as never },
    })
    const report = await findDifferences(old, now, FEW)
    t.equal(report.verdict, 'same')
    t.ok(failed.old <= 12 && failed.old > 3, `${failed.old} on the old side`)
    t.ok(failed.new <= 12 && failed.new > 3, `${failed.new} on the new side`)
    t.match(report.notes, [/skipped: declare `registration`/])
    t.match(report.notes, [new RegExp(`^${report.skipped} requests`)])
  },
)

t.test('where few logins may fail, what user names match is compared among the first', async (t) => {
  const altered = findVariant('case-folding-user-names').behaviour()
  const { old, new: now } = await startPair(t, { declares: {}, old: { altered } })
  const report = await findDifferences(old, now, { seed: 1, runs: 16 })
  t.match(report.findings, [{ class: 'silent', observation: '4.1/user-name-in-upper-case' }])
})

t.test('a rule of new accounts that takes two requests to show is named', async (t) => {
  const ids = ['8/registration', '8/email-a-second-time', '8/account-with-any-user-name']
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => ids.includes(id)) }
  for (const [id, rule] of [
    ['email-many-times', '8-unique-email'],
    ['user-names-always-alphanumeric', '8-alphanumeric-user-names'],
  ] as const) {
    const findings = await findingsOf(t, id, { ...FEW, specification })
    t.match(findings, [{ class: 'breaks', rules: [rule] }], id)
  }
})

t.test('a rejected account that is stored, or whose name or address stays taken, is a break', async (t) => {
  const specification = {
    ...whole,
    cases: whole.cases.filter(({ id }) => /^8\/(?:rejected|registration)/.test(id)),
  }
  for (const [id, request] of [
    ['password-without-digit-stored', 'login of a new account with a password without a digit'],
    ['taken-name-gets-the-password', 'login of a new account with a taken user name'],
    ['email-kept-for-taken-name', 'registration with the address of one that was rejected for its user name'],
  ] as const) {
    const findings = await findingsOf(t, id, { ...FEW, specification })
    t.match(
      findings.filter((finding) => finding.request === request),
      [{ class: 'breaks', rules: ['8-R1'] }],
      id,
    )
    // What is stored takes the name or address, too, and a new password locks out who had the name.
    t.ok(findings.length <= 3, findings.map(({ title }) => title).join('\n'))
  }
})

t.test('what a rejected registration does to the owner of its name is a break', async (t) => {
  const specification = {
    ...whole,
    cases: whole.cases.filter(({ id }) => /^8\/(?:accepted|rejected|registration)/.test(id)),
  }
  const name = /Name .* is already taken/
  for (const [messages, request] of [
    [[name], 'login of an account after a registration with its user name'],
    [
      [name, /Passwords must/],
      'login of an account after a registration with its user name and a weak password',
    ],
    [
      [name, /Email .* is already taken/],
      'login of an account after a registration with its user name and address',
    ],
  ] as const) {
    const gone = new Set<string>()
    const altered: Partial<Behaviour> = {
      deliver: (answer, sent) => {
        if (messages.every((text) => text.test(String(answer.body))))
          gone.add(JSON.parse(Buffer.from(sent.body).toString()).userName)
        return specifiedBehaviour.deliver(answer, sent)
      },
      signIn: ({ matches, account }) =>
        matches && account !== undefined && !gone.has(account.userName) ? account : undefined,
    }
    const { old, new: now } = await startPair(t, { new: { altered } })
    const { findings } = await findDifferences(old, now, { ...FEW, specification })
    t.match(findings, [{ class: 'breaks', rules: ['8-R1'], request }], request)
  }
})

t.test('who is let in, and what a new password may be, are two findings', async (t) => {
  for (const id of ['password-of-72-bytes', 'password-without-case']) {
    const altered = { ...findMutant(id).behaviour(), ...findMutant('digits-not-required').behaviour() }
    const { old, new: now } = await startPair(t, { new: { altered } })
    const { findings } = await findDifferences(old, now, { seed: 1, runs: 5 })
    t.match(
      findings,
      [
        { rules: ['4.1-credentials'], hurts: 'users' },
        { rules: ['8-require-digit'], hurts: 'none' },
      ],
      id,
    )
    t.equal(findings.length, 2, findings.map(({ title }) => title).join('\n'))
  }
})

t.test('a new account that logs in by its address at one side alone is found', async (t) => {
  const addresses = new Set<string>()
  const altered = {
    emailKey: (email: string) => {
      addresses.add(email)
      return email
    },
    // New accounts have their user name before the `@`.
    userNameKey: (name: string) => (addresses.has(name) ? name.replace(/@.*/, '') : name),
  }
  const unknownUser = whole.cases.filter(({ id }) => id === '4.1/unknown-user')
  const specification = { ...whole, cases: unknownUser }
  for (const [sides, fates, ...tried] of [
    [{ old: { altered } }, 'new refuses (400), old grants a token (200)', FEW],
    [{ new: { altered } }, 'new grants a token (200), old refuses (400)', FEW, { ...FEW, specification }],
  ] as const) {
    const { old, new: now } = await startPair(t, sides)
    for (const options of tried)
      t.strictSame(briefly(await findDifferences(old, now, options)), [
        `silent 7/other-errors: the e-mail address of a new account as \`username\`: ${fates}`,
      ])
  }
})

t.test('what is accepted is not classed by how requests with another fault are refused', async (t) => {
  const altered: Partial<Behaviour> = {
    ...findVariant('trimming-user-names').behaviour(),
    errorStatus: (refusal) =>
      refusal === 'unsupported-grant-type' ? 415 : specifiedBehaviour.errorStatus(refusal),
  }
  const { old, new: now } = await startPair(t, { declares: LOGINS_ALONE, new: { altered } })
  const specification = { ...whole, cases: whole.cases.filter(({ id }) => /^[47]/.test(id)) }
  // With this seed such a request is among the first that are judged.
  const { findings } = await findDifferences(old, now, { seed: 901726999, runs: 150, specification })
  t.strictSame(
    findings.map(({ class: own, rules, request }) => [own, rules, request]),
    [
      ['breaks', ['7-token-error-status'], 'unknown `grant_type`'],
      ['silent', [], '`username` surrounded by spaces'],
    ],
  )
})

t.test('where one side registers no account, its declared accounts take no failed login', async (t) => {
  let failed = 0
  const altered: Partial<Behaviour> = {
    ...findMutant('nobody-registered').behaviour(),
    signIn: ({ matches, account }) => {
      if (!matches && account !== undefined) failed++
      return matches ? account : undefined
    },
  }
  const { old, new: now } = await startPair(t, { new: { altered } })
  const report = await findDifferences(old, now, FEW)
  t.strictSame(
    briefly(report).filter((finding) => !/registration/.test(finding)),
    [],
    'and none is compared with a new one',
  )
  t.match(report.inconclusive, [
    /^the new service: registering an account to take failed logins failed twice in a row: \d+ requests .* were skipped/,
  ])
  t.equal(failed, 0)
})

t.test('a side that cannot be reached, or refuses the account, tells nothing', async (t) => {
  const { old, new: now } = await startPair(t, { new: { accounts: [] } })
  const report = await findDifferences(old, now, FEW)
  t.equal(report.verdict, 'inconclusive')
  t.match(report.inconclusive, [/^the new service: cannot sign in as ann/])
})

t.test('an account that both services refuse is no measure, whatever the other one shows', async (t) => {
  const known = { accounts: ACCOUNTS.slice(1) }
  for (const declares of [{}, { registration: REGISTRATION }]) {
    const { old, new: now } = await startPair(t, { old: known, new: known, declares })
    const { verdict, inconclusive } = await findDifferences(old, now, FEW)
    t.equal(verdict, 'inconclusive')
    t.match(inconclusive, [
      /^the old service: cannot sign in as ann at .*: the service refuses/,
      /^the new service: cannot sign in as ann at .*: the service refuses/,
    ])
  }
})

t.test('an old service that signs no one in is no measure, whatever new does', async (t) => {
  const wrapped: Partial<Behaviour> = {
    deliver: (answer) => ({
      kind: 'answer',
      answer: answer.status === 200 ? { ...answer, body: `{"data":${answer.body}}` } : answer,
    }),
  }
  for (const [old, reason] of [
    [{ accounts: ACCOUNTS.slice(1) }, /^the old service: cannot sign in as ann/],
    [{ altered: wrapped }, /^the old service: the plain login yields no token/],
  ] as const) {
    const pair = await startPair(t, { old, declares: {} })
    const { verdict, inconclusive } = await findDifferences(pair.old, pair.new, FEW)
    t.equal(verdict, 'inconclusive')
    t.match(inconclusive, [reason])
    const turned = await findDifferences(pair.new, pair.old, FEW)
    t.equal(turned.verdict, 'different', 'what new refuses, or wraps, is')
  }
  // As behind a wrong base URL.
  for (const [status, body] of [
    [404, 'Not Found'],
    [200, '<!doctype html><title>app</title>'],
    [200, '{"ok":true}'],
    [204, ''],
  ] as const) {
    const url = await serve(t, (_, response) => response.writeHead(status).end(body))
    const target = resolveTarget({ accounts: ACCOUNTS, baseUrl: `http://${url}` })
    const side = { target, deployment: target.deployments[0] }
    const { verdict, inconclusive } = await findDifferences(side, side, FEW)
    t.equal(verdict, 'inconclusive', `${status}`)
    t.match(inconclusive, [/^the old service: the plain login yields no token/], `${status}`)
  }
})

t.test('a second instance of the old service that is none is no measure', async (t) => {
  const { old, new: now } = await startPair(t, { new: { altered: findMutant('capital-bearer').behaviour() } })
  for (const status of [404, 500]) {
    const url = await serve(t, (_, response) => response.writeHead(status).end())
    const declares = { accounts: ACCOUNTS, registration: REGISTRATION }
    const target = resolveTarget({ ...declares, baseUrl: `http://${url}` })
    const again = { target, deployment: target.deployments[0] }
    const report = await findDifferences(old, now, { ...FEW, again })
    t.equal(report.verdict, 'inconclusive', `${status}`)
    t.match(report.inconclusive, [/^the old service: of two plain logins, one yields a token/], `${status}`)
  }
})

t.test(
  'what two instances of the old service differ in is noise, also where few logins may fail',
  async (t) => {
    const altered: Partial<Behaviour> = {
      errorStatus: (refusal) =>
        refusal === 'wrong-password' ? 401 : specifiedBehaviour.errorStatus(refusal),
    }
    const { old, new: now } = await startPair(t, { declares: {}, new: { altered } })
    const { old: again } = await startPair(t, { declares: {}, old: { altered } })
    t.strictSame((await findDifferences(old, now, { ...FEW, again })).findings, [])
    t.match((await findDifferences(old, now, FEW)).findings, [{ title: 'failed login: new 401, old 400' }])
  },
)

t.test('what both services leave unread is not the same', async (t) => {
  const cutting = async (type: string) => {
    const url = await serve(t, (_, response) => {
      const body = JSON.stringify({ access_token: 'x'.repeat(40), token_type: type })
      response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`)
    })
    const target = resolveTarget({ accounts: ACCOUNTS, baseUrl: `http://${url}` })
    return { target, deployment: target.deployments[0] }
  }
  const report = await findDifferences(await cutting('bearer'), await cutting('Bearer'), LOGIN)
  t.equal(report.verdict, 'inconclusive')
  t.match(
    report.inconclusive.join(),
    /the new service: its answer could not be read as a whole, nor could that of the old one/,
  )
})
