import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Report } from '../../../spec/model/report.js'
import { type Assayed, assayRealClient, CLIENTS, difference } from './clients.js'
import { renderClients } from './page.js'

const [first] = CLIENTS
if (first === undefined) throw new Error('there are no clients')
const { broken: _, advice: __, ...good } = first

t.test('a client that is not installed is skipped by name, and never green', async (t) => {
  for (const from of ['npm', 'Debian'] as const) {
    const absent = await assayRealClient({ ...good, from, packages: ['no-such-client'] })
    t.match(absent, { report: undefined, versions: 'no-such-client not installed' })
    const page = renderClients([absent])
    t.match(page, '0 of 1 clients are installed and were run, in 0 languages; 1 skipped.')
    t.match(page, '| simple-oauth2 | JavaScript | no-such-client not installed | skipped | |')
    t.notMatch(page, 'conformant')
  }
})

t.test('a verdict other than the source has said is a difference', async (t) => {
  const report = (verdict: Report['verdict'], failed: readonly string[]): Assayed => {
    const rules = failed.map((id) => ({ id, outcome: 'failed' }))
    // The rest of a report is not looked at.
    return { client: good, versions: '', report: { verdict, rules } as unknown as Report }
  }
  t.equal(difference(report('conformant', [])), undefined)
  t.match(difference(report('inconclusive', [])), /expected conformant \[\], found inconclusive \[\]/)
  t.match(difference(report('conformant', ['client:x'])), /found conformant \[client:x\]/)
})

t.test('docs/clients.md shows what is expected of each', async (t) => {
  const page = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8')
  for (const { name, broken = [], advice = [], because } of CLIENTS) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} | `))
    t.equal(row?.endsWith(` | ${broken.join(', ') || 'conformant'} | ${advice.join(', ')} |`), true, name)
    t.match(page, `## ${name}\n\n${because}\n`)
  }
})
