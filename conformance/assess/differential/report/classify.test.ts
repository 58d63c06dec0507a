import { randomUUID } from 'node:crypto'
import t from 'tap'
import { findMutant } from '../../../../prove/jobs/selection.js'
import { type Behaviour, specifiedBehaviour } from '../../../../reference/behaviour.js'
import type { AccountPolicy } from '../../../../reference/policy.js'
import { tokenMembers } from '../../../../reference/token-response.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import type { Json } from '../../../../spec/model/json.js'
import { findDifferences } from '../find-differences.js'
import { ACCOUNTS, REGISTRATION, startPair } from '../fixtures/pair.js'

const whole = loadSpecification()

/** The findings on cases of these sections. */
async function found(
  old: Partial<Behaviour>,
  now: Partial<Behaviour>,
  {
    section,
    runs = 1,
    ...declares
  }: { readonly section: RegExp; readonly runs?: number; readonly includesUserId?: boolean },
) {
  const cases = whole.cases.filter(({ id, invariant }) => invariant || section.test(id))
  const pair = await startPair(t, {
    declares: { registration: REGISTRATION, ...declares },
    old: { altered: old },
    new: { altered: now },
  })
  const specification = { ...whole, cases, observations: [] }
  return (await findDifferences(pair.old, pair.new, { seed: 1, runs, specification })).findings
}

const minimum = (minimumLength: number): Partial<Behaviour> => ({
  policyInForce: (own): AccountPolicy => ({ ...specifiedBehaviour.policyInForce(own), minimumLength }),
})

t.test('a rule that new breaks otherwise than old did is not mended', async (t) => {
  const section = /^8\/(?:minimum-length|too-short)/
  t.match(await found(minimum(4), minimum(8), { section }), [
    { class: 'breaks', rules: ['8-minimum-length'] },
  ])
  t.match(await found(minimum(4), {}, { section }), [{ class: 'mends' }])
  const untyped = findMutant('no-token-type').behaviour()
  const types = await found(untyped, { tokenType: () => 'Bearer' }, { section: /^[25]/ })
  t.match(types, [{ class: 'both', rules: ['2.1-token_type'] }])
  // A name of digits alone has no other case.
  const named = (spell: (name: string) => string): Partial<Behaviour> => ({
    tokenMembers: (grant) =>
      tokenMembers(grant).map(([name, value]) =>
        name === 'userName' ? ([name, spell(String(value))] as const) : ([name, value] as const),
      ),
  })
  const names = await found(
    named((name) => `${name}@example.com`),
    named((name) => name.toUpperCase()),
    { section: /^8\/account-with-any/, runs: 50 },
  )
  t.match(names, [{ class: 'both', rules: ['2.1-userName'] }])
})

t.test('a member that new adds in the wrong place is no mend', async (t) => {
  const withId = (place: number): Partial<Behaviour> => ({
    tokenMembers: (grant) => {
      const members = tokenMembers(grant)
      return members.toSpliced(place, 0, ['userId', `id-of-${grant.bearer.userName}`])
    },
  })
  const declared = { section: /^2/, includesUserId: true }
  const [right, wrong] = [await found({}, withId(6), declared), await found({}, withId(4), declared)]
  t.match(right, [{ class: 'mends', rules: ['2.1-userId'] }])
  t.match(wrong, [{ class: 'breaks' }])
  t.ok(wrong[0]?.rules.includes('2.1-R3'))
  t.not(right[0]?.id, wrong[0]?.id)
})

t.test('nor is one that is another for each token, or the same for each account', async (t) => {
  const ids = new Set<string | undefined>()
  for (const [userId, own] of [
    [(name: string) => `id-of-${name}`, 'mends'],
    [() => randomUUID(), 'both'],
    [() => 'id-of-all', 'both'],
  ] as const) {
    const added: Partial<Behaviour> = {
      tokenMembers: (grant) => [...tokenMembers(grant), ['userId', userId(grant.bearer.userName)]],
    }
    const [finding, ...more] = await found({}, added, { section: /^2/, includesUserId: true })
    t.match(finding, { class: own, rules: ['2.1-userId'] })
    t.strictSame(more, [])
    ids.add(finding?.id)
  }
  t.equal(ids.size, 2, 'what was accepted as right covers no wrong one')
})

t.test('what new mends in most answers hides none in which it is wrong', async (t) => {
  const answering = (change: (name: string, value: unknown) => unknown): Partial<Behaviour> => ({
    tokenMembers: (grant) =>
      tokenMembers(grant).map(([name, value]) => [name, change(name, value) as Json] as const),
  })
  const toSecond = (member: string, wrong: unknown): Partial<Behaviour> => ({
    tokenMembers: (grant) =>
      tokenMembers(grant).map(([name, value]) =>
        name === member && grant.bearer.userName === ACCOUNTS[1]?.userName
          ? ([name, wrong as Json] as const)
          : ([name, value] as const),
      ),
  })
  const address = answering((name, value) => (name === 'userName' ? `${value}@example.com` : value))
  const iso = { formatDate: (ms: number) => new Date(ms).toISOString() }
  const text = answering((name, value) => (name === 'expires_in' ? String(value) : value))
  for (const [old, wrong, own] of [
    [address, toSecond('userName', 'BOB'), { class: 'both', rules: ['2.1-userName'] }],
    [iso, toSecond('expires_in', 3599), { class: 'breaks', rules: ['2.1-expires_in'] }],
    [text, toSecond('expires_in', 3599), { class: 'both', rules: ['2.1-expires_in'] }],
  ] as const) {
    const section = { section: /^2\.1\/token/ }
    const [mended, ...others] = await found(old, {}, section)
    t.match([mended?.class, others], ['mends', []])
    t.match(await found(old, wrong, section), [own, { id: mended?.id }])
  }
})

t.test('a policy that new mends hides no rejected account that it keeps', async (t) => {
  const old = findMutant('digits-not-required').behaviour()
  const kept = findMutant('password-without-digit-stored').behaviour()
  const right = await found(old, {}, { section: /^8\// })
  t.match(right, [{ class: 'mends', rules: ['8-require-digit'] }])
  const wrong = await found(old, kept, { section: /^8\// })
  t.match(wrong, [
    { class: 'breaks', rules: ['8-R1'], title: /; new keeps the account, or its name or address$/ },
  ])
  t.not(wrong[0]?.id, right[0]?.id)
  const reserved = await found(old, findMutant('name-kept-for-missing-digit').behaviour(), {
    section: /^8\//,
  })
  t.match(reserved[0], { class: 'breaks', rules: ['8-R1'] })
  t.not(reserved[0]?.id, right[0]?.id)
})

t.test('an account that is kept although its password is short is a break', async (t) => {
  const kept = findMutant('short-password-stored').behaviour()
  const findings = await found({}, kept, { section: /^8\// })
  t.match(findings, [
    { class: 'breaks', rules: ['8-R1'] },
    { class: 'breaks', rules: ['8-R1'], title: /^login of a new account with a short password/ },
  ])
})
