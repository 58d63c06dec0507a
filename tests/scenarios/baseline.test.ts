import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findMutant } from '../../prove/jobs/selection.js'
import { specifiedBehaviour } from '../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startReferenceServer } from '../../reference/server.js'
import { tokenMembers } from '../../reference/token-response.js'
import type { Json } from '../../spec/model/json.js'
import type { Report } from '../../spec/model/report.js'
import { callCommand } from '../fixtures/call-command.js'

/** Runs the suite quickly against a target, with a baseline of its own. */
function runnerOf(t: Test, target: object): (...more: readonly string[]) => ReturnType<typeof callCommand> {
  const cwd = t.testdir({ 'target.json': JSON.stringify(target) })
  const args = [
    'run',
    '--target',
    'target.json',
    '--effort',
    'quick',
    '--no-color',
    '--baseline',
    'known.yaml',
  ]
  return (...more) => callCommand([...args, ...more], { cwd })
}

const alice = { userName: 'alice', password: 'Alice-and-1-password' }

t.test('the life of a baseline', async (t) => {
  let tokenType = 'Bearer'
  await using server = await startReferenceServer({
    accounts: [alice],
    hashing: 'fast',
    behaviour: { tokenType: () => tokenType },
  })
  const cwd = t.testdir()
  const file = join(cwd, 'baseline.yaml')
  const env = { TOKEN_ASSAY_PASSWORD: alice.password }
  const common = [
    'run',
    server.url,
    '--user-name',
    'alice',
    '--runs',
    '1',
    '--skip',
    '2.1/issue-time-advances',
    '--no-color',
    '--quiet',
    '--out',
    'o',
  ]
  const run = (...args: string[]) => callCommand([...common, ...args], { cwd, env })
  const waived = (...args: string[]) => run('--baseline', 'baseline.yaml', ...args)
  const report = (): Report => JSON.parse(readFileSync(join(cwd, 'o/report.partial.json'), 'utf8'))
  const edit = (from: string | RegExp, to: string): void =>
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))

  t.equal((await run()).exitCode, 1, 'without a baseline it gates')

  const dueNow = (): string => new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)
  const dues = [dueNow()]
  const written = await waived('--update-baseline')
  dues.push(dueNow())
  const due = /by (\S+)/.exec(written.stderr)?.[1] ?? ''
  t.ok(dues.includes(due), 'a fortnight from today, whichever side of midnight that was')
  t.strictSame(
    { exitCode: written.exitCode, stderr: written.stderr },
    {
      exitCode: 0,
      stderr: `token-assay: baseline.yaml: explain 1 entry by ${due} (its \`reason\` and \`owner\`), or the run fails from the day after\n`,
    },
  )
  t.match(
    readFileSync(file, 'utf8'),
    /rule: 2\.1-token_type\n {4}case: 2\.1\/token-response\n {4}deployment: default/,
  )
  t.equal(report().counts.waived, 1)
  t.equal(report().counts.failed, 1, 'what is waived stays failed')
  t.equal(report().verdict, 'conformant')

  edit(/reason: .*/, 'reason: clients compare without case')
  edit(/owner: .*/, 'owner: accounts team # ask Kim')
  edit('waived:', '# agreed in March\nwaived:')
  const green = await waived('--seed', '5')
  t.strictSame(
    { exitCode: green.exitCode, stderr: green.stderr },
    { exitCode: 0, stderr: '' },
    'under another seed',
  )
  t.strictSame(
    report()
      .results.flatMap((result) => result.waived ?? [])
      .map(({ reason }) => reason),
    ['clients compare without case (accounts team)'],
  )
  t.equal((await waived('--reporter', 'ndjson=r.ndjson')).exitCode, 0)
  const streamed = await callCommand(['report', 'r.ndjson', '--reporter', 'json'], { cwd })
  t.strictSame(JSON.parse(streamed.stdout), report(), 'a stream reports waivers too')
  t.equal((await waived('--only', '4.1/*')).exitCode, 0, 'what did not run says nothing of an entry')
  const otherRules = ['--skip', '2.1-token_type', '--update-baseline']
  t.equal((await waived(...otherRules)).exitCode, 0, 'nor do the other rules of its case')
  t.match(readFileSync(file, 'utf8'), 'rule: 2.1-token_type', 'and the entry stays')

  tokenType = 'BEARER'
  const changed = await waived()
  t.equal(changed.exitCode, 1)
  t.match(changed.stdout, /NOT CONFORMANT/, 'another failure of the same case gates')
  t.match(
    changed.stderr,
    /baseline\.yaml:\d+:\d+: 2\.1-token_type in 2\.1\/token-response: it fails differently from the waived failure/,
  )
  const updated = await waived('--update-baseline')
  t.equal(updated.exitCode, 0)
  t.match(readFileSync(file, 'utf8'), /# agreed in March/, 'comments stay')

  tokenType = 'Bearer'
  await waived('--update-baseline')
  const known = readFileSync(file, 'utf8')
  // Written for 90 days: this long ago.
  const writtenAgo = (days: number): string =>
    new Date(Date.now() + (90 - days) * 86_400_000).toISOString().slice(0, 10)
  edit(/until: .*/, `until: ${writtenAgo(13)}`)
  t.equal((await waived()).exitCode, 0, 'it may still be explained')
  edit(/until: .*/, `until: ${writtenAgo(15)}`)
  const unexplained = await waived()
  t.equal(unexplained.exitCode, 1)
  t.match(
    unexplained.stderr,
    /no one has explained this, which was due on \d{4}-\d\d-\d\d: write its reason and owner/,
  )
  t.equal((await waived('--update-baseline')).exitCode, 1, 'which the suite cannot')
  edit(/reason: .*/, 'reason: clients compare without case')
  t.equal((await waived()).exitCode, 0, 'what is explained lasts')
  edit(/until: .*/, 'until: 2020-02-29')
  const expired = await waived()
  t.equal(expired.exitCode, 1)
  t.match(expired.stderr, /the entry ended on 2020-02-29: fix the service, or agree on another date/)

  writeFileSync(file, `${known}${known.slice(known.indexOf('waived:') + 'waived:\n'.length)}`)
  const twice = await waived()
  t.equal(twice.exitCode, 1)
  t.match(twice.stderr, /this entry is there twice: remove one/)

  writeFileSync(file, known.replace('case: 2.1/token-response', 'case: 2.1/none'))
  const unmatched = await waived()
  t.equal(unmatched.exitCode, 1)
  t.match(unmatched.stderr, /there is no such rule, case or deployment/)

  writeFileSync(file, known)
  tokenType = 'bearer'
  const mended = await waived()
  t.equal(mended.exitCode, 1)
  t.match(
    mended.stdout,
    /✗ BASELINE STALE: 1 entry of the baseline is stale, and that fails the run\. All\s+else is conformant: /,
  )
  t.match(report(), {
    verdict: 'conformant',
    baseline: {
      file: 'baseline.yaml',
      stale: [/^baseline\.yaml:\d+:\d+: .*remove the entry$/],
      waived: 0,
    },
  })
  t.match(mended.stderr, /this no longer occurs: remove the entry/)
  t.equal((await waived('--update-baseline')).exitCode, 0)
  t.match(readFileSync(file, 'utf8'), /waived:\s*\[\]/, 'and then it is empty')
  t.equal((await waived()).exitCode, 0)
})

