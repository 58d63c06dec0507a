import { join } from 'node:path'
import t from 'tap'
import { assessTarget } from '../../../conformance/assess/assess-target.js'
import { probeService } from '../../../conformance/drivers/send/probe/probe-service.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import {
  externalLoginChanges,
  fieldsOf,
  REGISTRATION,
  registrationChanges,
  shownRequest,
} from './own-requests.js'
import { answerChanges, createSetup, type SetupOptions } from './setup.js'
import { setupParts } from './setup-part.js'

const setUp = (options: Partial<SetupOptions> = {}) =>
  createSetup({ environment: {}, probe: probeService, ...options })

t.test('a check fills in the target, and asks what only a person knows', async (t) => {
  const accounts = [{ userName: 'ann', password: 'Secret-1', userId: '7d1f' }]
  const server = await startReference(t, { accounts, includesUserId: true, tokenLifetime: 3600 })
  const setup = setUp()
  t.equal(setup.text(), '')
  await setup.check(`${server.url}/`, 'ann', 'Secret-1')
  const { includesUserId, registrationPath } = setup.findings()?.values ?? {}
  t.strictSame([includesUserId, registrationPath], [true, '/accounts'])
  t.notMatch(setup.findings()?.lines.join(), /userId|lives for/, 'that is asked, not said')
  t.notMatch(setup.text(), 'Secret-1')
  t.match(setup.shape(), {
    baseUrl: server.url,
    accounts: [{ userName: 'ann', password: '${TOKEN_ASSAY_PASSWORD}' }],
    tokenLifetime: 3600,
  })
  t.notOk('includesUserId' in setup.shape(), 'no one has answered yet')

  setup.change(answerChanges({ includesUserId: true, tokenLifetime: 60 }, setup.findings()?.values ?? {}))
  const [deployment] = setup.target().deployments
  t.match(deployment, { includesUserId: true, tokenLifetime: 60, accounts: [{ ...accounts[0] }] })
})

t.test('a text of another shape is to be corrected, not replaced', async (t) => {
  const setup = setUp({ probe: async () => ({ values: {}, lines: [] }) })
  for (const [text, problem] of [
    ['accounts: alice', 'accounts in the text: expected a list, so correct it first'],
    ['accounts: [alice]', 'accounts[0] in the text: expected a map, so correct it first'],
    ['accounts:\n', 'accounts in the text: expected a list, so correct it first'],
  ] as const) {
    setup.setText(text)
    await t.rejects(setup.check('http://127.0.0.1:1', 'ann', 'x'), { code: 'bad-target', message: problem })
    t.equal(setup.text(), text)
  }
})

t.test('a text that is no target is not ready to run, and the page says why', async (t) => {
  const [setup, given] = [setUp(), 'accounts: [{ userName: ann, password: Secret-1 }]']
  const shown = (text: string): string => {
    setup.setText(text)
    return setupParts(setup).findings?.markup ?? ''
  }
  t.match(shown(`baseUrl: 5\n${given}`), /Not ready to run[\s\S]*1:10: expected a string, found a number/)
  t.match(shown('baseUrl: http://127.0.0.1:1\naccounts: []'), /Not ready to run/)
  t.match(shown(`baseUrl: http://127.0.0.1:1\n${given}`), /Ready to run/)
  t.match(
    shown('baseUrl: http://127.0.0.1:1\naccounts: [{ userName: ann, password: "${P}" }]'),
    /Ready to run/,
  )
})

t.test('the name follows the URL, until somebody names the service', async (t) => {
  const setup = setUp({ probe: async () => ({ values: {}, lines: [] }) })
  const check = (url: string) => setup.check(url, 'ann', 'x')
  await check('http://127.0.0.1:1/typo')
  await check('http://localhost:5000')
  t.equal(setup.shape().name, 'localhost:5000')
  setup.setText(setup.text().replace('baseUrl: http://localhost:5000', 'baseUrl: http://localhost:6000'))
  t.equal(setup.shape().name, 'localhost:6000', 'typed into the text, too')
  setup.setText(setup.text().replace('name: localhost:6000', 'name: Contoso'))
  await check('http://localhost:7000')
  t.match(setup.shape(), { name: 'Contoso', baseUrl: 'http://localhost:7000' })
})

