import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Policy } from '../../spec/model/policy.js'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { plain } from '../exchange/redactable-text.js'
import { freshAccount } from '../target/accounts/fresh-account.js'
import type { Generator, Scope } from './generator.js'
import { GENERATORS } from './index.js'
import { unusualPassword } from './unusual-passwords.js'
import { type UnknownUser, unknownUser } from './wrong-credentials.js'

const DEFAULT_RUNS = 100
const listed = LISTED_POLICY
const off = {
  requireNonLetterOrDigit: false,
  requireDigit: false,
  requireLowercase: false,
  requireUppercase: false,
}
const policies: readonly Policy[] = [
  listed,
  { ...listed, minimumLength: 1 },
  { ...listed, minimumLength: 10, requireDigit: false },
  { ...listed, minimumLength: 64, requireUppercase: false },
  { ...listed, ...off },
  { ...listed, ...off, minimumLength: 1 },
  { ...listed, ...off, requireLowercase: true, minimumLength: 2 },
]
const NO_REQUEST = { method: 'POST', path: '', headers: [] }

/** Section 8 by patterns, where the product goes by character codes. */
const lacking: Readonly<Record<string, (password: string, policy: Policy) => boolean>> = {
  'minimum-length': (password, { minimumLength }) => password.length < minimumLength,
  'non-letter-or-digit': (password) => /^[0-9A-Za-z]*$/.test(password),
  digit: (password) => !/[0-9]/.test(password),
  lowercase: (password) => !/[a-z]/.test(password),
  uppercase: (password) => !/[A-Z]/.test(password),
}
const enabled: Readonly<Record<string, (policy: Policy) => boolean>> = {
  'minimum-length': () => true,
  'non-letter-or-digit': (policy) => policy.requireNonLetterOrDigit,
  digit: (policy) => policy.requireDigit,
  lowercase: (policy) => policy.requireLowercase,
  uppercase: (policy) => policy.requireUppercase,
}

function violations(password: string, policy: Policy): readonly string[] {
  return Object.keys(lacking).filter((name) => enabled[name]?.(policy) && lacking[name]?.(password, policy))
}

function scopeOf(policy: Policy): Scope {
  let count = 0
  const account = { userName: 'alice', password: 'Alice-1234' }
  return {
    deployment: { accounts: [account], additionalGrantTypes: [] },
    account,
    runNonce: 'abc',
    policy,
    emailDomain: 'example.com',
    unique: () => freshAccount(1, count++, 'abc', policy, 'example.com').userName,
  }
}

/** What a run at the default budget tries, once the oracle has passed over what it does not admit. */
function tried(
  t: Test,
  name: string,
  policy: Policy,
  as: 'password' | 'userName' | 'email',
): readonly string[] {
  const generator: Generator | undefined = GENERATORS.get(name)
  if (generator === undefined) return t.fail(`there is no generator ${name}`) ? [] : []
  const scope = scopeOf(policy)
  const values = [
    ...generator.examples(scope),
    ...fc.sample(generator.arbitrary(scope), { numRuns: 300, seed: 7 }),
  ]
  const texts: string[] = []
  for (const value of values) {
    const bound = generator.bind(value, scope)
    const text = 'wire' in bound && typeof bound.wire === 'string' ? bound.wire : ''
    const fresh = freshAccount(2, 0, 'abc', policy, 'example.com')
    const candidate = { ...fresh, [as]: plain(text) }
    if (generator.inScope(NO_REQUEST, scope, candidate)) texts.push(text)
  }
  return texts
}

t.test('a new account is valid under every policy', async (t) => {
  for (const policy of policies) {
    const { userName, email, password } = freshAccount(7, 3, 'bcde', policy, 'example.com')
    t.same(violations(password.wire, policy), [], password.wire)
    t.match(userName, { wire: /^[a-z]+bcde$/, shown: /^[a-z]+‹run›$/ })
    t.equal(email.wire, `${userName.wire}@example.com`)
    t.not(freshAccount(7, 4, 'bcde', policy, 'example.com').userName.wire, userName.wire)
  }
})

