import t from 'tap'
import { assessTarget } from '../../conformance/run.js'
import { OUTCOMES_ALONE } from '../../conformance/session/run-context.js'
import { startEmbeddedProvider, startServers } from '../embedded-servers.js'
import { serversOf } from '../mutant-setups.js'
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
    const report = await assessTarget(servers.target, {
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
