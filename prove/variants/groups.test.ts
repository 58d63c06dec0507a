import t from 'tap'
import { combined, groupsOf } from './groups.js'
import { VARIANTS } from './index.js'
import { type Variant, variant } from './variant.js'

const idsOf = (group: readonly Variant[]): readonly string[] => group.map(({ id }) => id)
const membersOf = ({ options = {}, behaviour, declares = {} }: Variant): readonly string[] =>
  [options, behaviour(), declares].flatMap(Object.keys)

t.test('each variant is in one group, whose variants differ in different members of one setup', async (t) => {
  const groups = groupsOf(VARIANTS)
  t.strictSame(groups.flatMap(idsOf).sort(), [...idsOf(VARIANTS)].sort())
  t.ok(groups.length < VARIANTS.length / 3, `${groups.length} groups of ${VARIANTS.length}`)
  for (const group of groups) {
    const members = group.flatMap((one) => [...new Set(membersOf(one))])
    t.strictSame(members.toSorted(), [...new Set(members)].sort(), idsOf(group).join())
    t.notOk(
      members.includes('rejectedBody') && members.includes('renderRegistration'),
      'the second renders the first',
    )
    t.equal(new Set(group.map(({ needs }) => needs)).size, 1)
  }
})

t.test('a slow one is alone, as it meets fewer inputs', async (t) => {
  for (const slow of ['argon2id', 'declared-rate-limit'])
    t.ok(groupsOf(VARIANTS).some((group) => idsOf(group).join() === slow))
})

t.test('one server differs in all of the ways, and each server by itself', async (t) => {
  const counting = variant('counting', 'It counts.', () => {
    let count = 0
    return { expiresIn: () => ++count }
  })
  const both = combined([
    counting,
    variant('created', 'It is created.', () => ({ successStatus: () => 201 }), {
      options: { basePath: '/a' },
      declares: { maxFailedLogins: 3 },
    }),
  ])
  const [one, another] = [both.behaviour(), both.behaviour()]
  t.strictSame(
    [one, another].map(({ expiresIn }) => expiresIn?.(60)),
    [1, 1],
  )
  t.equal(one.expiresIn?.(60), 2)
  t.strictSame(Object.keys(one), ['expiresIn', 'successStatus'])
  t.match(both, { options: { basePath: '/a' }, declares: { maxFailedLogins: 3 } })
})