t.test('an error in whose place a token came is waived with the token', async (t) => {
  await using server = await startReferenceServer({
    accounts: [alice],
    hashing: 'fast',
    behaviour: findMutant('any-media-type').behaviour(),
  })
  const cwd = t.testdir()
  const env = { TOKEN_ASSAY_PASSWORD: alice.password }
  const run = (...more: readonly string[]) =>
    callCommand(
      ['run', server.url, '--user-name', 'alice', '--effort', 'quick', '--baseline', 'known.yaml', ...more],
      { cwd, env },
    )
  t.equal((await run('--update-baseline')).exitCode, 0)
  const { exitCode, stdout } = await run()
  t.equal(exitCode, 0)
  t.match(stdout, /CONFORMANT/)
  t.notMatch(stdout, /Cannot tell/)
})

t.test(
  'what cannot be judged for want of a member is waived with the member, and nothing else is',
  async (t) => {
    let lacking = ['.issued']
    await using server = await startReferenceServer({
      accounts: [alice],
      hashing: 'fast',
      behaviour: {
        deliver: (answer) => {
          const members = Object.entries(JSON.parse(`${answer.body}`)).filter(
            ([name]) => !lacking.includes(name),
          )
          return { kind: 'answer', answer: { ...answer, body: JSON.stringify(Object.fromEntries(members)) } }
        },
      },
    })
    const cwd = t.testdir()
    const env = { TOKEN_ASSAY_PASSWORD: alice.password }
    const service = [server.url, '--user-name', 'alice', '--out', 'o']
    const run = (...more: readonly string[]) =>
      callCommand(['run', ...service, '--effort', 'quick', '--baseline', 'known.yaml', ...more], { cwd, env })
    const rule = (id: string) => {
      const report: Report = JSON.parse(readFileSync(join(cwd, 'o/report.partial.json'), 'utf8'))
      return report.rules.find((one) => one.id === id)?.outcome
    }
    const before = await callCommand(['run', ...service, '--effort', 'quick'], { cwd, env })
    t.equal(before.exitCode, 1)
    t.equal(rule('8-R3'), 'cantTell', 'no lifetime without a date')
    t.equal((await run('--update-baseline')).exitCode, 0)
    const { exitCode, stdout } = await run()
    t.equal(exitCode, 0)
    t.match(stdout, /`\.issued` holds no date to compare, which is waived/)
    t.strictSame(
      [rule('8-R3'), rule('2.1-R2'), rule('2.1-issued')],
      ['inapplicable', 'inapplicable', 'failed'],
    )
    lacking = ['.issued', '.expires']
    t.match(await run(), { exitCode: 1, stdout: /NOT CONFORMANT: .*2\.1-expires\./ })
    lacking = ['expires_in', '.issued']
    t.match(await run(), { exitCode: 1, stdout: /NOT CONFORMANT: .*2\.1-expires_in/ })
  },
)

