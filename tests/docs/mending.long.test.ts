/** The fixes that the pages of the rules show for one stack, taken together, make a service that conforms. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { assess } from '../../index.js'
import { OTHER_POLICY } from '../../prove/jobs/setups.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { STACKS } from '../../reports/formats/explanation/explanation.js'
import { explanations } from '../../spec/generated/explanations.js'
import { LISTED_POLICY, type Policy } from '../../spec/model/policy.js'
import { freePorts } from '../../tools/interop/listen.js'

interface Service {
  /** The file of `tests/fixtures/mendings` behind each file of the service. */
  readonly files: Readonly<Record<string, string>>
  /** The first one with which `probe` succeeds is taken. */
  readonly programs: readonly string[]
  /** The arguments of a program that succeeds where the stack is installed. */
  readonly probe: readonly string[]
  readonly args: (folder: string, port: number) => readonly string[]
}

/** The second one has the packages of Debian, also where users have another Python. */
const PYTHONS = ['python3', '/usr/bin/python3']

/** Those of the stacks that are run. */
const SERVICES: Partial<Record<(typeof STACKS)[number]['key'], Service>> = {
  express: {
    files: { 'server.mjs': 'express.mjs' },
    programs: [process.execPath],
    probe: ['--version'],
    args: (folder) => [join(folder, 'server.mjs')],
  },
  flask: {
    files: { 'server.py': 'flask.py' },
    programs: PYTHONS,
    probe: ['-c', 'import flask'],
    args: (folder) => [join(folder, 'server.py')],
  },
  django: {
    files: { 'server.py': 'django.py', 'service/__init__.py': '', 'service/models.py': 'django_models.py' },
    programs: PYTHONS,
    probe: ['-c', 'import django'],
    args: (folder) => [join(folder, 'server.py')],
  },
  php: {
    files: { 'server.php': 'php.php' },
    programs: ['php'],
    probe: ['-r', 'mb_strlen(""); new PDO("sqlite::memory:"); PASSWORD_ARGON2ID;'],
    args: (folder, port) => ['-S', `127.0.0.1:${port}`, join(folder, 'server.php')],
  },
}

const accounts = [
  { userName: 'alice', password: 'Correct-horse-1' },
  { userName: 'Zoë Straße', password: 'Zoë & 100% of =x+y' },
]

for (const { key, name } of STACKS) {
  const service = SERVICES[key]
  if (service === undefined) continue
  const program = service.programs.find((name) => spawnSync(name, service.probe).status === 0)
  const skip = program === undefined && `${name} is not installed`
  t.test(
    `the code for ${name} makes a service that is conformant, and every rule holds`,
    { skip },
    async (t) => {
      const folder = t.testdir()
      for (const [path, source] of Object.entries(service.files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), source && assembled(source, key))
      }
      const deployment = async (id: string, policy: Policy, includesUserId = false) => {
        const [port = 0] = await freePorts(1)
        const env = {
          PORT: String(port),
          DATABASE: join(folder, `${id}.sqlite`),
          ACCOUNTS: JSON.stringify(accounts),
          POLICY: JSON.stringify(policy),
          USER_ID: includesUserId ? 'yes' : 'no',
          PYTHONDONTWRITEBYTECODE: '1',
        }
        const start = { command: [program ?? '', ...service.args(folder, port)], env }
        return { baseUrl: `http://127.0.0.1:${port}`, includesUserId, start, registration: { policy } }
      }
      const report = await assess(
        {
          accounts,
          registration: {
            request: REGISTRATION_REQUEST,
          },
          externalLogin: {
            request: { path: '/external-login', json: { provider: 'acme', code: 'alice' } },
            account: 'alice',
            withoutCallback: { path: '/external-login', json: { provider: 'no-callback' } },
          },
          deployments: {
            default: await deployment('default', LISTED_POLICY),
            'with-user-id': await deployment('with-user-id', LISTED_POLICY, true),
            'other-policy': await deployment('other-policy', OTHER_POLICY),
          },
        },
        { runs: 3 },
      )
      t.strictSame(
        report.rules.flatMap(({ id, outcome }) =>
          outcome === 'passed' || outcome === null ? [] : [[id, outcome]],
        ),
        [],
        'all that is judged',
      )
      t.equal(report.verdict, 'conformant')
    },
  )
}

/** What the code leaves to the application, with the code in its place. */
function assembled(source: string, key: (typeof STACKS)[number]['key']): string {
  const code = explanations.mendings.map((mending) => mending.code[key]).join('\n\n')
  const text = readFileSync(new URL(`../fixtures/mendings/${source}`, import.meta.url), 'utf8')
  return text.replace(/^(#|\/\/) MENDINGS$/m, () => code)
}

t.test('the code of every stack is short', async (t) => {
  const source = readFileSync(new URL('../../spec/explanations.yaml', import.meta.url), 'utf8')
  t.notMatch(source, /[“”’]/, 'no quotes that a compiler does not know')
  for (const { id, code } of explanations.mendings)
    for (const [stack, text] of Object.entries(code)) t.ok(text.split('\n').length <= 30, `${id}, ${stack}`)
})
