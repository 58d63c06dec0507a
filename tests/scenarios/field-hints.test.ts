/** What a failure says is its own reason, and how to go on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startReferenceServer } from '../../reference/server.js'
import { conforming, startMinimalServer } from '../../tests/fixtures/minimal-server.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }
const env = { TOKEN_ASSAY_PASSWORD: ALICE.password }
const ONE = ['--user-name', 'alice', '--only', '1/exchange', '--quiet']

t.test('an untrusted certificate: how to trust it, --ca and --insecure', async (t) => {
  await using server = await startReferenceServer({ accounts: [ALICE], hashing: 'fast', tls: 'self-signed' })
  const cwd = t.testdir({})
  writeFileSync(join(cwd, 'ca.pem'), server.certificate ?? '')
  const run = (...args: string[]) => callCommand(['run', server.url, ...ONE, ...args], { cwd, env })
  const refused = await run()
  t.equal(refused.exitCode, 3)
  t.match(
    refused.stdout.replace(/\s+/g, ' '),
    'Declare the authority as `tls.ca` in the target file, or give `--ca FILE`',
  )
  const trusted = await run('--ca', 'ca.pem')
  t.strictSame([trusted.exitCode, trusted.stderr], [0, ''])
  const insecure = await run('--insecure')
  t.equal(insecure.exitCode, 0)
  t.match(
    insecure.stderr,
    /^token-assay: warning: TLS certificates are not checked: anyone in between can read/,
  )
  for (const [name, text] of [
    ['empty.pem', ''],
    ['key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
  ] as const) {
    writeFileSync(join(cwd, name), text)
    const { exitCode, stderr } = await run('--ca', name)
    t.equal(exitCode, 2, name)
    t.match(stderr, /expected a PEM file with a certificate, found none\n$/)
    t.equal(stderr.trimEnd().split('\n').length, 1)
  }
  const both = await run('--insecure', '--ca', 'ca.pem')
  t.strictSame([both.exitCode, both.stderr.includes('give only one of them')], [2, true])
  const target = { baseUrl: server.url, accounts: [ALICE] }
  writeFileSync(join(cwd, 'token-assay.json'), JSON.stringify(target))
  const file = await callCommand(['run', '--ca', 'ca.pem', '--only', '1/exchange', '--quiet'], { cwd })
  t.equal(file.exitCode, 0, 'over a target file too')
})

t.test('a documented error that is not the documented one says in what', async (t) => {
  const described = { ...conforming.error, error_description: 'The client is not authorized.' }
  await using server = await startMinimalServer(ALICE, { error: described })
  const cwd = t.testdir({})
  const only = ['--user-name', 'alice', '--only', '4.1/*', '--runs', '3', '--quiet']
  await callCommand(['run', server.url, ...only], { cwd, env })
  const messages = readReport(cwd).results.flatMap(({ id, judgements }) =>
    judgements.flatMap(({ rule, message = '' }) =>
      rule === '7-token-error-body' && message !== '' ? [[id, message]] : [],
    ),
  )
  t.ok(messages.length > 3)
  for (const [, message] of messages) t.match(message, /^extra member `error_description`/)
  t.notMatch(messages.join('\n'), 'additionalGrantTypes', 'the service does say that it does not support it')
})

t.test('a grant type that is refused for another reason may be supported', async (t) => {
  await using server = await startMinimalServer(ALICE, {
    error: { error: 'unauthorized_client' },
    errorType: 'application/json',
  })
  const cwd = t.testdir({})
  const only = ['--user-name', 'alice', '--only', '4.1/unknown-grant-type', '--runs', '3', '--quiet']
  await callCommand(['run', server.url, ...only], { cwd, env })
  const messages = readReport(cwd).results.flatMap(({ judgements }) =>
    judgements.flatMap(({ rule, message = '' }) =>
      rule.startsWith('7-') && message !== '' ? [message] : [],
    ),
  )
  t.equal(messages.length, 2, 'the body and the media type')
  for (const message of messages)
    t.match(message, /\(declare `additionalGrantTypes` if the service is meant to support it\)$/)
})

t.test('two equal runs differ in nothing', async (t) => {
  await using server = await startReferenceServer({ accounts: [ALICE], hashing: 'fast' })
  const target = {
    baseUrl: server.url,
    accounts: [{ userName: 'alice', password: '${ALICE_PASSWORD}' }],
    registration: {
      request: REGISTRATION_REQUEST,
    },
  }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const run = (out: string) =>
    callCommand(['run', '--seed', '5', '--runs', '3', '--quiet', '--out', out], {
      cwd,
      env: { ALICE_PASSWORD: ALICE.password },
    })
  await run('a')
  await run('b')
  const { stdout } = await callCommand(['compare', 'a/report.json', 'b/report.json'], { cwd })
  t.match(stdout, /✓ No regression/)
  t.notMatch(stdout, 'Different observations')
  const { observations } = readReport(cwd, 'a/report.json')
  t.ok(observations.length > 20)
  for (const { id, observed } of observations) t.notMatch(observed, /\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d/, id)
})

t.test('a copied command takes the password from the variable that the target file names', async (t) => {
  await using server = await startMinimalServer(ALICE, {
    token: (name, now) => ({ ...conforming.token(name, now), token_type: 'Bearer' }),
  })
  const target = { baseUrl: server.url, accounts: [{ userName: 'alice', password: '${ALICE_PASSWORD}' }] }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const args = ['run', '--only', '2.1/token-response', '--runs', '1', '--quiet']
  await callCommand(args, { cwd, env: { ALICE_PASSWORD: ALICE.password } })
  const curl = readReport(cwd).results.flatMap(({ judgements }) =>
    judgements.flatMap(({ reproduce }) => reproduce ?? []),
  )
  t.match(curl[0], 'password="$ALICE_PASSWORD"'.replace('password=', ''))
})