t.test('passwords that violate one requirement violate it, and no other that can be kept', async (t) => {
  for (const policy of policies) {
    for (const name of Object.keys(lacking)) {
      const texts = tried(t, `password-violating(${name})`, policy, 'password')
      t.ok(texts.length > 3 || name === 'minimum-length', `${name} finds passwords`)
      t.ok(texts.length > 0, `${name} finds at least one`)
      const classes = Object.keys(lacking).filter(
        (other) => other !== 'minimum-length' && enabled[other]?.(policy),
      )
      const feasible = name !== 'minimum-length' || policy.minimumLength > classes.length
      for (const text of texts) {
        if (lacking[name]?.(text, policy) !== true) t.fail(`${JSON.stringify(text)} violates ${name}`)
        const others = violations(text, policy).filter((other) => other !== name)
        if (feasible && others.length > 0) t.fail(`${JSON.stringify(text)} violates ${others} too`)
      }
      if (name === 'minimum-length')
        t.ok(
          texts.some((text) => text.length === policy.minimumLength - 1),
          'one character less than the minimum',
        )
    }
  }
})

t.test('unusual passwords satisfy the policy, and their changed ones are others by NFC too', async (t) => {
  const generator = unusualPassword as unknown as Generator
  for (const policy of policies) {
    const scope = scopeOf(policy)
    const lengths = generator.examples(scope).map((kind) => {
      const { exact, changed } = generator.bind(kind, scope) as Record<string, { readonly wire: string }>
      const texts = [exact?.wire ?? '', changed?.wire ?? '']
      t.same(violations(texts[0] ?? '', policy), [], String(kind))
      t.equal(new Set(texts.map((text) => text.normalize().trim())).size, 2, String(kind))
      return texts[0]?.length
    })
    for (const length of policy.minimumLength < 64 ? [64, 128] : [128]) t.ok(lengths.includes(length))
  }
})

/** Characters that only a service which is wrong about everything takes for another class. */
const clearly: Readonly<Record<string, RegExp>> = {
  'non-letter-or-digit': /[!*]/,
  digit: /[1-8]/,
  lowercase: /[b-y]/,
  uppercase: /[B-Y]/,
}

/** The enabled requirements that a password satisfies by odd characters alone, if at all. */
function unclear(password: string, policy: Policy, but = ''): readonly string[] {
  return Object.keys(clearly).filter(
    (name) => name !== but && enabled[name]?.(policy) && !clearly[name]?.test(password),
  )
}

t.test('passwords that satisfy the policy do so clearly, and one rule at a time', async (t) => {
  for (const policy of policies) {
    const classes = Object.keys(clearly).filter((name) => enabled[name]?.(policy))
    const min = Math.max(policy.minimumLength, classes.length)
    // But for a minimum of 64, the most that a service must take.
    const exceeded = Math.min(policy.minimumLength, 63)
    const longer = tried(t, 'password-satisfying', policy, 'password')
    t.ok(longer.length > 50)
    t.same(
      longer.filter((text) => text.length <= exceeded || unclear(text, policy).length > 0),
      [],
    )
    t.ok(
      longer.every((text) => Object.values(clearly).every((one) => one.test(text))),
      'of every class: whether one that is not required is enforced is another rule',
    )
    const exact = tried(t, 'password-satisfying(minimum-length)', policy, 'password')
    t.ok(exact.length > 50)
    t.same(
      exact.filter((text) => text.length !== min || unclear(text, policy).length > 0),
      [],
    )
    for (const name of classes) {
      const passwords = [`password-violating(${name})`, `password-barely(${name})`]
      for (const generator of passwords)
        t.same(
          tried(t, generator, policy, 'password').filter((text) => unclear(text, policy, name).length > 0),
          [],
          generator,
        )
    }
    for (const name of Object.keys(clearly).filter((name) => !enabled[name]?.(policy)))
      t.notOk(
        tried(t, `password-violating(${name})`, policy, 'password').some(
          (text) => text.length <= exceeded || unclear(text, policy).length > 0,
        ),
        `what is accepted without ${name} does not hang on another rule`,
      )
  }
})