t.test('a password that was typed is asked for again, by no variable', async (t) => {
  const server = await startReference(t)
  const setup = setUp()
  await setup.check(server.url, 'ann', 'wrong')
  const { results } = await assessTarget(setup.target(), { only: ['4.1/password-grant'] })
  const reason = results.find(({ outcome }) => outcome === 'cantTell')?.reason
  t.match(reason, /Check that the account exists, and type its password again\.$/)
  t.notMatch(reason, 'TOKEN_ASSAY_PASSWORD')
  const text = `baseUrl: ${server.url}\naccounts: [{ userName: ann, password: "\${PW}" }]\n`
  const given = setUp({ environment: { PW: 'wrong' }, given: { file: 'a.yaml', text } })
  t.notOk(given.target().deployments[0].accounts[0]?.isTyped, 'this one comes from the environment')
})

t.test('who cannot sign in reads that first, and is not led to run', async (t) => {
  const server = await startReference(t)
  const setup = setUp()
  await setup.check(server.url, 'ann', 'wrong')
  const shown = () => setupParts(setup).findings?.markup ?? ''
  const first = /<h2[^>]*>([\s\S]*?)<\/p>/.exec(shown())?.[1] ?? ''
  t.match(first, 'No one can sign in yet')
  t.match(first, '&quot;ann&quot; gets no token (400). Are the user name and the password right?')
  t.equal(shown().match(/gets no token/g)?.length, 1, 'said once')
  t.notMatch(shown(), 'class="do main"')
  await setup.check(server.url, 'ann', 'Secret-1')
  t.match(shown(), '<button class="do main">Run the suite</button>')
  await setup.check('http://127.0.0.1:1', 'ann', 'Secret-1')
  t.match(
    shown(),
    /<h2[^>]*>The service cannot be reached<\/h2>\s*<p class="message">Could not reach the service\. The connection was refused/,
  )
  t.notMatch(shown(), 'class="do main"')
})

t.test('comments and what was written by hand stay', async (t) => {
  const server = await startReference(t)
  const setup = setUp()
  await setup.check(server.url, 'ann', 'Secret-1')
  setup.setText(`${setup.text()}# mine\nclockSkew: 5\n`)
  await setup.check(server.url, 'ann', '')
  setup.change(registrationChanges({ ...REGISTRATION, path: '/x' }, '/x/$userName'))
  t.match(setup.text(), '# mine\nclockSkew: 5\n')
  t.match(setup.target().deployments[0].registration, {
    request: { path: '/x' },
    cleanUp: { method: 'DELETE' },
  })
  setup.change(externalLoginChanges({ ...REGISTRATION, path: '/y', body: '{"code":"1"}' }, 'ann'))
  t.match(setup.target().deployments[0].externalLogin, { account: 'ann', request: { path: '/y' } })
  setup.change([[['registration'], undefined]])
  t.equal(setup.target().deployments[0].registration, undefined)
})

t.test('passwords: typed, of the environment, written in a file, or missing', async (t) => {
  const server = await startReference(t)
  await t.rejects(setUp().check(server.url, 'ann', ''), /^Password: type it/)
  const text = `baseUrl: ${server.url}\naccounts: [{ userName: ann, password: Secret-1 }]\n`
  const known = setUp({
    environment: { ANN: 'Secret-1' },
    given: { file: 'x.yaml', text: text.replace('Secret-1', '"${ANN}"') },
  })
  t.equal(known.hasPassword(), true)
  await known.check(server.url, 'ann', '')
  t.equal(known.target().deployments[0].accounts[0].password, 'Secret-1')

  const written = setUp({ given: { file: 'x.yaml', text } })
  await written.check(server.url, 'ann', '')
  t.match(written.text(), 'password: Secret-1', 'what a person wrote is left alone')
  await written.check(server.url, 'ann', 'Secret-1')
  t.notMatch(written.text(), 'Secret-1', 'what is typed becomes a variable')

  const other = setUp({ given: { file: 'x.yaml', text: text.replace('Secret-1', '"${ANN}"') } })
  t.strictSame(other.missing(), ['ANN'])
  t.throws(() => other.target(), /x\.yaml:2:.* ANN is not set/)
  other.remember('ANN', 'Secret-1')
  t.strictSame(other.missing(), [])
  t.equal(other.target().deployments[0].accounts[0].password, 'Secret-1')
})

