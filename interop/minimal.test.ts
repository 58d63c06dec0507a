import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { assess } from '../conformance/assess.js'
import type { Report } from '../spec/types.js'
import { conforming, type Parts, startMinimalServer } from './minimal-server.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }
const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

/** What a server of a few lines gets wrong, and the one rule that it breaks by that. */
const MISTAKES: readonly (readonly [mistake: string, rule: string, changes: Partial<Parts>])[] = [
  ['token_type is capitalised', '2.1-token_type', { token: changed({ token_type: 'Bearer' }) }],
  [
    '.issued is in ISO form',
    '2.1-issued',
    {
      token: (userName, now) => ({
        ...conforming.token(userName, now),
        '.issued': new Date(now).toISOString(),
      }),
    },
  ],
  ['expires_in is a string', '2.1-expires_in', { token: changed({ expires_in: '1209599' }) }],
  [
    'a form is read under application/json',
    '4.1-content-type',
    {
      read: (contentType, body) =>
        contentType === 'application/json' ? new URLSearchParams(body) : conforming.read(contentType, body),
    },
  ],
  [
    'JSON is read under application/json',
    '4.1-content-type',
    {
      read: (contentType, body) =>
        contentType === 'application/json' ? readJson(body) : conforming.read(contentType, body),
    },
  ],
  [
    'grant_type is compared without case',
    '4.1-grant_type',
    { supports: (grantType) => grantType?.toLowerCase() === 'password' },
  ],
  [
    'any password will do',
    '4.1-credentials',
    {
      admits: (account, userName, password) =>
        userName === account.userName && password !== null && password !== '',
    },
  ],
  ['the error has no charset', '7-token-error-media-type', { errorType: 'application/json' }],
  [
    'the error has a second field',
    '7-token-error-body',
    { error: { ...conforming.error, error_description: 'No.' } },
  ],
]

// Each waits a second for the clock of its server to go on.
t.jobs = MISTAKES.length

t.test('the command finds a conforming server of a few lines green', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const { exitCode, report } = await runCommand(server.url, t.testdir())
  t.equal(exitCode, 0)
  t.equal(report.verdict, 'conformant')
  t.strictSame(rulesThat('cantTell', report), [])
})

t.test('the command finds it red for one mistake', async (t) => {
  await using server = await startMinimalServer(ALICE, { token: changed({ token_type: 'Bearer' }) })
  const { exitCode, report } = await runCommand(server.url, t.testdir())
  t.equal(exitCode, 1)
  t.strictSame(rulesThat('failed', report), ['2.1-token_type'])
})

for (const [mistake, rule, changes] of MISTAKES) {
  t.test(`where ${mistake}, ${rule} is broken and no other rule`, async (t) => {
    await using server = await startMinimalServer(ALICE, changes)
    const report = await assess({ baseUrl: server.url, accounts: [ALICE] }, { runs: 50 })
    t.strictSame(rulesThat('failed', report), [rule])
    t.equal(report.verdict, 'nonconformant')
  })
}

function changed(members: object): Parts['token'] {
  return (userName, now) => ({ ...conforming.token(userName, now), ...members })
}

function readJson(body: string): URLSearchParams | undefined {
  try {
    return new URLSearchParams(JSON.parse(body))
  } catch {
    return undefined
  }
}

function rulesThat(outcome: 'failed' | 'cantTell', report: Report): readonly string[] {
  return report.rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id)
}

/** As a user runs it: the report is read from the file that it leaves. */
async function runCommand(
  baseUrl: string,
  folder: string,
): Promise<{ readonly exitCode: number; readonly report: Report }> {
  const args = ['--import', 'tsx', MAIN, 'run', baseUrl, '--user-name', 'alice', '--out', folder, '--quiet']
  const env = { ...process.env, TOKEN_ASSAY_PASSWORD: ALICE.password }
  const exitCode = await new Promise<number>((resolve) => {
    const child = execFile(process.execPath, args, { env }, () => resolve(child.exitCode ?? -1))
  })
  return { exitCode, report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) }
}
