import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { RUN_FLAGS } from '../cli/run-flags.js'
import { loadTargetFile } from '../conformance/target/target-file.js'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

t.test('the target file that the README shows is one', async (t) => {
  const yaml = /```yaml\n(.*?)```/s.exec(README)?.[1] ?? ''
  const file = join(t.testdir({ 'token-assay.yaml': yaml }), 'token-assay.yaml')
  const target = loadTargetFile(file, { ALICE_PASSWORD: 'one', BOB_PASSWORD: 'two', KEY: 'three' })
  t.equal(target.name, 'Contoso accounts')
  t.same(
    target.deployments.map(({ name, includesUserId }) => [name, includesUserId]),
    [
      ['default', false],
      ['with-user-id', true],
    ],
  )
  t.ok(target.deployments.every(({ registration, externalLogin }) => registration && externalLogin))
})

t.test('every flag of run that the README names is there', async (t) => {
  const table = README.slice(
    README.indexOf('| `run` |'),
    README.indexOf('`token-assay run --help` has them all'),
  )
  const named = [...table.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name)
  t.ok(named.length > 8)
  t.same(
    named.filter((name) => !Object.hasOwn(RUN_FLAGS, name)),
    [],
  )
})
