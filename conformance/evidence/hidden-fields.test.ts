import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type Author, hideHeaders } from './hidden-fields.js'
import { Redactor } from './redact.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What stands in the place of a secret. */
const PLACEHOLDER = /‹(?:redacted|access token|password|secret)›/
const HIDING = ['conformance/evidence/hidden-fields.ts', 'conformance/evidence/redact.ts']

t.test('no other file hides a secret', async (t) => {
  const sources = ['conformance', 'reports', 'cli'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .map((name) => join(room, name).replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/fixtures\/|\/generated\//.test(name)),
  )
  const hiding = sources.filter((name) => PLACEHOLDER.test(readFileSync(join(ROOT, name), 'utf8')))
  t.strictSame(hiding.sort(), HIDING)
})

t.test('what is shown of a header depends on who wrote it', async (t) => {
  const token = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA'
  const redactor = new Redactor([])
  redactor.learnToken(token)
  const shown = (author: Author, name: string, value: string) =>
    hideHeaders([[name, value]], author, redactor)[0]?.[1]
  const cases: readonly (readonly [
    name: string,
    value: string,
    suite: string,
    client: string,
    anyone: string,
  ])[] = [
    ['Content-Type', 'text/plain', 'text/plain', 'text/plain', 'text/plain'],
    ['User-Agent', 'curl', 'curl', 'curl', '‹redacted›'],
    ['Authorization', 'Basic eDp5', '‹redacted›', '‹redacted›', '‹redacted›'],
    ['Authorization', `Bearer ${token}`, '‹redacted›', 'Bearer ‹access token›', '‹redacted›'],
    ['X-Api-Key', 'own', 'own', '‹redacted›', '‹redacted›'],
    [
      'X-Token',
      'access_token=a; session=b',
      'access_token=‹access token› session=b',
      '‹redacted›',
      '‹redacted›',
    ],
    ['Set-Cookie', 'a=b', '‹redacted›', '‹redacted›', '‹redacted›'],
    [
      'Location',
      '/?access_token=abc#x',
      '/?access_token=‹access token›#x',
      '/?access_token=‹access token›#x',
      '‹redacted›',
    ],
  ]
  for (const [name, value, suite, client, anyone] of cases) {
    t.equal(shown('suite', name, value), suite, `${name} of the suite`)
    t.equal(shown('tested client', name, value), client, `${name} of a tested client`)
    t.equal(shown('anyone', name, value), anyone, `${name} of anyone`)
  }
})
