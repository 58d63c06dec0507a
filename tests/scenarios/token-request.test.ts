/** Services that want more of a token request than the contract says: a client's name and password, another path. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'
import { type Arrival, alice, startFieldService } from '../fixtures/field-service.js'

const env = { CLIENT_ID: 'web app', CLIENT_SECRET: 'k$y' }
/** RFC 6749, section 2.3.1: both are encoded as in a form. */
const BASIC = `Basic ${Buffer.from('web+app:k%24y').toString('base64')}`
const RUN = ['run', '--only', '4.1/*', '--runs', '3', '--quiet', '--no-color']
const [clientId, clientSecret] = ['CLIENT_ID', 'CLIENT_SECRET'].map((name) => `\${${name}}`)

function failedRules(cwd: string): readonly string[] {
  return readReport(cwd).rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
}

t.test('credentials of the client as a header go with every token request', async (t) => {
  let without = 0
  const react = ({ headers, isToken }: Arrival) => {
    if (!isToken || headers.authorization === BASIC) return undefined
    without++
    return { status: 401 }
  }
  const service = await startFieldService(t, react)
  const basic = { userName: clientId, password: clientSecret }
  const target = { baseUrl: service.url, accounts: [alice], tokenRequest: { basic } }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const ended = await callCommand(RUN, { cwd, env })
  t.strictSame([ended.exitCode, without, failedRules(cwd)], [0, 0, []], ended.stdout)
  t.ok(service.requests() > 30)
  const text = JSON.stringify(readReport(cwd))
  t.notMatch(text, BASIC)
  t.match(text, '‹value of Authorization›')
})

t.test('parameters of the client go with every form and query, after what the case sends', async (t) => {
  const bodies: string[] = []
  const react = ({ body, path }: Arrival) => {
    const sent = body + path
    bodies.push(sent)
    if (!/grant_type|username/.test(sent) || sent.includes('Content-Disposition')) return undefined
    return /client_id["=:]+web\+?%?(20)? ?app/.test(sent) && /client_secret["=:]+k(\$|%24)y/.test(sent)
      ? undefined
      : { status: 401 }
  }
  const service = await startFieldService(t, react)
  const form = { client_id: clientId, client_secret: clientSecret }
  const target = { baseUrl: service.url, accounts: [alice], tokenRequest: { form } }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const ended = await callCommand(RUN, { cwd, env })
  t.strictSame([ended.exitCode, failedRules(cwd)], [0, []], ended.stdout)
  t.match(bodies.join('\n'), 'grant_type=password&username=alice&password=')
  const text = JSON.stringify(readReport(cwd))
  t.notMatch(text, /k(\$|%24)y/)
  t.match(text, 'client_secret=‹CLIENT_SECRET from the environment›')
})

t.test('another path is judged as 4.1-path, and the rest all the same', async (t) => {
  const service = await startFieldService(t, ({ path }) =>
    path.split('?')[0] === '/oauth/token' ? undefined : { status: 404 },
  )
  const target = { baseUrl: service.url, accounts: [alice], tokenRequest: { path: '/oauth/token' } }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const ended = await callCommand(RUN, { cwd, env })
  t.strictSame([ended.exitCode, failedRules(cwd)], [1, ['4.1-path']], ended.stdout)
})

t.test('a dollar sign in the path is one', async (t) => {
  const paths = new Set<string>()
  const service = await startFieldService(t, ({ path, isToken }) => {
    if (isToken) paths.add(path)
    return undefined
  })
  const target = { baseUrl: service.url, accounts: [alice], tokenRequest: { path: '/Token?$format=json' } }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const ended = await callCommand([...RUN, '--only', '4.1/password-grant'], { cwd, env })
  t.strictSame([ended.exitCode, failedRules(cwd)], [1, ['4.1-path']], ended.stdout + ended.stderr)
  t.ok(paths.has('/Token?$format=json'), [...paths].join())
})

t.test('what a token request cannot hold is refused with its place', async (t) => {
  const cwd = t.testdir({})
  const problems = [
    [{ form: { password: 'x' } }, /expected a parameter that the contract does not name/],
    [{ headers: { 'content-type': 'text/plain' } }, /a header name other than Content-Type/],
    [{ path: 'oauth' }, /expected a path that begins with \//],
    [
      { headers: { authorization: 'Bearer x' }, basic: { userName: 'a', password: 'b' } },
      /expected `basic` or an Authorization header, found both/,
    ],
  ] as const
  for (const [tokenRequest, message] of problems) {
    const target = { baseUrl: 'http://127.0.0.1:1', accounts: [alice], tokenRequest }
    writeFileSync(join(cwd, 'token-assay.json'), JSON.stringify(target))
    const { exitCode, stderr } = await callCommand(RUN, { cwd })
    t.equal(exitCode, 2)
    t.match(stderr, message)
  }
})
