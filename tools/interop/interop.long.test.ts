import { readFileSync } from 'node:fs'
import t from 'tap'
import { type Assessed, assessImplementation, differences } from './assess-implementation.js'
import { findPackages } from './installed-version.js'
import { COMMAND, renderSection } from './page.js'
import { serverNamed } from './servers/servers.js'

const assessed: Assessed[] = []

const NPM = ['oauth2-mock-server', '@node-oauth/oauth2-server']
/** One of each language that needs a toolchain of its own. */
const DEBIAN = ['ejabberd', 'gin-jwt', 'Spring MVC', 'HttpListener (Mono)', 'Slim']

for (const implementation of [...NPM, ...DEBIAN].map(serverNamed)) {
  const { name, from } = implementation
  const { isInstalled, versions } = findPackages(implementation, new URL('servers/', import.meta.url))
  t.test(`what ${name} breaks`, { skip: from === 'npm' || isInstalled ? false : versions }, async (t) => {
    const one = await assessImplementation(implementation)
    assessed.push(one)
    t.equal(one.report?.verdict, 'nonconformant')
    if (one.report !== undefined) t.strictSame(differences(implementation, one.report), [])
  })
}

t.test('a counterexample and the command that repeats it are about the same request', async (t) => {
  // Two rules break in this search, on different inputs.
  const results = assessed.slice(0, NPM.length).flatMap(({ report }) => report?.results ?? [])
  const searched = results.filter(({ id }) => id === 'default/4.1/unknown-grant-type')
  t.strictSame(
    searched.map(({ judgements }) => judgements.find(({ outcome }) => outcome === 'failed')?.rule),
    ['4.1-grant_type', '7-token-error-body'],
  )
  // oauth2-mock-server also has other grants; both refuse what the other server answers wrongly.
  t.match(
    searched[0]?.judgements.find(({ rule }) => rule === '4.1-grant_type')?.counterexample?.values.grant,
    /^(client_credentials|authorization_code|refresh_token)$/,
  )
  const found = searched.flatMap(({ judgements }) => judgements.filter(({ outcome }) => outcome === 'failed'))
  for (const { counterexample, reproduce } of found)
    t.match(reproduce, `--data-raw grant_type=${counterexample?.values.grant} `)
})

t.test('docs/interop.md is what these reports say', async (t) => {
  const page = readFileSync(new URL('../../docs/interop.md', import.meta.url), 'utf8')
  for (const one of assessed)
    t.equal(page.includes(renderSection(one)), true, `stale: ${COMMAND} writes it anew`)
})