t.test('each character of a class is alone of its class within the default budget', async (t) => {
  const classes: Readonly<Record<string, string>> = {
    'non-letter-or-digit': ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    digit: '0123456789',
    lowercase: 'abcdefghijklmnopqrstuvwxyz',
    uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  }
  for (const [name, chars] of Object.entries(classes)) {
    const texts = tried(t, `password-barely(${name})`, listed, 'password').slice(0, DEFAULT_RUNS)
    for (const text of texts) {
      if (violations(text, listed).length > 0) t.fail(`${JSON.stringify(text)} satisfies the policy`)
      if ([...text].filter((char) => chars.includes(char)).length !== 1)
        t.fail(`${JSON.stringify(text)} has one of ${name}`)
    }
    const missing = [...chars].filter((char) => !texts.some((text) => text.includes(char)))
    t.same(missing, [], `every character of ${name}`)
  }
})

t.test('combinations of violations', async (t) => {
  const any = tried(t, 'password-violating(any)', listed, 'password').slice(0, DEFAULT_RUNS)
  const seen = new Set(any.map((text) => violations(text, listed).join()))
  t.notOk(seen.has(''), 'none is valid')
  t.ok(seen.size >= 15, `many combinations: ${seen.size}`)
  for (const char of '09AZaz_ /:@[`{')
    t.ok(
      any.some((text) => text.includes(char) && unclear(text.replace(char, ''), listed).length > 0),
      `${char} is the only one of its class`,
    )
  for (const policy of policies) {
    t.ok(tried(t, 'password-violating(any)', policy, 'password').length > 0)
    const several = tried(t, 'password-violating(several)', policy, 'password')
    t.ok(several.length > 0)
    const required = Math.min(violations('', policy).length, 2)
    t.notOk(several.some((text) => violations(text, policy).length < required))
  }
  const violated = tried(t, 'password-violating(several)', listed, 'password').map((text) =>
    violations(text, listed),
  )
  t.ok(violated[0] && violated[0].length >= 4)
  const pairs = new Set(violated.filter(({ length }) => length === 2).map(String))
  t.equal(pairs.size, 10, 'each two of five requirements')
})

t.test('user names of each kind', async (t) => {
  const kinds: Readonly<Record<string, RegExp>> = {
    alphanumeric: /^[0-9A-Za-z]+$/,
    printable: /^(?=.*[^0-9A-Za-z])[ -~]+$/,
    other: /^(?=[\s\S]*[^0-9A-Za-z@._])[\0-\x7f]+$/,
    'at-dot-underscore': /^(?=.*[@._])[0-9A-Za-z@._]+$/,
    'beyond-ascii': /^(?=.*[^\0-\x7f])[0-9\p{L}]+$/u,
  }
  for (const [kind, pattern] of Object.entries(kinds)) {
    const names = tried(t, `user-name(${kind})`, listed, 'userName')
    t.same(
      names.filter((name) => !pattern.test(name)),
      [],
      kind,
    )
    t.equal(new Set(names).size, names.length, 'no name twice')
    t.ok(names.length > 0 && names.every((name) => name === name.normalize('NFC')))
  }
  const others = tried(t, 'user-name(other)', listed, 'userName').slice(0, DEFAULT_RUNS)
  t.same(
    [...' !"#$%&\'()*+,-/:;<=>?[\\]^`{|}~\n\0\x1f'].filter(
      (char) => !others.some((name) => name.includes(char)),
    ),
    [],
    'every other character within the default budget',
  )
  t.ok(
    others.some((name) => name.endsWith('\n')),
    'a line end at the end',
  )
  for (const char of '@._')
    t.ok(tried(t, 'user-name(at-dot-underscore)', listed, 'userName').some((name) => name.includes(char)))
})

t.test('e-mail addresses are plain, and none comes twice', async (t) => {
  const addresses = tried(t, 'email', listed, 'email')
  t.same(
    addresses.filter((address) => !/^[A-Za-z0-9]{1,64}@example\.com$/.test(address)),
    [],
  )
  t.ok(
    addresses.some((address) => /[A-Z].*@/.test(address) && /[a-z].*@/.test(address)),
    'in mixed case too',
  )
  t.equal(new Set(addresses).size, addresses.length)
})

