import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { folderReporterNames, reporterNames } from '../../reports/formats/reporters.js'
import { listen } from '../../tools/interop/listen.js'
import { callCommand } from '../fixtures/call-command.js'
import { filesBelow } from '../fixtures/files-below.js'

const PASSWORD = 'Zq+7%41 &ü="kept/secret'
const HEADER = 'Key-9/of+the=house'
/** Of more than 72 bytes: its last character is changed. */
const LONG = `Bob-${Array.from({ length: 20 }, (_, index) => index * 1_234_567 + 89).join('-')}`
/** Of a near miss that was shown in part, one is there in full. */
const PIECES = Array.from({ length: LONG.length - 20 }, (_, at) => LONG.slice(at, at + 20))
/** Near misses shorter than this may be words of their own. */
const SHORTEST = 8

/**
 * Breaks rules wherever that makes a report say more, and echoes what it was sent, in every spelling, as careless
 * services do. Remembers what must not be repeated.
 */
async function startGossip() {
  const secrets = new Set<string>([PASSWORD, HEADER, LONG, ...PIECES])
  const server = await listen(async (request, response) => {
    const body = await text(request)
    const form = new URLSearchParams(body)
    const password = form.get('password') ?? ''
    if (password.length >= SHORTEST) secrets.add(password)
    // Percent-encoded: a header holds no other text.
    response
      .setHeader('X-Debug', encodeURIComponent(password))
      .setHeader('X-Key', request.headers['x-key'] ?? '')
    const echo = [password, form.toString(), spellings(password), request.headers['x-key']]
    if (form.get('grant_type') !== 'password' || password === '') {
      response.writeHead(400, { 'Content-Type': 'application/json' })
      return void response.end(JSON.stringify({ error: 'unsupported_grant_type', echo }))
    }
    const token = `tok/${crypto.randomUUID()}+${Buffer.from(password).toString('hex')}=`
    secrets.add(token)
    response.writeHead(200, {
      'Content-Type': 'text/plain',
      'X-Token': token,
      'Set-Cookie': `session=${token}`,
    })
    response.end(
      JSON.stringify({ access_token: token, token_type: token, expires_in: token, userName: token, echo }),
    )
  })
  return Object.assign(server, { secrets })
}

t.test('nothing that was declared secret, sent as a password or issued is printed or written', async (t) => {
  await using server = await startGossip()
  const file = [
    `baseUrl: ${server.url}`,
    'accounts: [{ userName: alice, password: "${ALICE_PASSWORD}" }, { userName: bob, password: "${BOB_PASSWORD}" }]',
    'headers: { X-Key: "${KEY}" }',
  ]
  const cwd = t.testdir({ 'token-assay.yaml': file.join('\n') })
  const formats = [
    ...reporterNames.map((name) => `--reporter=${name}=token-assay-report/${name}`),
    ...folderReporterNames.map((name) => `--reporter=${name}=token-assay-report/${name}`),
  ]
  const env = { ALICE_PASSWORD: PASSWORD, BOB_PASSWORD: LONG, KEY: HEADER }
  const args = ['run', ...formats, '--runs', '10', '--strict']
  const full = await callCommand([...args, '--verbose'], { cwd, env })
  const waivers = ['--baseline', 'baseline.yaml', '--update-baseline']
  const brief = await callCommand(['run', '--out', 'brief', '--runs', '2', ...waivers], { cwd, env })
  t.equal(full.exitCode, 1)
  t.equal(brief.exitCode, 0, 'every failure is waived, and what cannot be judged for want of a waived member')
  clean(t, server.secrets, 'baseline', readFileSync(join(cwd, 'baseline.yaml'), 'utf8'))

  clean(t, server.secrets, 'full', full.stdout + full.stderr)
  clean(t, server.secrets, 'brief', brief.stdout + brief.stderr)
  for (const folder of ['token-assay-report', 'brief'])
    for (const [name, text] of filesBelow(join(cwd, folder))) clean(t, server.secrets, name, text)
  t.ok(server.secrets.size > 100, 'tokens were issued, and near misses sent')
})

function clean(t: Test, secrets: ReadonlySet<string>, where: string, output: string): void {
  const found = [...secrets].flatMap((secret) =>
    spellings(secret).filter((spelling) => spelling.length >= SHORTEST && output.includes(spelling)),
  )
  t.strictSame(found, [], where)
}

function spellings(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ v: secret }).toString().slice(2),
    json,
    json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ]
}

t.test('a value from the environment is shown by its name, however short it is', async (t) => {
  await using server = await listen(async (request, response) => {
    await text(request)
    response.writeHead(500).end()
  })
  const file = [
    `baseUrl: ${server.url}`,
    'accounts: [{ userName: alice, password: Correct-horse-1 }]',
    'headers: { X-Key: "${KEY}", X-Literal: house-key-1 }',
    'registration:',
    '  request: { path: "/of/${TENANT}/accounts", form: { user: $userName, key: "${KEY}" }, headers: { X-Tenant: "${TENANT}" } }',
  ]
  const cwd = t.testdir({ 'token-assay.yaml': file.join('\n') })
  const formats = [
    ...reporterNames.map((name) => `--reporter=${name}=token-assay-report/${name}`),
    ...folderReporterNames.map((name) => `--reporter=${name}=token-assay-report/${name}`),
  ]
  const env = { KEY: 'q7Z', TENANT: 'w8Y' }
  const args = ['run', ...formats, '--only', '8/registration', '--only', '4.1-R1', '--verbose']
  const { stdout, stderr } = await callCommand(args, { cwd, env })
  const outputs = new Map(filesBelow(join(cwd, 'token-assay-report')))
  for (const output of [stdout, stderr, ...outputs.values()]) {
    t.notMatch(output, /[:/="'> ](q7Z|w8Y)\b/)
    t.notMatch(output, /house-key-1/)
  }
  const report = outputs.get('report.partial.json') ?? ''
  t.match(report, '/of/‹TENANT from the environment›/accounts')
  t.match(report, 'key=‹KEY from the environment›')
})
