/** Services that others wrote, as the new one of a cut-over: what differs from the old one is what their source says. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { rehearse } from '../../conformance/assess/rehearsal/rehearse.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { startReference } from '../../tests/fixtures/reference.js'
import { findPackages } from './installed-version.js'
import { freePorts } from './listen.js'
import { ALICE, ENVIRONMENT, SERVERS } from './servers/servers.js'

/** Seconds: the end of a token's life is waited for. */
const LIFETIME = 8

const rehearsed = SERVERS.filter(({ rehearsal }) => rehearsal !== undefined)
t.ok(rehearsed.length >= 3)

for (const implementation of rehearsed) {
  const { name, folder, rehearsal = {} } = implementation
  const { isInstalled, versions } = findPackages(implementation, new URL('servers/', import.meta.url))
  t.test(`a cut-over to ${name}`, { skip: isInstalled ? false : versions }, async (t) => {
    const old = await startReference(t, {
      accounts: [{ ...ALICE, userId: '7d1f' }],
      tokenLifetime: LIFETIME,
      refreshTokens: true,
      protectedResource: true,
    })
    const [port, setupPort] = await freePorts(2)
    const file = fileURLToPath(new URL(`servers/${folder}/rehearse.yaml`, import.meta.url))
    const target = loadTargetFile(file, {
      ...ENVIRONMENT,
      INTEROP_OLD_URL: old.url,
      INTEROP_PORT: String(port),
      INTEROP_SETUP_PORT: String(setupPort),
      INTEROP_FOLDER: t.testdir({}),
      INTEROP_LIFETIME: String(LIFETIME),
    })
    const { verdict, cells, facts, inconclusive } = await rehearse(target)
    const red = [...cells, ...facts].flatMap(({ id, differs }) => (differs ? [id] : []))
    t.strictSame(red.toSorted(), Object.keys(rehearsal).toSorted())
    t.equal(verdict, 'different')
    t.strictSame(inconclusive, [])
    const own = cells.filter(({ issuer, acceptor }) => issuer === 'new' && acceptor === 'new')
    t.equal(own.filter(({ outcome }) => outcome === 'not-tried').length, 0, 'all of its own cells were tried')
  })
}
