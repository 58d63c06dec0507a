/** What the pages for those who come from another mock show works as it is written, where that mock is on npm. */

import { readFileSync } from 'node:fs'
import t from 'tap'
import { startReferenceServer } from '../../index.js'
import { blocksOf, typescriptOf } from '../fixtures/page.js'
import { runAsUser } from '../fixtures/run-as-user.js'

t.test('oauth2-mock-server: before and after make one program', async (t) => {
  const page = 'docs/from-oauth2-mock-server.md'
  t.ok(blocksOf(page).filter(({ language }) => language === 'ts').length > 8)
  const { exitCode, stdout, stderr } = await runAsUser(...typescriptOf(t, page))
  t.strictSame({ exitCode, stdout, stderr }, { exitCode: 0, stdout: '', stderr: '' })
})

t.test('mock-oauth2-server: every call of the control plane that the page shows is taken', async (t) => {
  const text = readFileSync('docs/from-mock-oauth2-server.md', 'utf8')
  const calls = Array.from(text.matchAll(/control\("(\/[\w/]+)", """(\{.*?\})"""\)/g), ([, path, json]) => ({
    path,
    json,
  }))
  t.equal(calls.length, 5)
  const secret = 'a-secret-of-this-test'
  await using server = await startReferenceServer({
    accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
    hashing: 'fast',
    control: { secret },
  })
  // For what is waited for.
  await fetch(`${server.url}/Token`, { method: 'POST' })
  for (const { path, json = '' } of calls) {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${server.controlUrl}${path}`, { method: 'POST', headers, body: json })
    t.ok(answer.ok, `${path} ${json}: ${answer.status} ${await answer.text()}`)
  }
})
