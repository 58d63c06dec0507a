import t from 'tap'
import type { Finding } from '../../../spec/generated/types/differential.js'
import { sampleDifferential } from '../../fixtures/sample-differential.js'
import { differentialSentence, hurtText, undecidedOf } from './words.js'

const [first] = sampleDifferential.findings

t.test('the last line says how many changes break sign-in, and how many registration', async (t) => {
  const sentence = (...all: Finding['hurts'][]): string =>
    differentialSentence({
      ...sampleDifferential,
      findings: all.map((hurts) => ({ ...(first as Finding), hurts })),
    })
  t.match(sentence('sign-in'), 'notice, which breaks sign-in, in')
  t.match(sentence('registration'), 'notice, which breaks registration, in')
  t.match(sentence('answers'), 'notice, which breaks neither sign-in nor registration, in')
  t.match(sentence('answers', 'headers'), 'notice, none of which breaks sign-in or registration, in')
  t.match(sentence('registration', 'none'), 'notice, 1 of them breaks registration, in')
  t.match(
    sentence('sign-in', 'sign-in', 'registration'),
    'notice, 2 of them break sign-in, 1 breaks registration, in',
  )
  t.match(
    sentence('users', 'sign-in', 'registration'),
    'notice, 1 of them lets in wrong credentials, 1 breaks sign-in, 1 breaks registration, in',
  )
  t.match(sentence('none'), /requests\..* 2 more are undecided\./, 'what may be worse is not passed over')
})

t.test(
  'what no client could be tried with may break one, where it ends a sign-in or a registration',
  async (t) => {
    const clients = {
      tried: 0,
      breaks: [],
      gains: [],
      inconclusive: [],
      notTried: 'it is about a registration',
    }
    const openOf = (hurts: Finding['hurts'], more: Partial<Finding> = {}): readonly string[] => {
      const { accepted: _, ...finding } = first as Finding
      const findings = [{ ...finding, hurts, title: 'registration', clients, ...more }]
      return undecidedOf({ ...sampleDifferential, clients: [], failOn: 'broken-client', findings })
    }
    for (const hurts of ['users', 'sign-in', 'registration'] as const)
      t.strictSame(openOf(hurts), ['registration: clients not tried: it is about a registration'], hurts)
    for (const hurts of ['answers', 'refusals', 'none', 'headers'] as const)
      t.strictSame(openOf(hurts), [], hurts)
    t.strictSame(openOf('registration', { accepted: { reason: 'no client registers' } } as never), [])
  },
)

t.test('where only an accepted entry is stale, the last line speaks of no change', async (t) => {
  const accepted = { file: 'accepted.yaml', stale: ['5f0a11c2d3e4b596: no difference is this one'] }
  const report = { ...sampleDifferential, findings: [], flaky: [], inconclusive: [], accepted }
  t.match(
    differentialSentence({ ...report, verdict: 'different', asked: 40 }),
    /^✗ 1 accepted entry is stale; no difference in 40 requests\.$/,
  )
})

t.test('the last line says how many requests were skipped', async (t) => {
  const report = { ...sampleDifferential, asked: 40, skipped: 263 }
  const alike = { ...report, findings: [], verdict: 'same' as const }
  t.match(differentialSentence(alike), /^✓ No difference in 40 requests, 263 skipped\.$/)
  t.match(differentialSentence(report), /, in 40 requests, 263 skipped\./)
})

t.test('a date that changes alone hurts those who read it, and each in its own way', async (t) => {
  const says = (...changes: readonly (readonly [at: string, old: string, now: string])[]) =>
    hurtText({
      ...(first as Finding),
      hurts: 'answers',
      differences: changes.map(([at, old, now]) => ({ at, old, new: now })),
    })
  const late = ['/.expires', '1209600 s after `/.issued`', '1216800 s after `/.issued`'] as const
  t.equal(says(late), 'Clients that read `.expires` keep a token that has expired')
  const [at, old, now] = late
  t.equal(says([at, now, old]), 'Clients that read `.expires` drop a token that is still good')
  t.equal(
    says([at, '3600 s before `Date`', old]),
    'Clients that read `.expires` keep a token that has expired',
  )
  t.equal(says(late, ['/expires_in', '1209599', '1216799']), 'Clients that read answers', 'a longer lifetime')
})
