import { readdirSync } from 'node:fs'
import t from 'tap'
import { listen } from '../../tools/interop/listen.js'
import { callCommand } from '../fixtures/call-command.js'
import { runCommand } from '../fixtures/command.js'

const PASSWORD = 'Correct-7-horses'
const CANARY = 'Canary-in-a-mine-7'

/** A server that must hear of none of this. */
let requests = 0
const server = await listen((_, response) => {
  requests += 1
  response.end()
})
t.teardown(() => server[Symbol.asyncDispose]())
const BASE = server.url
const ALICE = ['run', BASE, '--user-name', 'alice']

interface Misuse {
  readonly args: readonly string[]
  /** The message, on one line unless it lists several faults of a file. */
  readonly says: RegExp
  readonly password?: string
  readonly stdin?: string
  /** Further files of the working folder. */
  readonly files?: Readonly<Record<string, string>>
}

const MISUSES: Readonly<Record<string, Misuse>> = {
  'a base URL in the command’s place': {
    args: [BASE],
    says: /the first argument must be a command, as in `token-assay run BASE-URL`/,
  },
  'an unknown command': { args: ['rnu'], says: /unknown command `rnu`: did you mean `run`\?/ },
  'a base URL of another scheme': {
    args: ['run', `ftp://alice:${CANARY}@example.com`],
    says: /the base URL: expected .* such as http:\/\/127\.0\.0\.1:5000 \(http or https\)/,
  },
  'a base URL with userinfo': {
    args: ['run', BASE.replace('//', `//alice:${CANARY}@`)],
    says: /the base URL: expected .* without user name and password/,
  },
  'further arguments': { args: ['run', BASE, CANARY], says: /one base URL, found 2 arguments/ },
  'an unknown flag': {
    args: [...ALICE, `--password=${CANARY}`],
    says: /unknown flag `--password`: did you mean `--password-stdin`\?/,
  },
  'the flag of another tool': {
    args: [...ALICE, '--fail-fast'],
    says: /unknown flag `--fail-fast`: did you mean `--bail`\?/,
  },
  'another name of the time-out': {
    args: [...ALICE, '--timeout=5'],
    says: /did you mean `--max-duration`\?/,
  },
  'another name of the folder': { args: [...ALICE, '--output', 'x'], says: /did you mean `--out`\?/ },
  'a trace in the place of the target': {
    args: ['run', '--target', 't.yaml', '--trace', './t.yaml'],
    says: /t\.yaml is named twice: give each report its own file/,
    files: { 't.yaml': 'baseUrl: http://127.0.0.1:1\n' },
  },
  'a trace in the place of the report': {
    args: [...ALICE, '--out', 'o', '--trace', 'o/report.json'],
    says: /o\/report\.json is named twice/,
  },
  'a report in the place of the baseline': {
    args: ['client', '--baseline', 'b.yaml', '--reporter', 'json=b.yaml', '--', 'true'],
    says: /b\.yaml is named twice/,
    files: { 'b.yaml': '' },
  },
  'a comparison in the place of the accepted differences': {
    args: ['diff', '--old', BASE, '--new', BASE, '--accepted', 'a.yaml', '--reporter', 'json=a.yaml'],
    says: /a\.yaml is named twice/,
    files: { 'a.yaml': '' },
  },
  'a recording in the place of the key': {
    args: ['proxy', '--target', BASE, '--tls-key', 'k.pem', '--tls-cert', 'c.pem', '--record', 'k.pem'],
    says: /k\.pem is named twice/,
    files: { 'k.pem': '', 'c.pem': '' },
  },
  'another spelling of the account': {
    args: ['run', BASE, '--username=a'],
    says: /did you mean `--user-name`\?/,
  },
  'a shard without a seed': { args: [...ALICE, '--shard', '1/2'], says: /--shard needs --seed N, the same/ },
  'a flag without its value': {
    args: [...ALICE, '--seed', '--bail'],
    says: /--seed needs a value: --seed N/,
  },
  'no account': { args: ['run', BASE], says: /an account is needed .*--user-name NAME/ },
  'no password': {
    args: ALICE,
    password: '',
    says: /set the environment variable TOKEN_ASSAY_PASSWORD .* or use --password-stdin/,
  },
  'an empty standard input': {
    args: [...ALICE, '--password-stdin'],
    stdin: '\n',
    says: /no password on standard input/,
  },
  'a password without its account': {
    args: ['run', BASE, '--password-stdin'],
    stdin: `${CANARY}\n`,
    says: /--password-stdin needs an account: --user-name NAME/,
  },
  'an unknown case': {
    args: [...ALICE, '--only', '4.1/pasword-grant'],
    says: /matches `4\.1\/pasword-grant`: did you mean `4\.1\/password-grant`\?/,
  },
  'a pattern that matches nothing': {
    args: [...ALICE, '--skip', 'zz*'],
    says: /matches `zz\*`: `token-assay list cases` shows all cases/,
  },
  'a replay of an unknown case': {
    args: [...ALICE, '--replay', 'default/4.1/nothing@1:0'],
    says: /nothing to replay at `default\/4\.1\/nothing`/,
  },
  'a replay too far': {
    args: [...ALICE, '--replay', 'default/8/password-of-any-characters@1:99999999'],
    says: /--replay takes 'DEPLOYMENT\/CASE@SEED:PATH', as shown under a failure/,
  },
  'an unknown deployment': { args: [...ALICE, '--deployment', 'x'], says: /no deployment is named `x`/ },
  'two reporters on standard output': {
    args: [...ALICE, '--reporter', 'json', '--reporter', 'tap'],
    says: /json and tap cannot both use standard output: give one a file/,
  },
  'a folder that cannot be made': {
    args: [...ALICE, '--out', 'file/out'],
    says: /file\/out\/report\.json cannot be/,
  },
  'a folder that the system refuses': {
    args: [...ALICE, '--out', '/proc/x/y'],
    says: /\/proc\/x\/y\/report\.json/,
  },
  'a file that is a folder': {
    args: [...ALICE, '--reporter', 'tap=folder'],
    says: /folder cannot be written: it is/,
  },
  'no target file': { args: ['run', '--target', 'none.yaml'], says: /none\.yaml: expected a target file/ },
  'a malformed target file': {
    args: ['run', '--target', 'malformed.yaml'],
    says: /malformed\.yaml:3:1: expected YAML/,
  },
  'an unknown key': { args: ['run', '--target', 'unknown.yaml'], says: /unknown\.yaml:3:1: .*tokenLifetime/ },
  'an unset variable': {
    args: ['run', '--target', 'unset.yaml'],
    says: /unset\.yaml:3:\d+: .*CANARY_PASSWORD is not set/,
  },
  'a base URL over those of deployments': {
    args: ['run', BASE, '--target', 'deployments.yaml'],
    says: /no base URL, since deployments of the target set their own/,
  },
  'no target': {
    args: ['run'],
    says: /nothing to test: there is no token-assay\.yaml, token-assay\.yml or token-assay\.json in \/.+; give a base URL or --target FILE; --embedded tests/,
  },
  'flags without a service': { args: ['run', '--includes-user-id'], says: /there is nothing to test/ },
  'two target files': {
    args: ['run'],
    files: { 'token-assay.yml': `baseUrl: ${BASE}`, 'token-assay.json': '{}' },
    says: /token-assay\.yml and token-assay\.json are both target files: .* name one with --target/,
  },
  'a base URL beside the embedded server': {
    args: [...ALICE, '--embedded'],
    says: /--embedded tests the embedded reference server: it cannot be used with a base URL/,
  },
  'a target file beside the embedded server': {
    args: ['run', '--embedded', '--target', 'unset.yaml'],
    says: /it cannot be used with --target/,
  },
  'an account for the embedded server': {
    args: ['run', '--embedded', '--user-name', 'alice'],
    says: /it cannot be used with --user-name/,
  },
  'all policies of a service': {
    args: [...ALICE, '--exhaustive'],
    says: /--exhaustive tests the embedded server: it needs --embedded/,
  },
  'serve with an argument': { args: ['serve', BASE], says: /serve takes flags only/ },
  'serve at a port in use': {
    args: ['serve', '--port', new URL(BASE).port],
    says: /port \d+ is in use: --port 0/,
  },
}

