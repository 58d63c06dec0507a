import { readFileSync } from 'node:fs'
import t from 'tap'
import { faultsOf } from './read-page.js'

t.test('what servers of others break is read from the page as it is', async (t) => {
  const page = readFileSync(new URL('../docs/interop.md', import.meta.url), 'utf8')
  const faults = faultsOf(page)
  const servers = page.split(/^## /m).slice(1)
  // The page counts them itself.
  for (const section of servers) {
    const [name = ''] = section.split('\n')
    const count = /^\| broken \| (\d+) \|/m.exec(section)?.[1]
    if (count !== undefined) t.equal(String(faults.filter((fault) => fault.in === name).length), count, name)
  }
  t.match(
    faults.find(
      ({ rule, in: server }) => rule === '2.1-token_type' && server.startsWith('oauth2-mock-server '),
    ),
    { fault: '`token_type` is not "bearer"; expected `"bearer"`, actual `"Bearer"`.' },
  )
})