t.test('the messages of a rejection that does not come are waived with it', async (t) => {
  let unenforced: readonly string[] = ['uppercase']
  await using server = await startReferenceServer({
    accounts: [alice],
    hashing: 'fast',
    behaviour: {
      violatedRules: (password, policy) =>
        specifiedBehaviour.violatedRules(password, policy).filter((rule) => !unenforced.includes(rule)),
    },
  })
  const target = { baseUrl: server.url, accounts: [alice], registration: { request: REGISTRATION_REQUEST } }
  const run = runnerOf(t, target)
  t.equal((await run('--update-baseline')).exitCode, 0)
  t.match(await run(), { exitCode: 0, stdout: /no rejection to judge, which is waived/ })
  unenforced = ['uppercase', 'digit']
  t.match(await run(), { exitCode: 1, stdout: /NOT CONFORMANT: .*8-require-digit/ })
})

t.test('a replay says nothing of what is known of other inputs', async (t) => {
  const cwd = t.testdir()
  const env = { TOKEN_ASSAY_PASSWORD: alice.password }
  const run = async (passwordAsHashed: (text: string) => string, ...args: readonly string[]) => {
    await using server = await startReferenceServer({
      accounts: [alice],
      hashing: 'fast',
      behaviour: { passwordAsHashed },
    })
    return await callCommand(['run', server.url, '--user-name', 'alice', '--no-color', ...args], { cwd, env })
  }
  const known = ['--baseline', 'known.yaml']
  const ignoresCase = (text: string): string => text.toLowerCase()
  t.equal((await run(ignoresCase, '--effort', 'quick', ...known, '--update-baseline')).exitCode, 0)
  const before = readFileSync(join(cwd, 'known.yaml'), 'utf8')
  const cuts = await run((text) => text.slice(0, 8), '--effort', 'quick')
  const replay = ['--replay', /--replay '([^']+)'/.exec(cuts.stdout)?.[1] ?? '', ...known]
  const mended = await run((text) => text, ...replay)
  t.match(mended, { exitCode: 0, stdout: /✓ CONFORMANT in the part that ran/ })
  t.notMatch(mended.stderr, 'no longer occurs')
  t.equal((await run((text) => text, ...replay, '--update-baseline')).exitCode, 0)
  t.equal(readFileSync(join(cwd, 'known.yaml'), 'utf8'), before)
})

