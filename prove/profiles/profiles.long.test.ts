import t from 'tap'
import { assessTarget } from '../../conformance/assess/assess-target.js'
import { OUTCOMES_ALONE } from '../../conformance/drivers/send/session/run-context.js'
import { resolveScoped } from '../../conformance/target/resolve-scoped.js'
import type { Behaviour } from '../../reference/behaviour.js'
import { startEmbeddedProvider, startServers } from '../../reference/embedded/embedded-servers.js'
import { profileSpecification } from '../jobs/run-job.js'
import { serversOf } from '../jobs/setups.js'
import { limited } from '../variants/refusals.js'
import { PROFILE_PROOFS } from './index.js'

// A service can keep the specification and each profile at once: the rules of a profile ask for nothing that breaks it.
for (const [name, { variants }] of Object.entries(PROFILE_PROOFS)) {
  t.test(`${name}: the server that passes it keeps the specification too`, async (t) => {
    const [base] = variants
    if (base === undefined) {
      t.fail('there is no such server')
      return
    }
    const provider = await startEmbeddedProvider()
    t.teardown(() => provider.close())
    await using servers = await startServers({
      ...{ name, provider, settings: serversOf(base.needs) },
      altered: () => ({ ...base.options, behaviour: base.behaviour() }),
      declares: base.declares ?? {},
    })
    const report = await assessTarget(resolveScoped(servers), {
      ...{ seed: 1, runs: 20, deployments: [base.needs], ...OUTCOMES_ALONE },
    })
    const red = report.rules.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
    t.strictSame(
      red.map(({ id, outcome }) => [id, outcome]),
      [],
    )
    t.equal(report.verdict, 'conformant')
  })
}

// What a service may do for other reasons turns no rule red: what it hides is not judged.
const INNOCENT: Readonly<Record<string, () => Partial<Behaviour>>> = {
  'answers 429 beyond thirty requests a second': limited(30),
  'locks an account after three wrong passwords': () => {
    const failures = new Map<string, number>()
    return {
      signIn: ({ account, matches }) => {
        const before = failures.get(account?.userId ?? '') ?? 0
        if (account === undefined || before >= 3) return undefined
        failures.set(account.userId, matches ? 0 : before + 1)
        return matches ? account : undefined
      },
    }
  },
  'has a clock that is an hour slow': () => ({
    dateHeader: (now) => new Date(now - 3_600_000).toUTCString(),
    issuedAt: (now) => Math.floor(now / 1000) * 1000 - 3_600_000,
  }),
}

for (const [profile, { variants }] of Object.entries(PROFILE_PROOFS))
  for (const [what, innocent] of Object.entries(INNOCENT))
    t.test(`${profile}: a service that ${what}`, async (t) => {
      const [base] = variants
      const provider = await startEmbeddedProvider()
      t.teardown(() => provider.close())
      await using servers = await startServers({
        ...{ name: profile, provider, settings: serversOf('default') },
        altered: () => ({ ...base?.options, behaviour: { ...base?.behaviour(), ...innocent() } }),
      })
      const report = await assessTarget(resolveScoped(servers), {
        ...{ seed: 1, runs: 20, only: [`${profile}:*`], ...OUTCOMES_ALONE },
        specification: profileSpecification(profile),
      })
      const red = report.rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
      t.strictSame(red, [])
      t.ok(
        report.rules.some(({ outcome }) => outcome === 'passed'),
        'something was judged',
      )
    })
