import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Report } from '../../../spec/model/report.js'
import { assessImplementation, differences } from '../assess-implementation.js'
import { renderPage } from '../page.js'
import { SERVERS, serverNamed } from './servers.js'

t.test('a server that is not installed is skipped by name, and never green', async (t) => {
  for (const from of ['Debian', 'npm'] as const) {
    const absent = await assessImplementation({
      ...serverNamed('oauth2-mock-server'),
      from,
      packages: ['no-such-server'],
    })
    t.match(absent, { report: undefined, versions: 'no-such-server not installed' })
    const page = renderPage([absent])
    t.match(page, '0 of 1 servers are installed and were run; 1 skipped.')
    t.match(page, '| 1 | oauth2-mock-server | TypeScript | no-such-server not installed | skipped |')
    t.match(page, '## oauth2-mock-server\n\nNot run.')
    t.notMatch(page, 'conformant')
  }
})

t.test('what the source did not foretell is a difference', async (t) => {
  const rules = [
    { id: 'a', outcome: 'failed' },
    { id: 'b', outcome: 'cantTell' },
    { id: 'c', outcome: 'passed' },
  ]
  // The rest of a report is not looked at.
  const report = { rules } as unknown as Report
  const as = (failed: readonly string[], cantTell: readonly string[]): readonly string[] => {
    const reasons = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, '']))
    return differences({ failed: reasons(failed), cantTell: reasons(cantTell) }, report)
  }
  t.strictSame(as(['a'], ['b']), [])
  t.strictSame(as([], ['b']), ['failed, which was not expected: a'])
  t.strictSame(as(['a', 'c'], ['b']), ['expected failed, and is not: c'])
  t.strictSame(as(['a', 'b'], []), ['expected failed, and is not: b', 'cantTell, which was not expected: b'])
})

t.test('docs/interop.md shows what is expected of each', async (t) => {
  const page = readFileSync(new URL('../../../docs/interop.md', import.meta.url), 'utf8')
  const own = (title: string): string =>
    page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  for (const [index, { name, language, byHand, packages, failed, cantTell }] of SERVERS.entries()) {
    const section = own(name)
    const broken = Array.from(section.matchAll(/^- \*\*(.*?)\*\*/gm), ([, rule]) => rule)
    const inconclusive = [...section.matchAll(/^Cannot tell (.*?):/gm)].flatMap(([, rules]) =>
      rules?.split(', '),
    )
    for (const [shown, reasons] of [
      [broken, failed],
      [inconclusive, cantTell],
    ] as const) {
      t.strictSame([...shown].sort(), Object.keys(reasons).sort(), name)
      for (const reason of Object.values(reasons))
        t.equal(section.includes(reason), true, `${name}: ${reason}`)
    }
    const row = `| ${index + 1} | ${name} | ${language}${byHand ? ', by hand' : ''} | ${packages[0]} `
    t.equal(page.includes(`\n${row}`), true, row)
  }
  t.notMatch(page, 'Not expected')
})
