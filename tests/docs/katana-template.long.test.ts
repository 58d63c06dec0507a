import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { assess, type Report, startReferenceServer } from '../../index.js'
import { projectTemplate } from '../../prove/mutants/project-template.js'
import { isNight } from '../fixtures/effort.js'
import {
  jsonAnswer,
  type KatanaUser,
  katana,
  katanaService,
  startKatanas,
} from '../fixtures/katana/katana.js'

const ALICE: KatanaUser = {
  userName: 'alice@example.com',
  email: 'alice@example.com',
  password: 'Alice-and-1-horse',
}

/** `[StringLength(100, MinimumLength = 6)]` of the registration's model answers first, and hides the messages of Identity. */
const LENGTH_RULE = 'The Password must be at least 6 characters long.'

/** The project template as it ships: the address is the user name. */
const template = katanaService(
  {
    stored: (account) => ({ ...account, userName: account.email }),
    violations: (password) =>
      password.length < 6 || password.length > 100 ? [LENGTH_RULE] : katana.violations(password),
    rejected: (messages) => {
      const key = messages[0] === LENGTH_RULE ? 'model.Password' : ''
      return jsonAnswer(400, {
        Message: 'The request is invalid.',
        ModelState: { [key]: [messages.join(' ')] },
      })
    },
  },
  [ALICE],
)

const page = readFileSync(new URL('../../docs/katana-template.md', import.meta.url), 'utf8')
const [, file = ''] = /```yaml[^\n]*\n(.*?)```/s.exec(page) ?? []
/** Of each table, the first with the whole file, the second further ones without the grant types. */
const [declared = [], further = []] = page
  .split(/^\| --- \|.*$/m)
  .slice(1)
  .map((table) => Array.from(table.matchAll(/^\| `([\w.-]+)` \|/gm), ([, rule = '']) => rule))

t.test('docs/katana-template.md: the verdict of the project template as it ships', async (t) => {
  const reference = await startReferenceServer({
    accounts: [{ ...ALICE, email: ALICE.userName }],
    behaviour: projectTemplate.behaviour(),
    hashing: 'fast',
  })
  const service = await startKatanas({ template })
  t.teardown(() => Promise.all([service.close(), reference.close()]))
  const judge = async (baseUrl: string, seed: number, changes: object = {}): Promise<Report> =>
    assess(
      {
        ...parse(file),
        baseUrl,
        accounts: [{ userName: ALICE.userName, password: ALICE.password }],
        name: `seed ${seed}`,
        ...changes,
      },
      { seed },
    )
  const of = ({ rules }: Report, wanted: string): readonly string[] =>
    rules.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []))
  t.equal(declared.length + further.length, 6)
  // The same is expected of both: where a change lands, each is judged under a seed of its own.
  const judged = { twin: service.url('template'), mutant: reference.url }
  for (const [at, [name, url]] of Object.entries(judged).entries())
    for (const seed of isNight ? [1, 2, 3] : [at + 1]) {
      const report = await judge(url, seed)
      t.strictSame(of(report, 'failed'), declared, `${name}, seed ${seed}`)
      t.strictSame(of(report, 'cantTell'), further)
      const without = await judge(url, seed, { additionalGrantTypes: [] })
      t.strictSame(of(without, 'failed').toSorted(), [...declared, ...further].toSorted(), `${name} without`)
    }
})
