import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { isActive } from '../../../reference/issued-token.js'
import { readToken } from '../../../reference/signed-token.js'
import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import { serve } from '../../../tests/fixtures/serve.js'
import { resolveTarget } from '../../target/target.js'
import { startCutOver } from './fixtures/cut-over.js'
import { NEW_KEY, OLD, OLD_KEY, READS_BOTH } from './fixtures/planted-fault.js'
import { redNames } from './fixtures/red-names.js'
import { rehearse } from './rehearse.js'

/** Whether a token is good, and whether the old service signed it, as a body of RFC 7662. */
type Introspection = (isGood: boolean, isOld: boolean) => object

/**
 * Rehearses `prod` and its replacement `candidate`, whose tokens one introspection endpoint behind both judges.
 * @param prodRefuses the status of a bad token at an endpoint that `prod` has by itself; default: there is none
 */
async function rehearseIntrospection(
  t: Test,
  introspection: Introspection,
  prodRefuses?: number,
): Promise<Rehearsal> {
  await using running = await startCutOver({ old: OLD, new: [() => READS_BOTH] })
  const { target, clock, restarts } = running
  const resourceAt = async (badStatus = 200) => {
    const host = await serve(t, async (request, response) => {
      const token = new URLSearchParams(await text(request)).get('token') ?? ''
      const found = readToken(token, [OLD_KEY, NEW_KEY])
      const isGood = found !== undefined && isActive(found.issued, performance.timeOrigin + clock.now())
      response.statusCode = isGood ? 200 : badStatus
      response.end(JSON.stringify(introspection(isGood, readToken(token, [OLD_KEY]) !== undefined)))
    })
    const request = { method: 'POST', path: '/introspect', form: { token: '$token' } }
    return { baseUrl: `http://${host}`, ...request, active: '/active' }
  }
  const { old, new: now } = target.deployments ?? {}
  const own = prodRefuses === undefined ? {} : { resource: await resourceAt(prodRefuses) }
  const deployments = {
    staging: { baseUrl: 'http://127.0.0.1:1' },
    candidate: { ...now, role: 'new' as const },
    prod: { ...old, ...own, role: 'old' as const },
  }
  return await rehearse(resolveTarget({ ...target, resource: await resourceAt(), deployments }), {
    clock,
    restarts: new Map(
      [...restarts].map(([side, restart]) => [side === 'old' ? 'prod' : 'candidate', restart]),
    ),
    maxWaitMs: 15 * 86_400_000,
  })
}

const right: Introspection = (isGood) => ({ active: isGood })
const LOST = ['password', 'refresh'].flatMap((grant) =>
  ['at-once', 'issuer-restarted', 'near-end'].map((when) => `candidate→resource, ${when}, ${grant}`),
)

t.test('roles by `role`, and a token is accepted where introspection says so', async (t) => {
  const report = await rehearseIntrospection(t, right)
  t.equal(report.verdict, 'as-expected', report.inconclusive.join('\n'))
  const life = [
    'at-once accepted',
    'issuer-restarted accepted',
    'acceptor-restarted not-tried',
    'near-end accepted',
    'after-end refused',
  ]
  t.equal(report.cells.length, 2 * 2 * 5, 'staging takes no part')
  for (const row of ['candidate→resource, ', 'prod→resource, '])
    t.strictSame(
      report.cells.filter(({ id }) => id.startsWith(row)).map(({ when, outcome }) => `${when} ${outcome}`),
      [...life, ...life],
      row,
    )
  t.equal(
    report.cells.find(({ when }) => when === 'acceptor-restarted')?.why,
    '`restart` is not declared for resource',
  )
  t.match(
    report.facts.find(({ id }) => id === 'resource, bad-token'),
    { value: 'refused (200)' },
  )
})

t.test(
  'the new service is the one whose role is `new`: its tokens are red where they are not active',
  async (t) => {
    const answers: Readonly<Record<string, Introspection>> = {
      'the word false': (isGood, isOld) => ({ active: isGood && isOld }),
      'a text': (isGood, isOld) => ({ active: isGood && (isOld || 'true') }),
      'no member': (isGood, isOld) => (isOld ? { active: isGood } : {}),
    }
    for (const [name, introspection] of Object.entries(answers))
      t.strictSame(redNames(await rehearseIntrospection(t, introspection)), LOST, name)
  },
)

t.test('introspection that answers 200 to a bad token refuses it as 401 does', async (t) => {
  const report = await rehearseIntrospection(t, right, 401)
  t.strictSame(redNames(report), [])
  t.strictSame(
    report.facts.filter(({ about }) => about === 'bad-token').map(({ of, value }) => `${of}: ${value}`),
    ['candidate: refused (200)', 'prod: refused (401)'],
  )
})

t.test('a resource that every token is active at is no measure', async (t) => {
  const report = await rehearseIntrospection(t, () => ({ active: true }))
  t.equal(report.verdict, 'inconclusive')
  t.match(report.inconclusive[0], /^resource accepts a token that no one issued: check `resource`$/)
})

t.test('an entry that names a deployment is not about a resource behind both', async (t) => {
  await using running = await startCutOver({
    old: OLD,
    new: [() => READS_BOTH],
    api: OLD,
    declares: { expect: { 'new→old': 'refused', 'old→new/api': 'refused' } },
  })
  const { target, clock, restarts } = running
  const report = await rehearse(resolveTarget(target), { clock, restarts, maxWaitMs: 0 })
  const red = redNames(report).filter((id) => id.includes('at-once, password'))
  t.strictSame(red, ['old→api, at-once, password', 'new→old/me, at-once, password'])
})
