import t from 'tap'
import { type Behaviour, specifiedBehaviour } from '../../../../reference/behaviour.js'
import type { AccountPolicy } from '../../../../reference/policy.js'
import { loadSpecification } from '../../../../spec/load/specification.js'
import { findDifferences } from '../find-differences.js'
import { startPair } from '../fixtures/pair.js'

const whole = loadSpecification()
const specification = {
  ...whole,
  cases: whole.cases.filter(({ id }) =>
    /^8\/(?:accepted-account|minimum-length|too-short|no-non-letter-or-digit)/.test(id),
  ),
  observations: [],
}

const policy = (change: Partial<AccountPolicy>): Partial<Behaviour> => ({
  policyInForce: (own) => ({ ...specifiedBehaviour.policyInForce(own), ...change }),
})

/** The ids of what new lets pass, by the rule that is broken. */
async function idsOf(altered: Partial<Behaviour>): Promise<Readonly<Record<string, string>>> {
  const { old, new: now } = await startPair(t, { new: { altered } })
  const { findings } = await findDifferences(old, now, { seed: 1, runs: 1, specification })
  return Object.fromEntries(
    findings.flatMap(({ rules: [rule], id }) => (rule === undefined ? [] : [[rule, id]])),
  )
}

t.test(
  'that new lets pass what another rule forbids is another finding, with an id of its own',
  async (t) => {
    const [five, both, four, created] = await Promise.all([
      idsOf(policy({ minimumLength: 5 })),
      idsOf(policy({ minimumLength: 5, requireNonLetterOrDigit: false })),
      idsOf(policy({ minimumLength: 4 })),
      idsOf({ ...policy({ minimumLength: 5 }), registeredStatus: () => 200 }),
    ])
    const rule = '8-minimum-length'
    t.ok(five[rule])
    t.strictSame(Object.keys(both).sort(), [rule, '8-require-non-letter-or-digit'])
    t.equal(both[rule], five[rule], 'the same beside another one')
    t.equal(created[rule], five[rule], 'and where new says so by another status')
    t.not(four[rule], five[rule], 'passwords that are shorter still')
  },
)
