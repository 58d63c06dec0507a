import { readFileSync } from 'node:fs'
import t from 'tap'
import { faultsOf, tableOf } from './read-page.js'

t.test('what servers of others break is read from the page as it is', async (t) => {
  const page = readFileSync(new URL('../../docs/interop.md', import.meta.url), 'utf8')
  const faults = faultsOf(page)
  const servers = page.split(/^## /m).filter((section) => section.includes(' rules are broken, '))
  t.ok(servers.length >= 14)
  // The page counts them itself.
  for (const section of servers) {
    const [name = ''] = section.split('\n')
    const count = / (\d+) rules are broken, /.exec(section)?.[1]
    t.equal(String(faults.filter((fault) => fault.in === name).length), count, name)
  }
  t.match(
    faults.find(({ rule, in: server }) => rule === '2.1-token_type' && server === 'oauth2-mock-server'),
    { fault: '`token_type` is not "bearer"; expected `"bearer"`, actual `"Bearer"`.' },
  )
})

t.test('a value of a case may hold a colon and backquotes', async (t) => {
  const page =
    '## One\n\n- **4.1-R1**, a warning (`4.1/x`, a `"b: c"`, d ``` ` ```): it is wrong; expected `a`, actual `` ` ``. Why: `b`.\n'
  t.strictSame(faultsOf(page), [
    { rule: '4.1-R1', in: 'One', fault: 'It is wrong; expected `a`, actual `` ` ``.' },
  ])
})

t.test('a table is found by the title of its first column', async (t) => {
  const page =
    '| | a |\n| --: | --- |\n| 1 | x y |\n\n| rule | 1 |\n| --- | :-: |\n| 4.1-R1 | ✗ |\n| 4.1-R2 | ✓ |\n'
  t.strictSame(tableOf(page, ''), [['1', 'x y']])
  t.strictSame(tableOf(page, 'rule'), [
    ['4.1-R1', '✗'],
    ['4.1-R2', '✓'],
  ])
  t.strictSame(tableOf(page, 'client'), [])
})
