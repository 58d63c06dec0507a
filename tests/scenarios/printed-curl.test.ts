/** The command that is printed under a failure is run, by a shell and the real curl, and shows the failure. */
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startProvider } from '../../reference/provider/provider.js'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'

const PASSWORD = `Alice & 100% 'quoted'`
const REDIRECT = 'http://127.0.0.1/callback'

const withoutCurl = ((): string | false => {
  try {
    return execFileSync('curl', ['--version'], { encoding: 'utf8' }).startsWith('curl ') ? false : 'no curl'
  } catch {
    return 'there is no curl on this machine'
  }
})()

/** What the first command that is printed for a rule prints, run twice. */
async function repeat(
  t: Test,
  rule: string,
  only: string,
  behaviour: Partial<Behaviour>,
): Promise<readonly string[]> {
  await using provider = await startProvider({
    clients: [{ clientId: 'acme', clientSecret: 's', redirectUris: [REDIRECT] }],
  })
  const { tokenEndpoint, userInfoEndpoint } = provider
  const acme = { clientId: 'acme', clientSecret: 's', redirectUri: REDIRECT, tokenEndpoint, userInfoEndpoint }
  await using server = await startReferenceServer({
    accounts: [
      { userName: 'alice', password: PASSWORD, externalLogins: [{ provider: 'acme', subject: 'alice' }] },
    ],
    providers: [{ name: 'acme', ...acme }],
    hashing: 'fast',
    behaviour,
  })
  const target = {
    baseUrl: server.url,
    accounts: [{ userName: 'alice', password: `\${ALICE_PASSWORD}` }],
    registration: { request: REGISTRATION_REQUEST },
    externalLogin: {
      prepare: {
        request: { method: 'POST', url: `${provider.url}/code`, json: { user: 'alice', clientId: 'acme' } },
        capture: { code: '/code' },
      },
      request: { method: 'POST', path: '/external-login', json: { provider: 'acme', code: '$code' } },
      account: 'alice',
    },
  }
  const cwd = t.testdir({})
  writeFileSync(join(cwd, 'token-assay.json'), JSON.stringify(target))
  // What prepares a sign-in may be a secret: a command takes it from the environment.
  const env = { ALICE_PASSWORD: PASSWORD, TOKEN_ASSAY_CLIENTID: 'acme' }
  await callCommand(['run', '--only', only, '--runs', '1', '--quiet'], { cwd, env })
  const command = readReport(cwd)
    .results.flatMap(({ judgements }) => judgements)
    .find((judgement) => judgement.rule === rule && judgement.reproduce !== undefined)?.reproduce
  t.notMatch(command, /\n|‹/, 'one line, and nothing left to fill in')
  t.notMatch(command, PASSWORD)
  const all: string[] = []
  for (const _ of ['first', 'second']) {
    // Not in step: the server is in this process.
    const sh = promisify(execFile)('sh', ['-c', command ?? 'false'], {
      env: { ...process.env, ...env },
      timeout: 300_000,
    })
    all.push((await sh).stdout)
  }
  return all
}

t.test('of a declared account', { skip: withoutCurl }, async (t) => {
  const shown = await repeat(t, '2.1-token_type', '2.1/token-response', { tokenType: () => 'Bearer' })
  for (const answer of shown) {
    t.match(answer, /^HTTP\/1\.1 200 /)
    t.match(answer, '"token_type":"Bearer"')
  }
})

t.test('of an account that the run registered', { skip: withoutCurl }, async (t) => {
  const shown = await repeat(t, '4.1-method', '4.1-method', { acceptsMethod: () => true })
  for (const answer of shown) {
    t.match(answer, /^HTTP\/1\.1 200 /)
    t.match(answer, '"access_token"')
  }
})

t.test('of an address that two accounts have', { skip: withoutCurl }, async (t) => {
  const shown = await repeat(t, '8-unique-email', '8-unique-email', {
    emailKey: () => crypto.randomUUID(),
  })
  for (const answer of shown) t.match(answer, /^HTTP\/1\.1 201 /)
})

t.test('of a sign-in through a provider', { skip: withoutCurl }, async (t) => {
  const shown = await repeat(t, '4.2-external-login', '4.2/external-login', {
    tokenMembers: (grant, kind) =>
      specifiedBehaviour
        .tokenMembers(grant, kind)
        .filter(([name]) => kind !== 'external-login' || name !== '.issued'),
  })
  for (const answer of shown) {
    t.match(answer, /^HTTP\/1\.1 200 /)
    t.match(answer, '"userName":"alice"')
    t.notMatch(answer, '.issued')
  }
})