const FOLDER = {
  file: '',
  folder: {},
  'malformed.yaml': `name: x\naccounts: [ { userName: alice, password: ${CANARY} }\nbaseUrl: ${BASE}\n`,
  'unknown.yaml': `baseUrl: ${BASE}\naccounts: [{ userName: alice, password: ${CANARY} }]\ntokenLifetme: 1\n`,
  'unset.yaml': `baseUrl: ${BASE}\naccounts:\n  - { userName: alice, password: "\${CANARY_PASSWORD}" }\n`,
  'deployments.yaml': [
    `accounts: [{ userName: alice, password: ${CANARY} }]`,
    'deployments:',
    `  a: { baseUrl: "${BASE}" }`,
    `  b: { baseUrl: "${BASE}/b" }`,
  ].join('\n'),
}

for (const [what, { args, says, password = PASSWORD, stdin, files }] of Object.entries(MISUSES)) {
  t.test(`${what} is refused`, async (t) => {
    const cwd = t.testdir({ ...FOLDER, ...files })
    const before = readdirSync(cwd)
    const env = { TOKEN_ASSAY_PASSWORD: password }
    const { exitCode, stdout, stderr } = await (stdin === undefined
      ? callCommand(args, { cwd, env })
      : runCommand(args, { cwd, env, stdin }))
    t.equal(exitCode, 2)
    t.equal(stdout, '')
    t.match(stderr, says)
    t.match(stderr, /^token-assay: .+\n$/, 'one message, on one line')
    t.notMatch(stderr, new RegExp(`${CANARY}|\\n +at `), 'neither a secret nor a stack')
    t.strictSame(readdirSync(cwd), before, 'nothing is left behind')
    t.equal(requests, 0, 'nothing was sent')
  })
}