t.test('a waived lifetime is none of another length', async (t) => {
  let lateMs = 1000
  await using server = await startReferenceServer({
    accounts: [alice],
    hashing: 'fast',
    behaviour: { expiresAt: (issuedAtMs, seconds) => issuedAtMs + seconds * 1000 + lateMs },
  })
  const cwd = t.testdir()
  const env = { TOKEN_ASSAY_PASSWORD: alice.password }
  const args = ['run', server.url, '--user-name', 'alice', '--effort', 'quick', '--baseline', 'known.yaml']
  const run = (...more: readonly string[]) => callCommand([...args, ...more], { cwd, env })
  t.equal((await run('--update-baseline')).exitCode, 0)
  t.equal((await run()).exitCode, 0)
  lateMs = -1_209_540_000
  t.match(await run(), { exitCode: 1, stdout: /NOT CONFORMANT: .*2\.1-R2/ })
})

t.test('a waived failure hides no failure of another kind in other answers', async (t) => {
  const bob = { userName: 'bob', password: 'Bob-and-2-passwords' }
  let ofBob: readonly (readonly [string, Json])[] = [['token_type', 'Bearer']]
  await using server = await startReferenceServer({
    accounts: [alice, bob],
    hashing: 'fast',
    behaviour: {
      tokenMembers: (grant) => {
        const isBob = grant.bearer.userName === bob.userName
        return tokenMembers(grant).flatMap(([name, value]) =>
          name !== 'token_type' ? [[name, value]] : isBob ? ofBob : [[name, 'Bearer']],
        )
      },
    },
  })
  const run = runnerOf(t, { baseUrl: server.url, accounts: [alice, bob] })
  t.equal((await run('--update-baseline')).exitCode, 0)
  t.equal((await run()).exitCode, 0)
  ofBob = [['token_type', 'MAC']]
  t.match(await run(), { exitCode: 1, stdout: /elsewhere +`token_type` is not "bearer": "MAC"/ })
  ofBob = []
  t.match(await run(), { exitCode: 1, stdout: /elsewhere +`token_type` is missing/ })
  t.equal((await run('--update-baseline')).exitCode, 0)
  t.equal((await run()).exitCode, 0, 'both are known')
  ofBob = [['token_type', 'bearer']]
  const mended = await run()
  t.equal(mended.exitCode, 1)
  t.match(mended.stderr, /known\.yaml:\d+:\d+: 2\.1-token_type in 2\.1\/token-response: it fails differently/)
})

t.test('a baseline that cannot be read is misuse, and nothing is sent', async (t) => {
  const cwd = t.testdir({
    'no-reason.yaml':
      'waived:\n  - { rule: 1-exchange, case: 1/exchange, deployment: "*", fingerprint: 0123456789abcdef, owner: me, until: 2027-01-31 }\n',
    'blank.yaml':
      'waived:\n  - rule: 1-exchange\n    case: 1/exchange\n    deployment: "*"\n    fingerprint: "0123456789abcdef"\n    reason: "  "\n    owner: me\n    until: 2027-01-31\n',
    'date.yaml':
      'waived:\n  - rule: 1-exchange\n    case: 1/exchange\n    deployment: "*"\n    fingerprint: "0123456789abcdef"\n    reason: r\n    owner: me\n    until: 2027-02-32\n',
    'broken.yaml': 'waived: [',
  })
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['--baseline', 'none.yaml'],
      /none\.yaml: expected a baseline \(--update-baseline writes one\), found no file/,
    ],
    [['--update-baseline'], /--update-baseline needs --baseline FILE/],
    [['--baseline', 'no-reason.yaml'], /no-reason\.yaml:2:5: expected the key "reason", found none/],
    [['--baseline', 'blank.yaml'], /blank\.yaml:6:13: expected a text of one line that is not blank/],
    [['--baseline', 'date.yaml'], /date\.yaml:8:12: expected a day such as 2027-01-31/],
    [['--baseline', 'broken.yaml'], /broken\.yaml:1:\d+: /],
  ]
  for (const [args, says] of refusals) {
    const { exitCode, stdout, stderr } = await callCommand(['run', '--embedded', ...args], { cwd })
    t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' })
    t.match(stderr, says)
  }
})
