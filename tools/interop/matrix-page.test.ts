import { readFileSync } from 'node:fs'
import t from 'tap'
import { renderMatrixPage } from './matrix-page.js'
import { faultsOf, tableOf } from './read-page.js'

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const [servers, signIns] = [read('interop'), read('sign-ins')]

t.test('the page of the site has what the documents have', async (t) => {
  const page = renderMatrixPage(servers, signIns, (id) => ({ statement: `Says ${id}`, link: `/${id}` }))
  const cells = (state: string): number => page.split(`<td data-state="${state}">`).length - 1
  const marks = (table: string, title: string, mark: string): number =>
    tableOf(table, title)
      .flat()
      .filter((text) => text === mark).length
  t.equal(cells('broken'), faultsOf(servers).length)
  t.equal(cells('broken'), marks(servers, 'rule', '✗'))
  t.equal(cells('cannot tell'), marks(servers, 'rule', '?'))
  t.equal(cells('holds'), marks(servers, 'rule', '✓'))
  t.equal(cells('signs in'), marks(signIns, 'client', '✓'))
  t.equal(cells('does not sign in'), marks(signIns, 'client', '✗'))
  t.equal(cells('is refused'), marks(signIns, 'client', '–'))
  // Each says why.
  t.notMatch(page, /title="[^"]*: "/)
  t.match(page, 'title="4.1-username at ejabberd, cannot tell: without a user name, which is no JID,')
  t.match(page, '<a href="/docs/interop.html#node-oauth-oauth2-server">')
  t.notMatch(page.slice(page.indexOf('<main')), /\n\n/, 'Markdown would begin again after an empty line')
})

t.test('names and rules are text', async (t) => {
  const hostile = servers.replaceAll('ejabberd', '<img src=x>"{{ 1 }}')
  const page = renderMatrixPage(hostile, signIns, () => ({ statement: '<script>', link: '#' }))
  t.notMatch(page, '<img')
  t.notMatch(page.slice(page.indexOf('<main')), '<script>')
})
