import { execFileSync } from 'node:child_process'
import t from 'tap'
import type { RequestTemplate } from '../../spec/model/case.js'
import { prepareRequest } from '../exchange/template.js'
import { accountBinding } from '../target/account-binding.js'
import { Redactor } from './redact.js'
import { commandLine, reproduce } from './reproduce.js'

const ALICE = { userName: 'alice', password: `Alice & 100% 'quoted' "twice" \\n` }
const deployment = {
  baseUrl: 'http://127.0.0.1:5000',
  accounts: [ALICE] as const,
  headers: [['Authorization', 'Basic Y2xpZW50']] as const,
  tls: { rejectUnauthorized: true, files: { ca: 'the ca.pem', key: '‹KEY from the environment›' } },
}
const redactor = new Redactor([
  { value: ALICE.password, label: 'password of alice' },
  { value: 'Basic Y2xpZW50', label: 'value of Authorization' },
  { value: 'http://127.0.0.1:5000', label: 'BASE from the environment' },
])
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  BASE: deployment.baseUrl,
  KEY: '/etc/key.pem',
  TOKEN_ASSAY_PASSWORD: ALICE.password,
  TOKEN_ASSAY_AUTHORIZATION: 'Basic Y2xpZW50',
}

/** What a shell makes of the command: the arguments of `curl`, and what is piped into it. */
function run(template: RequestTemplate): readonly string[] {
  const bindings = { account: accountBinding(ALICE, { deployment }) }
  const command = reproduce(
    { prepared: prepareRequest(template, bindings, ''), shownBase: deployment.baseUrl, target: deployment },
    redactor,
    deployment.accounts,
  )
  if (command.includes(ALICE.password) || command.includes('Y2xpZW50')) return ['a secret', command]
  const curl = `curl() { for word; do printf '%s\\n' "$word"; done; test "$PIPED" = yes && cat; :; }`
  const script = `${curl}; ${command.includes(' | curl') ? 'PIPED=yes' : 'PIPED=no'}; ${command}`
  return execFileSync('sh', ['-c', script], { env: environment, encoding: 'utf8' }).split('\n').slice(0, -1)
}

const TLS = ['--cacert', 'the ca.pem', '--key', '/etc/key.pem']
const ALWAYS = ['-i', '--path-as-is', '-X', 'POST', ...TLS, '-H', 'Authorization: Basic Y2xpZW50']
const URL_SENT = 'http://127.0.0.1:5000/Token'

t.test('takes secrets from the environment, in whichever body they are', async (t) => {
  t.strictSame(run({ form: { username: '$account.userName', password: '$account.password' } }), [
    ...ALWAYS,
    '-H',
    'Content-Type: application/x-www-form-urlencoded',
    '--data-raw',
    'username=alice',
    '--data-urlencode',
    `password=${ALICE.password}`,
    URL_SENT,
  ])
  t.strictSame(run({ json: { password: '$account.password' } }), [
    ...ALWAYS,
    '-H',
    'Content-Type: application/json',
    '--data-binary',
    JSON.stringify({ password: ALICE.password }),
    URL_SENT,
  ])
})

t.test('leaves it to curl to encode what a variable holds in a query', async (t) => {
  t.strictSame(run({ query: { a: 'b c', password: '$account.password' } }), [
    ...ALWAYS,
    '--url-query',
    `password=${ALICE.password}`,
    `${URL_SENT}?a=b+c`,
  ])
})

t.test('pipes a body with line ends, as it is', async (t) => {
  const words = run({ contentType: 'text/plain', body: '100%\r\n\\n $account.password\n' })
  t.strictSame(words, [
    ...ALWAYS,
    '-H',
    'Content-Type: text/plain',
    '--data-binary',
    '@-',
    URL_SENT,
    '100%\r',
    `\\n ${ALICE.password}`,
  ])
})

t.test('asks for no body after HEAD', async (t) => {
  const [flags, , method, ...others] = run({ method: 'HEAD' })
  t.strictSame([flags, method, others.includes('-X')], ['-i', '--head', false])
  const words = run({ method: 'HEAD', form: { grant_type: 'password' } })
  t.match(words.join(' '), '-X HEAD --ignore-content-length -H Connection: close')
})

t.test('takes a key of a case from the environment: the request is shown without it', async (t) => {
  environment.TOKEN_ASSAY_X_API_KEY = 'key-of-a-case'
  const words = run({ method: 'GET', headers: { 'X-Api-Key': 'another', Accept: '*/*' } })
  t.ok(words.includes('X-Api-Key: key-of-a-case') && words.includes('Accept: */*'))
})

t.test('sends empty headers, names as they are encoded, and brackets in an address', async (t) => {
  t.ok(run({ method: 'GET', headers: { 'User-Agent': '' } }).includes('User-Agent;'))
  t.match(run({ form: { 'pass word[]': '$account.password' } }).join('\n'), /^pass\+word%5B%5D=Alice/m)
  t.match(run({ method: 'GET', path: '/Token[1]' }).slice(-2), [
    '--globoff',
    'http://127.0.0.1:5000/Token[1]',
  ])
})

/** Of a form whose one value has this label. */
const ofLabel = (shown: string): string =>
  reproduce(
    {
      prepared: prepareRequest({ form: { a: '$b' } }, { b: { wire: 'xxx', shown } }, ''),
      shownBase: deployment.baseUrl,
      target: deployment,
    },
    redactor,
    deployment.accounts,
  )

t.test('pipes what is longer than a word of a shell', async (t) => {
  const piped = ofLabel('‹300000 × x›')
  t.match(piped, /^head -c 300000 \/dev\/zero \| tr '\\0' x \| curl .* --data-urlencode a@- /)
  const script = `curl() { cat; }; ${piped}`
  t.equal(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), 'x'.repeat(300_000))
})

t.test('writes a name in upper case, and says which command cannot be run', async (t) => {
  const upper = ofLabel('TA‹run in upper case›')
  const script = `curl() { for word; do case $word in a=*) printf %s "$word";; esac; done; }; ${upper}`
  t.match(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), /^a=TA[0-9A-F]{6}$/)
  t.match(ofLabel('‹wrong password›'), / # cannot be run: --replay sends what ‹…› stands for$/)
})

t.test('hides a secret in a command, also where quotes would spell it otherwise', async (t) => {
  const own = new Redactor([{ value: "it's-a-secret", label: 'FOLDER from the environment' }])
  const words = ['token-assay', 'run', '--ca', "it's-a-secret/my ca.pem", '--only', '$(x)*']
  const line = commandLine(words, (word) => own.text(word))
  t.equal(line, `token-assay run --ca "$FOLDER"'/my ca.pem' --only '$(x)*'`)
  const script = `FOLDER="it's-a-secret"; printf '%s\n' ${line}`
  t.equal(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), `${words.join('\n')}\n`)
})
