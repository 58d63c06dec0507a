import t from 'tap'
import { type Behaviour, specifiedBehaviour } from '../../../../reference/behaviour.js'
import type { AccountPolicy } from '../../../../reference/policy.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import { LISTED_MESSAGES } from '../../../target/accounts/policy.js'
import { findDifferences } from '../find-differences.js'
import { startPair } from '../fixtures/pair.js'

const whole = loadSpecification()
const specification = {
  ...whole,
  cases: whole.cases.filter(({ id }) =>
    /^8\/(?:accepted-account|minimum-length|too-short|account-with-any-user-name)|^7\//.test(id),
  ),
  observations: [],
}

const policy = (change: Partial<AccountPolicy>): Partial<Behaviour> => ({
  policyInForce: (own) => ({ ...specifiedBehaviour.policyInForce(own), ...change }),
})
const eight = policy({ minimumLength: 8 })
const alphanumeric = policy({ alphanumericUserNamesOnly: true })
const first: Partial<Behaviour> = { rejectedBody: (errors) => ({ errors: errors.slice(0, 1) }) }
/** Every requirement at each rejected password, or one that it meets. */
const all = withMessages(Object.values(LISTED_MESSAGES))
const further = withMessages([LISTED_MESSAGES.uppercase])
function withMessages(messages: readonly string[]): Partial<Behaviour> {
  return { rejectedBody: (errors) => ({ errors: [...new Set([...errors, ...messages])] }) }
}
const none: Partial<Behaviour> = { rejectedBody: () => ({ errors: ['The request is invalid.'] }) }

/** The findings by which new breaks a rule: the rules of each, by its id. */
async function found(
  altered: Partial<Behaviour>,
  seed = 1,
  before: Partial<Behaviour> = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { old, new: now } = await startPair(t, { old: { altered: before }, new: { altered } })
  const { findings } = await findDifferences(old, now, { seed, runs: 1, specification })
  return new Map(findings.flatMap(({ id, rules }) => (rules.length === 0 ? [] : [[id, rules]])))
}

const ONE_EACH = '7-one-per-violation'

t.test('a stricter policy has its id, and hides no message that is left out or added', async (t) => {
  for (const [stricter, rule] of [
    [eight, '8-minimum-length'],
    [alphanumeric, '8-alphanumeric-user-names'],
  ] as const) {
    const alone = await found(stricter)
    t.strictSame([...alone.values()], [[rule]])
    for (const changed of [first, all, further]) {
      const [messages, both] = [await found(changed), await found({ ...stricter, ...changed })]
      t.ok([...messages.values()].every((rules) => rules.includes(ONE_EACH)))
      const ofPolicy = [...both].filter(([id]) => !messages.has(id))
      t.equal(both.size - ofPolicy.length, messages.size, rule)
      // A wrong message at the smallest account that is refused is a part of that finding.
      t.match(ofPolicy, changed === first ? [...alone] : [[String, [rule]]])
    }
  }
})

t.test('nor does a requirement that new mends hide its message where it is wrong', async (t) => {
  const fromOld = async (altered: Partial<Behaviour>) => found(altered, 1, policy({ requireDigit: false }))
  const always = withMessages([LISTED_MESSAGES.digit])
  const [right, wrong] = [await fromOld({}), await fromOld(always)]
  t.notOk([...right.values()].flat().includes(ONE_EACH))
  t.ok([...wrong.values()].flat().includes(ONE_EACH))
})

t.test('nor does it where new gives no reasons at all', async (t) => {
  for (const [stricter, rule] of [
    [eight, '8-minimum-length'],
    [alphanumeric, '8-alphanumeric-user-names'],
  ] as const) {
    const [both, again] = [await found({ ...stricter, ...none }), await found({ ...stricter, ...none }, 2)]
    t.strictSame([...again.keys()].sort(), [...both.keys()].sort(), 'the same with another seed')
    const rules = [...both.values()]
    t.strictSame(
      rules.filter((own) => own.includes(rule)),
      [[rule]],
    )
    t.ok(
      rules.some((own) => own.includes(ONE_EACH) && own.includes('7-digit-message')),
      `${rule}: ${rules.join('; ')}`,
    )
  }
})

t.test('messages that go with what new requires, and come with it, are no change of their own', async (t) => {
  const lenient = {
    requireNonLetterOrDigit: false,
    requireDigit: false,
    requireLowercase: false,
    requireUppercase: false,
  }
  const both = await found(policy({ minimumLength: 8, ...lenient }))
  t.notOk(
    [...both.values()].flat().some((rule) => rule.startsWith('7-')),
    [...both.values()].join('; '),
  )
})
