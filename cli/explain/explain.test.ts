import t from 'tap'
import { MUTANTS } from '../../prove/mutants/index.js'
import { explainRules } from '../../reports/formats/explanation/explain-rules.js'
import { loadShipped } from '../../spec/load/advice.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { callCommand } from '../../tests/fixtures/call-command.js'

const explain = async (cwd: string, ...args: readonly string[]) => callCommand(['explain', ...args], { cwd })

t.test(
  'a rule: its sentence, why, cases, mutants, faults elsewhere with their source, and code',
  async (t) => {
    const { exitCode, stdout, stderr } = await explain(t.testdir(), '2.1-token_type')
    t.strictSame({ exitCode, stderr }, { exitCode: 0, stderr: '' })
    const expected = [
      '2.1-token_type (section 2.1, must)\nEvery success carries `token_type`, and its value is `bearer`.\n',
      'Why it matters to a shipped client\n  Clients build the `Authorization` header',
      '  2.1/token-response: every answer that yields a token has the documented shape\n',
      '  token-assay run … --only 2.1-token_type\n  A whole run judges it in the answers to all other cases',
      '  capital-bearer: token_type is `Bearer`.\n',
      '  token-assay serve --mutant capital-bearer\n',
      '  oauth2-mock-server, ',
      '    docs/interop.md\n',
      'How to fix it: Write the answer yourself, member by member\n',
      ...['  ASP.NET Core\n', '  Spring\n', '  Express\n', '  Go\n'],
      '    type tokenAnswer struct {\n      AccessToken string `json:"access_token"`\n',
      ...['  Flask\n', '  Django\n', '  PHP\n'],
    ]
    const places = expected.map((part) => stdout.indexOf(part))
    t.strictSame(
      places,
      [...places].sort((a, b) => a - b),
      'in this order',
    )
    t.notOk(places.includes(-1), `all there: ${places}`)
  },
)

t.test('a rule that nothing judges says why; one of a profile where it is written', async (t) => {
  const cwd = t.testdir()
  t.match(
    (await explain(cwd, '9-versioning')).stdout,
    /\nNot judged\. The specification does not show it\.\n$/,
  )
  t.match((await explain(cwd, '8-R4')).stdout, /\nNot judged: .* \(observation `8\/limits`\)\.\n$/)
  const ofProfile = await explain(cwd, 'security:login-guesses')
  t.match(
    ofProfile.stdout,
    /\nWhere it is written\n {2}“2\.2\.1: .*”\n {4}https:\/\/github\.com\/OWASP\/ASVS\//,
  )
  t.match(ofProfile.stdout, '\n  token-assay run … --profile security --only security:login-guesses\n')
  t.match(ofProfile.stdout, '\n  token-assay prove --profile security --mutant security-no-lock-out\n')
  t.match((await explain(cwd, 'client:request-path')).stdout, / --only client:request-path -- COMMAND\n$/)
})

t.test('a rule of the user is explained with its folder, and hostile text is escaped', async (t) => {
  const rule = 'id: own:checkout-scope, section: "own:checkout", level: must, statement: "No \\e[2J scope."'
  const yaml = `section: own:checkout
requirements: [{ ${rule} }]
cases:
  - id: own:checkout/no-scope
    title: carries no scope
    send: { form: { grant_type: password, username: $account.userName, password: $account.password } }
    expect: [{ rule: own:checkout-scope, member: { name: scope, absent: true } }]
`
  const cwd = t.testdir({ own: { 'checkout.yaml': yaml } })
  const { exitCode, stdout } = await explain(cwd, '--cases', 'own', 'own:checkout-scope')
  t.equal(exitCode, 0)
  t.match(stdout, '\nNo \\u001b[2J scope.\n')
  t.match(
    stdout,
    '  own:checkout/no-scope: carries no scope\n  token-assay run … --cases DIR --only own:checkout-scope\n',
  )
})

t.test('misuse: one message, and exit code 2', async (t) => {
  const cwd = t.testdir()
  for (const [args, message] of [
    [['2.1-tokentype'], 'there is no rule `2.1-tokentype`: did you mean `2.1-token_type`?'],
    [['zzzzzzzzzzzz'], 'there is no rule `zzzzzzzzzzzz`: `token-assay list rules` lists them'],
    [[], 'explain takes one rule, found 0: `token-assay list rules` lists them'],
    [['1-exchange', '2.1-R1'], 'explain takes one rule, found 2: `token-assay list rules` lists them'],
  ] as const)
    t.strictSame(await explain(cwd, ...args), {
      exitCode: 2,
      stdout: '',
      stderr: `token-assay: ${message}\n`,
    })
})

t.test('every rule that is judged is explained, with every mutant that claims it', async (t) => {
  const specification = loadSpecification()
  const { requirements: rules, cases } = specification
  const all = explainRules({ rules, cases, mutants: MUTANTS })
  const judged = specification.requirements.filter(({ cases = [] }) => cases.length > 0)
  t.ok(judged.length > 0)
  for (const { id } of judged) {
    const { explanation, mending, cases, mutants } = all.get(id) ?? {}
    t.ok(explanation && mending && cases?.length, id)
    t.strictSame(
      mutants?.map((mutant) => mutant.id),
      MUTANTS.filter(({ violates }) => violates.includes(id)).map((mutant) => mutant.id),
      id,
    )
  }
  const ofProfiles = Object.values(loadShipped().profiles).flatMap(({ requirements }) => requirements)
  t.notOk(
    ofProfiles.some(({ id }) => all.has(id)),
    'those of profiles come with their profile',
  )
})