t.test('a text from a page names no commands; those of the file that the user named may stay', async (t) => {
  const base = 'baseUrl: http://127.0.0.1:1\naccounts: [{ userName: ann, password: x }]\n'
  const start = 'start: { command: [node, server.js] }\n'
  const deployed = 'deployments: { a: { start: { command: [node, server.js] } } }\n'
  const alias = `x: &s { command: [touch, owned] }\nstart: *s\n`
  const setup = setUp({ given: { file: 'x.yaml', text: base } })
  // The page runs no client, but `diff` does, with the file that the page saves.
  const clients = 'clients: [{ command: [touch, owned] }]\n'
  for (const added of [
    start,
    deployed,
    clients,
    'restart: { command: [touch, owned] }\n',
    'resource: { restart: { command: [touch, owned] } }\n',
    'resource: { orders: { path: /a, restart: { command: [touch, owned] } } }\n',
    'resource: { restart: { path: /a, restart: { env: { NODE_OPTIONS: "-r ./owned.js" } } } }\n',
    'deployments: { a: { resource: { restart: { command: [touch, owned] } } } }\n',
    'deployments: { a: { resource: { orders: { restart: { command: [touch, owned] } } } } }\n',
    'cohort: { file: a.csv, passwords: { command: [touch, owned] } }\n',
    `deployments: { a: { ${clients.trim()} } }\n`,
    '"st\\u0061rt": { command: [a] }\n',
    alias,
  ])
    t.throws(() => setup.setText(base + added), /a target from a page names no commands/, added)
  t.equal(setup.text(), base, 'nothing changed')
  t.throws(() => setup.change([[['start'], { command: ['a'] }]]), /names no commands/)

  const trusted = setUp({ given: { file: 'x.yaml', text: base + start } })
  trusted.setText(`${base}clockSkew: 1\n${start}`)
  t.strictSame(trusted.target().deployments[0].start?.command, ['node', 'server.js'])
  t.throws(() => trusted.setText(base + start.replace('server', 'other')), /names no commands/)
  t.throws(() => trusted.setText(base + deployed), /names no commands/)
})

t.test('a page reads no variable but those that the file named when the command began', async (t) => {
  const environment = {
    AWS_SECRET_ACCESS_KEY: 'of-the-user',
    TOKEN_ASSAY_PASSWORD: 'of-the-user',
    ANN: 'Secret-1',
  }
  const text = (password: string) =>
    `baseUrl: http://127.0.0.1:1\naccounts: [{ userName: ann, password: "${password}" }]\n`
  const stealing = 'headers: { X-Key: "${AWS_SECRET_ACCESS_KEY} ${TOKEN_ASSAY_PASSWORD}" }\n'
  for (const given of [undefined, { file: 'x.yaml', text: text('${ANN}') }]) {
    const setup = setUp({ environment, ...(given && { given }) })
    setup.setText(text('x') + stealing)
    t.strictSame(setup.missing(), ['AWS_SECRET_ACCESS_KEY', 'TOKEN_ASSAY_PASSWORD'])
    t.throws(() => setup.target(), /AWS_SECRET_ACCESS_KEY is not set/)
    t.equal(setup.hasPassword(), true)
    setup.saved('y.yaml')
    t.throws(() => setup.target(), /AWS_SECRET_ACCESS_KEY is not set/, 'nor once it is saved')
    setup.remember('AWS_SECRET_ACCESS_KEY', 'typed')
    setup.remember('TOKEN_ASSAY_PASSWORD', 'typed')
    t.strictSame(setup.target().deployments[0].headers, [['X-Key', 'typed typed']])
  }
  const named = setUp({ environment, given: { file: 'x.yaml', text: text('${ANN}') } })
  named.setText(`${text('${ANN}')}headers: { X-Ann: "\${ANN}" }\n`)
  t.strictSame(named.target().deployments[0].headers, [['X-Ann', 'Secret-1']])
  named.setText(`${text('x')}headers: { X-Key: "\${toString}\${__proto__}" }\n`)
  t.strictSame(named.missing(), ['toString', '__proto__'])
})

