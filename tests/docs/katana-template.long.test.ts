import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { assess } from '../../index.js'
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

t.test('docs/katana-template.md: the verdict of the project template as it ships', async (t) => {
  const page = readFileSync(new URL('../../docs/katana-template.md', import.meta.url), 'utf8')
  const [, file = ''] = /```yaml[^\n]*\n(.*?)```/s.exec(page) ?? []
  const expected = Array.from(page.matchAll(/^\| `([\w.-]+)` \|/gm), ([, rule]) => rule)
  const service = await startKatanas({ template })
  t.teardown(() => service.close())
  for (const seed of [1, 2, 3]) {
    const report = await assess(
      {
        ...parse(file),
        baseUrl: service.url('template'),
        accounts: [{ userName: ALICE.userName, password: ALICE.password }],
        name: `seed ${seed}`,
      },
      { seed },
    )
    t.strictSame(
      report.rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
      expected,
      `seed ${seed}`,
    )
    t.strictSame(
      report.rules.flatMap(({ id, outcome }) => (outcome === 'cantTell' ? [id] : [])),
      [],
    )
  }
})
