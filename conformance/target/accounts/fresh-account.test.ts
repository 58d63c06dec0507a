import fc from 'fast-check'
import t from 'tap'
import { loadSpecification } from '../../../spec/load/specification.js'
import { LISTED_POLICY } from '../../../spec/model/policy.js'
import { allowedUserName, email, userNames } from '../../generators/new-accounts.js'
import { freshAccount, isMadeUpEmail, isMadeUpName, nonceOf } from './fresh-account.js'

const made = (place: number, count: number, nonce: number) =>
  freshAccount(place, count, nonceOf(nonce), LISTED_POLICY, 'example.com')

/** What cases and observations of the suite register in front of a new name. */
const BEFORE_NAMES = [
  ...JSON.stringify(loadSpecification()).matchAll(/"userName":"([^"$]+)\$fresh\d?\.userName"/g),
].map(([, before = '']) => before)

t.test('each name that a run makes up is recognized, whatever a generator or a case puts into it', (t) => {
  for (const [place, count, nonce] of [
    [0, 0, 0],
    [85, 13_823, 191_102_975],
    [13_823, 13_823, 7],
    [575, 300_000, 7],
  ] as const) {
    const { userName, email: address } = made(place, count, nonce)
    t.ok(isMadeUpName(userName.wire) && isMadeUpEmail(address.wire), userName.wire)
    for (const end of ['', '@']) t.ok(isMadeUpEmail(userName.wire + end), 'an address that is none')
    for (const before of BEFORE_NAMES) t.ok(isMadeUpName(before + userName.wire), `${before} in front`)
    t.ok(isMadeUpName(`contoso-${userName.wire}`), 'a case of the user')
  }
  const unique = () => made(9, 9, 9).userName
  const scope = { deployment: { accounts: [] }, account: { userName: 'a', password: 'b' }, unique } as never
  for (const generator of [...userNames, allowedUserName])
    for (const example of [
      ...generator.examples(scope),
      ...fc.sample(generator.arbitrary(scope), { seed: 1, numRuns: 500 }),
    ]) {
      const { wire } = generator.bind(example, scope) as { wire: string }
      // In a path it may lead elsewhere: such a name stays.
      if (!/[\\/]\.{1,2}(?:[\\/]|$)/.test(wire)) t.ok(isMadeUpName(wire), JSON.stringify(example))
    }
  for (const example of [
    ...email.examples(scope),
    ...fc.sample(email.arbitrary(scope), { seed: 1, numRuns: 500 }),
  ])
    t.ok(isMadeUpEmail((email.bind(example, scope) as { wire: string }).wire), JSON.stringify(example))
  t.end()
})

t.test('no other name is', (t) => {
  const { wire } = made(1, 2, 3).userName
  const changed = wire.slice(0, 2) + (wire.charAt(2) === 'b' ? 'c' : 'b') + wire.slice(3)
  for (const name of [
    '',
    'alice',
    'administrator',
    '..',
    `${wire}/..`,
    `../${wire}`,
    changed,
    wire.slice(1),
    changed.toUpperCase(),
    '4000123412341234',
    '4000123412341234567',
    `x' OR 1=1 -- ${wire}`,
    `alice\0${wire}`,
    `${wire}/..;/alice`,
  ])
    t.notOk(isMadeUpName(name), JSON.stringify(name))
  for (const address of [
    `${wire}@example.com/../alice`,
    `${wire}@example.com\r\nx`,
    '',
    'alice',
    'alice@example.com',
    `alice@${wire}`,
    `../${wire}@example.com`,
  ])
    t.notOk(isMadeUpEmail(address), address)
  t.end()
})

t.test('names of people are hardly ever of that form', (t) => {
  const firsts =
    `james robert john michael william richard joseph thomas christopher kenneth timothy stephen justin benjamin
    gregory patrick peter roger jeremy kevin brian eric jeffrey scott henry douglas nigel elizabeth jennifer kimberly
    stephanie nicole christine emily virginia heather jessica evelyn cheryl joyce kelly lori penelope`.split(
      /\s+/,
    )
  const lasts =
    `smith johnson williams brown jones miller wilson moore lee thompson white lewis robinson young scott torres
    nguyen hill flores green nelson mitchell roberts phillips turner collins stewart morris murphy cook rogers peterson
    reed bennett hughes price myers long ross foster powell jenkins perry russell sullivan henderson coleman simmons`.split(
      /\s+/,
    )
  const names = firsts.flatMap((first) => lasts.flatMap((last) => [first + last, `${first}.${last}`]))
  const found = names.filter(isMadeUpName)
  t.ok(found.length * 300 < names.length, found.join(' '))
  t.end()
})