t.test(
  'command, variables and folder of each start are those of the beginning, whatever the page does',
  async (t) => {
    const folder = t.testdir({ sub: {} })
    const start = '{ command: [node, "${SCRIPT}"], env: { DB: "${DB}" } }'
    const text = `baseUrl: http://127.0.0.1:1
accounts: [{ userName: ann, password: "\${SCRIPT}" }]
start: ${start}
deployments: { default: {}, own: { start: { env: { MORE: "\${DB}" } } }, none: { start: null } }
`
    const environment = { SCRIPT: 'server.js', DB: 'of-the-file' }
    const setup = setUp({ environment, given: { file: join(folder, 'x.yaml'), text } })
    const own = {
      command: ['node', 'server.js'],
      env: { DB: 'of-the-file' },
      readyTimeoutMs: 30_000,
      cwd: folder,
    }
    const starts = () => setup.target().deployments.map((deployment) => deployment.start)
    const expected = [own, { ...own, env: { ...own.env, MORE: 'of-the-file' } }, undefined]
    t.strictSame(starts(), expected)
    setup.remember('SCRIPT', '--eval=owned')
    setup.remember('DB', 'owned')
    setup.saved(join(folder, 'sub', 'y.yaml'))
    t.strictSame(starts(), expected)
    t.equal(
      setup.target().deployments[0].accounts[0].password,
      '--eval=owned',
      'the account has what was typed',
    )
    const secrets = setup.target().secrets.map(({ value }) => value)
    for (const value of ['of-the-file', 'server.js', 'owned', '--eval=owned'])
      t.ok(secrets.includes(value), `${value} stays a secret`)
    setup.change([[['deployments', 'more'], { baseUrl: 'http://127.0.0.1:2' }]])
    t.strictSame(starts(), [...expected, own])

    const unset = setUp({ environment: { SCRIPT: 'a' }, given: { file: join(folder, 'x.yaml'), text } })
    t.strictSame(unset.missing(), [], 'no value from a page gets into a command')
    unset.remember('DB', 'owned')
    t.throws(() => unset.target(), /x\.yaml:3:\d+: the environment variable DB is not set/)
  },
)

t.test('what is wrong is said where it is', async (t) => {
  const setup = setUp()
  await t.rejects(setup.check('127.0.0.1:5000', 'ann', 'x'), /^Base URL: expected a base URL such as/)
  await t.rejects(setup.check('http://127.0.0.1:1', '', 'x'), /^User name: /)
  t.throws(() => setup.target(), /nothing to test yet/)
  t.throws(() => setup.setText('a: [1'), /token-assay\.yaml:1:/)
  t.throws(() => setup.setText('- 1\n'), /expected a map/)
  t.throws(() => setup.setText(`a: ${'x'.repeat(200_000)}`), /expected at most 131072 characters/)
  t.throws(
    () => registrationChanges({ ...REGISTRATION, body: 'userName=x' }, ''),
    /expected the body as JSON/,
  )
  t.throws(() => registrationChanges({ ...REGISTRATION, body: '[]' }, ''), /as a JSON object/)
})

t.test('variables in what is typed are literal', async (t) => {
  const setup = setUp({ environment: { HOME: '/home/ann' }, probe: async () => ({ values: {}, lines: [] }) })
  await setup.check('http://127.0.0.1:1', '${HOME}: "x"', 'p')
  t.equal(setup.target().deployments[0].accounts[0].userName, '${HOME}: "x"')
})

t.test('the request of a small form, as it is sent', async (t) => {
  const fields = fieldsOf(
    { request: { path: '/r', form: { user: '$userName', pass: '$password' } } },
    REGISTRATION,
  )
  t.equal(
    shownRequest('http://a', fields),
    'POST http://a/r\nContent-Type: application/x-www-form-urlencoded\n\nuser=$userName&pass=$password',
  )
  t.equal(fieldsOf(undefined, REGISTRATION), REGISTRATION)
})
