import { createHash } from 'node:crypto'
import t from 'tap'
import { emptyPage, pageHeaders } from './page-headers.js'

t.test('nothing runs but the one script, and no one keeps, frames or sniffs the page', async (t) => {
  const sha = (text: string) => createHash('sha256').update(text).digest('base64')
  t.strictSame(pageHeaders({ style: 'a {}', script: 'f()' }), {
    'Content-Type': 'text/html;charset=UTF-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${sha('a {}')}'; script-src 'sha256-${sha('f()')}'; base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
  const fragment = pageHeaders({}, 'application/json')
  t.equal(fragment['Content-Type'], 'application/json')
  t.equal(
    fragment['Content-Security-Policy'],
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
})

t.test('a page of a sentence', async (t) => {
  t.match(emptyPage('Title', 'A sentence.'), /<title>Title<\/title>\n<p>A sentence\.<\/p>/)
})