t.test(
  'near misses of the name of a new account are shown so that another run can send its own',
  async (t) => {
    const [nonce, own] = ['bcdfgh', 'zzzyyyx']
    const { password } = freshAccount(1, 1, nonce, listed, 'example.com')
    const account = { userName: own + nonce, password: password.wire }
    const scope = { ...scopeOf(listed), runNonce: nonce, account }
    const shown = (kind: UnknownUser['kind'], at = 0) => {
      const { userName } = unknownUser.bind({ kind, at }, scope) as {
        userName: { wire: string; shown: string }
      }
      // As the report shows what sets the run apart.
      return [userName.wire, userName.shown.replaceAll(nonce, '‹run›')]
    }
    t.strictSame(shown('query'), ["zzzyyyxbcdfgh'--", "zzzyyyx‹run›'--"])
    t.strictSame(shown('query', 1), ['zzzyyyxbcdfg*', 'zzzyyyx‹run cut to 5 of 6 letters›*'])
    t.strictSame(shown('changed', 9), ['zzzyyyxbcxfgh', 'zzzyyyx‹run cut to 2 of 6 letters›xfgh'])
    t.strictSame(shown('shorter', 8), ['zzzy', 'zzzy'])
    t.strictSame(shown('joined'), ['zzzyyyxbcdfg', 'zzzyyyx‹run cut to 5 of 6 letters›'])
    t.strictSame(shown('pattern', 7), ['zzzyyyx%', 'zzzyyyx%'])
    t.strictSame(shown('fresh'), ['absentbcdfgh0', 'absent‹run›0'])
    t.strictSame(shown('other-name'), ['zzzyyyxbcdfgh@example.com', 'zzzyyyx‹run›@example.com'])
    account.userName += '@example.com'
    t.strictSame(shown('other-name'), ['zzzyyyxbcdfgh', 'zzzyyyx‹run›'], 'where it logs in with its address')
    const others = (one: Scope) => unknownUser.examples(one).filter(({ kind }) => kind === 'other-name')
    t.equal(others(scope).length, 1)
    t.strictSame(others(scopeOf(listed)), [], 'of a declared one it is not known')
  },
)

t.test('no account has the name of another with one letter changed', async (t) => {
  const names = Array.from({ length: 2000 }, (_, index) => {
    const { userName } = freshAccount(Math.floor(index / 40), index % 40, 'bcdefg', listed, 'example.com')
    return userName.wire
  })
  const patterns = names.flatMap((name) =>
    [...name].map((_, at) => `${name.slice(0, at)}_${name.slice(at + 1)}`),
  )
  t.equal(new Set(patterns).size, patterns.length)
})

t.test('what is made up is plain: names of at most 16, passwords without three alike in a row', async (t) => {
  for (const kind of ['alphanumeric', 'printable', 'other', 'at-dot-underscore', 'beyond-ascii', 'allowed']) {
    const names = tried(t, `user-name(${kind})`, listed, 'userName')
    // The nonce of a run has 6 letters, and here 3.
    t.same(
      names.filter((name) => name.length > (/^\d+$/.test(name) ? 16 : 13)),
      [],
      kind,
    )
  }
  const accepted = ['satisfying', 'satisfying(minimum-length)', 'barely(digit)', 'violating(digit)']
  for (const { minimumLength, requireDigit } of [
    listed,
    ...[60, 63, 64, 70].map((minimumLength) => ({ minimumLength, requireDigit: true })),
    ...[63, 64].map((minimumLength) => ({ minimumLength, requireDigit: false })),
  ])
    for (const name of accepted) {
      const made = tried(t, `password-${name}`, { ...listed, minimumLength, requireDigit }, 'password')
      const max = Math.max(64, minimumLength)
      t.not(made.length, 0)
      t.same(
        made.filter((password) => password.length > max || /(.)\1\1/su.test(password)),
        [],
        `${name}, at least ${minimumLength}`,
      )
    }
})

t.test('what services are known to get wrong is among the first examples', async (t) => {
  const first = (name: string, as: 'password' | 'userName'): readonly string[] =>
    tried(t, name, listed, as).slice(0, DEFAULT_RUNS)
  t.ok(first('password-satisfying(minimum-length)', 'password')[1]?.match(/^\S+ \S+$/), 'an inner space')
  t.match(first('user-name(allowed)', 'userName')[0], /^\d/, 'a digit in front')
  for (const char of `'&<"`)
    t.ok(
      first('user-name(allowed)', 'userName').some((name) => name.includes(char)),
      char,
    )
})
