import { execFileSync } from 'node:child_process'
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
    process.stdout.write(text + '{"signedIn":true,"userName":"alice"}\\n')
    process.stderr.write(text)`
  const client = commandClient(process.execPath, ['-e', flood], 60_000)
  const { problem, signedIn, reported, errors } = await client(ENVIRONMENT, new AbortController().signal)
  t.equal(problem, undefined, 'a client may write as much as it likes')
  t.match({ signedIn, reported }, { signedIn: true, reported: { userName: 'alice' } })
  const lines = (errors ?? '').trimEnd().split('\n')
  t.ok(lines.length > 1000)
  t.strictSame([...new Set(lines)], ['Quite-a-long-one'])
})

t.test(
  'what has ended, but was not asked how, is not left running',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const howEnds = (client: string): string => {
      const call = `const { commandClient } = await import('${new URL('run-command.js', import.meta.url)}')
      const client = commandClient('/bin/sh', ['-c', ${JSON.stringify(client)}], 60_000)
      console.log((await client(${JSON.stringify(ENVIRONMENT)}, new AbortController().signal)).problem ?? 'nothing')`
      // What loses its parent becomes a child of this one, as of the first process of a container: it asks none how it ended.
      const first = `import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(36, 1)
subprocess.run(sys.argv[1:])`
      const args = ['-c', first, process.execPath, '--import', 'tsx', '--input-type=module', '--eval', call]
      return execFileSync('python3', args, { encoding: 'utf8' }).trim()
    }
    t.equal(
      howEnds('true & exec python3 -c "import os, signal; os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)"'),
      'nothing',
    )
    t.equal(howEnds('(sleep 60 & ) ; true'), 'it left processes running, which were ended')
  },
)
