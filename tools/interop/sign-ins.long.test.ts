import { readFileSync } from 'node:fs'
import t from 'tap'
import { CLIENTS } from './clients/clients.js'
import { tableOf } from './read-page.js'
import { SERVERS } from './servers/servers.js'
import { measureSignIns, REFERENCE } from './sign-ins.js'
import { MARKS } from './sign-ins-page.js'

const page = readFileSync(new URL('../../docs/sign-ins.md', import.meta.url), 'utf8')
const rows = new Map(tableOf(page, 'client').map(([name = '', _, ...marks]) => [name, marks]))
const columns = [REFERENCE, ...SERVERS.map(({ name }) => name)]

t.test('the page has every client at every server, and all sign in at the reference server', async (t) => {
  t.strictSame(
    [...rows.keys()],
    CLIENTS.map(({ name }) => name),
  )
  for (const [name, marks] of rows) {
    t.equal(marks.length, columns.length, name)
    t.equal(marks[0], MARKS['signs in'], name)
  }
})

// Those that the lock files of npm hold fixed, one of each outcome among them.
const clients = CLIENTS.filter(({ from }) => from === 'npm')
const servers = SERVERS.filter(({ from }) => from === 'npm')
for await (const { server, outcomes } of measureSignIns(clients, servers))
  t.test(`clients at ${server}`, async (t) => {
    for (const [client, outcome] of outcomes ?? []) {
      const skip = outcome === 'not tried' && `${client} is not installed`
      t.equal(MARKS[outcome], rows.get(client)?.[columns.indexOf(server)], client, { skip })
    }
  })
