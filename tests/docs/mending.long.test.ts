/** The fixes that the pages of the rules show for Express, taken together, make a service that conforms. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { assess } from '../../index.js'
import { explanations } from '../../spec/generated/explanations.js'

/** What the code leaves to the application. */
const BEFORE = `
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import express from 'express'

const app = express()
const policy = { minimumLength: 6, nonLetterOrDigit: true, digit: true, lowercase: true, uppercase: true, alphanumericUserNamesOnly: false, uniqueEmail: true }
const includesUserId = process.env.USER_ID === 'yes'
const tokens = new Map()
const emails = new Set()
const callbacks = new Map([['acme', 'https://service.example/callback']])
const argon2 = { hash: (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }), verify }
const all = new Map()
const accounts = {
  byUserName: async (name) => all.get(name),
  byLogin: async (provider, subject) => (provider === 'acme' ? all.get(subject) : undefined),
  add: async (account) => all.set(account.userName, { ...account, id: String(all.size + 1) }),
}
const redeem = async (provider, code) => ({ provider, subject: code })
`
const AFTER = `
await accounts.add({ userName: 'alice', passwordHash: await argon2.hash('Correct-horse-1') })
await accounts.add({ userName: 'Zoë Straße', passwordHash: await argon2.hash('Zoë & 100% of =x+y') })
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

const accounts = [
  { userName: 'alice', password: 'Correct-horse-1' },
  { userName: 'Zoë Straße', password: 'Zoë & 100% of =x+y' },
]

for (const includesUserId of [false, true])
  t.test(`the Express code, ${includesUserId ? 'with' : 'without'} userId, is conformant`, async (t) => {
    const code = explanations.mendings.map((mending) => mending.code.express)
    const folder = t.testdir({ 'server.mjs': [BEFORE, ...code, AFTER].join('\n') })
    const child = spawn(process.execPath, [join(folder, 'server.mjs')], {
      env: { ...process.env, USER_ID: includesUserId ? 'yes' : 'no' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const [port] = await once(child.stdout, 'data')
    const report = await assess(
      {
        baseUrl: `http://127.0.0.1:${String(port).trim()}`,
        accounts,
        includesUserId,
        registration: {
          request: {
            path: '/accounts',
            json: { userName: '$userName', email: '$email', password: '$password' },
          },
        },
        externalLogin: {
          request: { path: '/external-login', json: { provider: 'acme', code: 'alice' } },
          account: 'alice',
          withoutCallback: { path: '/external-login', json: { provider: 'no-callback' } },
        },
      },
      { runs: 3 },
    )
    t.strictSame(
      report.rules.flatMap(({ id, outcome }) => (outcome === 'failed' || outcome === 'cantTell' ? [id] : [])),
      [],
    )
    t.equal(report.verdict, 'conformant')
    const judged = report.rules.filter(({ outcome }) => outcome === 'passed').length
    t.ok(judged > 45, `${judged} rules are judged`)
  })

t.test('the code of every stack is short, and is in all four', async (t) => {
  const source = readFileSync(new URL('../../spec/explanations.yaml', import.meta.url), 'utf8')
  t.notMatch(source, /[“”’]/, 'no quotes that a compiler does not know')
  for (const { id, code } of explanations.mendings)
    for (const [stack, text] of Object.entries(code)) t.ok(text.split('\n').length <= 30, `${id}, ${stack}`)
})
