import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../../tests/fixtures/call-command.js'

const alice = { userName: 'alice', password: 'Alice-and-1-password' }
const env = { TOKEN_ASSAY_PASSWORD: alice.password }

t.test('a run streams its results, and the stream is the report', async (t) => {
  await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
  const cwd = t.testdir()
  const run = ['run', server.url, '--user-name', 'alice', '--only', '4.1/*', '--runs', '3', '--out', 'o']
  const { exitCode } = await callCommand([...run, '--reporter', 'ndjson=r.ndjson', '--quiet'], { cwd, env })
  t.equal(exitCode, 0)
  const saved = readFileSync(join(cwd, 'o/report.partial.json'), 'utf8')
  const again = await callCommand(['report', 'r.ndjson', '--reporter', 'json'], { cwd })
  t.strictSame(again, { exitCode: 0, stdout: saved, stderr: '' })

  const piped = await callCommand([...run, '--reporter', 'ndjson'], { cwd, env })
  const types = piped.stdout
    .trimEnd()
    .split('\n')
    .map((line): string => JSON.parse(line).type)
  t.strictSame([types[0], types.at(-1)], ['header', 'footer'])
  t.ok(types.slice(1, -1).every((type) => type === 'result'))

  const streamed = readFileSync(join(cwd, 'r.ndjson'), 'utf8')
  t.notMatch(streamed, alice.password, 'without secrets')
  writeFileSync(join(cwd, 'cut.ndjson'), streamed.split('\n').slice(0, 4).join('\n'))
  const cut = await callCommand(['report', 'cut.ndjson'], { cwd })
  t.equal(cut.exitCode, 2)
  t.match(cut.stderr, /^token-assay: cut\.ndjson:4: the report is incomplete after 3 of \d+ results/)
})
