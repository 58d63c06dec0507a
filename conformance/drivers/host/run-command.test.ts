import t from 'tap'
import { commandClient } from './run-command.js'

const ENVIRONMENT = {
  ...{
    url: 'http://127.0.0.1:9',
    userName: 'alice',
    password: 'unused',
    resourceUrl: 'http://127.0.0.1:9/me',
  },
  ...{ scenario: 'none', fetches: 1, concurrency: 1 },
}

t.test('of a secret in a flood of errors no half is kept', async (t) => {
  const flood = `const text = 'Quite-a-long-one\\n'.repeat(200_000)
    process.stderr.write(text)
    setTimeout(() => undefined, 60_000)`
  const client = commandClient(process.execPath, ['-e', flood], 60_000)
  const { problem, errors } = await client(ENVIRONMENT, new AbortController().signal)
  t.match(problem, /more than 1 MiB/)
  const lines = (errors ?? '').trimEnd().split('\n')
  t.ok(lines.length > 1000)
  t.strictSame([...new Set(lines)], ['Quite-a-long-one'])
})
