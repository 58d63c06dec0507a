import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { startReferenceServer } from '../../reference/server.js'
import { tokenMembers } from '../../reference/token-response.js'
import type { Report } from '../../spec/model/report.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { readReport } from '../../tests/fixtures/command.js'
import { harOf } from '../../tests/fixtures/har.js'

const ALICE = { userName: 'alice', password: 'Correct-horse-1' }
const env = { TOKEN_ASSAY_PASSWORD: ALICE.password }
const PARTIAL = 'token-assay-report/report.partial.json'

const executed = ({ results }: Report): readonly string[] =>
  results.filter(({ outcome }) => outcome !== 'untested').map(({ id }) => id)

/** A service whose `token_type` can be fixed, and what a run of two cases of it prints and writes. */
async function service(t: Test) {
  let tokenType = 'Bearer'
  const server = await startReferenceServer({
    accounts: [ALICE],
    hashing: 'fast',
    behaviour: {
      ...specifiedBehaviour,
      tokenMembers: (grant) =>
        tokenMembers(grant).map(([name, value]) => [name, name === 'token_type' ? tokenType : value]),
    },
  })
  t.teardown(() => server.close())
  const cwd = t.testdir()
  return {
    cwd,
    url: server.url,
    fix: () => {
      tokenType = 'bearer'
    },
    run: (...flags: string[]) =>
      callCommand(['run', server.url, '--user-name', 'alice', '--runs', '1', '--seed', '1', ...flags], {
        cwd,
        env,
      }),
  }
}

t.test('what failed in the last run, then everything, and a part never looks like the whole', async (t) => {
  const { cwd, run, fix } = await service(t)
  const none = await run('--last-failed')
  t.match(
    none.stderr,
    'there is no report of a last run (token-assay-report/report.json): running everything',
  )
  t.equal(none.exitCode, 1)
  const whole = readReport(cwd)
  t.match(whole.selection ?? {}, { only: undefined })
  t.ok(whole.results.length > 50)
  const failed = whole.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  t.strictSame(failed, ['default/2.1/token-response'])

  const again = await run('--last-failed')
  t.match(again.stderr, 'running 1 result that failed or could not be judged before')
  t.match(
    again.stdout,
    /Partial run \(--last-failed, \d+ planned cases not run\): the verdict is about this part only/,
  )
  t.strictSame([again.exitCode, executed(readReport(cwd, PARTIAL))], [1, failed])
  t.strictSame(readReport(cwd), whole, 'the report of the whole run stays')

  fix()
  const fixed = await run('--last-failed')
  t.equal(fixed.exitCode, 0)
  t.match(fixed.stdout, 'CONFORMANT in the part that ran')
  const rest = await run('--last-failed')
  t.match(rest.stderr, 'nothing failed in the last run (token-assay-report/report.json): running everything')
  t.notMatch(rest.stdout, 'Partial run')
  t.equal(rest.exitCode, 0)
})

t.test('what a stopped run did not come to is run too', async (t) => {
  const { cwd, run, fix } = await service(t)
  t.equal((await run('--bail')).exitCode, 1)
  const report = readReport(cwd, 'token-assay-report/report.json')
  const left = report.results.filter(({ reason }) => reason === 'bail').map(({ id }) => id)
  t.not(left.length, 0)
  fix()
  await run('--last-failed')
  // Where another case drew what failed, everything.
  const file = existsSync(join(cwd, PARTIAL)) ? PARTIAL : 'token-assay-report/report.json'
  const again = new Set(executed(readReport(cwd, file)))
  t.strictSame(
    left.filter((id) => !again.has(id)),
    [],
  )
})

t.test('a later run of one rule does not hide another failure of the same result', async (t) => {
  const { run, cwd } = await service(t)
  await run()
  const one = await run('--only', '2.1-expires_in')
  t.equal(one.exitCode, 0)
  t.strictSame(executed(readReport(cwd, PARTIAL)), ['default/2.1/token-response'])
  t.match((await run('--last-failed')).stderr, 'running 1 result')
})

t.test('a failure that this command cannot run is never taken for none', async (t) => {
  const { run, cwd, url } = await service(t)
  await run()
  const file = join(cwd, 'token-assay-report/report.json')
  const whole = readFileSync(file, 'utf8')
  const refused = async (before: string, message: string, ...flags: readonly string[]) => {
    writeFileSync(file, before)
    const { exitCode, stderr } = await run('--last-failed', ...flags)
    t.match(stderr, message)
    t.equal(exitCode, 2)
    t.equal(readFileSync(file, 'utf8'), before, 'the report stays')
  }
  await refused(
    whole.replaceAll('2.1/token-response', 'own:mine/one'),
    '--last-failed: 1 result that failed last (token-assay-report/report.json) cannot be run with these flags and this target: default/own:mine/one. Give',
  )
  await refused(whole.replaceAll('default', 'b'), 'this target: b/2.1/token-response. Give')
  await refused(
    JSON.stringify({ ...JSON.parse(whole), profiles: [{ name: 'rfc6749', gates: true }] }),
    'the last run (token-assay-report/report.json) had --gate rfc6749. Give',
  )
  // Such as an extra member, which is judged under --strict alone.
  const { command, ...strict } = JSON.parse(whole)
  await refused(JSON.stringify({ ...strict, command: `${command} --strict` }), 'had --strict. Give')
  const form = `grant_type=password&username=alice&password=${ALICE.password}&client_id=web`
  writeFileSync(join(cwd, 'r.har'), harOf([{ url: `${url}/Token`, text: form }]))
  const ofAnother = whole.replaceAll('2.1/token-response', 'har:request/1')
  await refused(ofAnother, 'this target: default/har:request/1. Give', '--from', 'r.har')
  writeFileSync(file, whole)
  t.match((await run('--last-failed', '--gate', 'rfc6749')).stderr, 'running 1 result')
})

t.test('a recorded request that failed is run again with its recording', async (t) => {
  const { run, fix, cwd, url } = await service(t)
  const form = `grant_type=password&username=alice&password=${ALICE.password}&client_id=web`
  writeFileSync(join(cwd, 'r.har'), harOf([{ url: `${url}/Token`, text: form }]))
  const recorded = ['--from', 'r.har']
  t.equal((await run('--only', 'har:*', ...recorded)).exitCode, 1)
  t.equal((await run('--last-failed', ...recorded)).exitCode, 1)
  fix()
  t.equal((await run('--last-failed', ...recorded)).exitCode, 0)
})

/** A service that takes what it is asked for where that is in `accepted`, and what the cases of a run ask for. */
async function drawing(t: Test) {
  const accepted = new Set(['password'])
  const asked = new Set<string>()
  const takes = (text = ''): boolean => {
    asked.add(text)
    return accepted.has(text)
  }
  const server = await startReferenceServer({
    accounts: [ALICE],
    hashing: 'fast',
    behaviour: {
      ...specifiedBehaviour,
      supportsGrantType: takes,
      acceptsMediaType: (type) => takes(type) || specifiedBehaviour.acceptsMediaType(type),
    },
  })
  t.teardown(() => server.close())
  const cwd = t.testdir()
  const run = (...flags: string[]) =>
    callCommand(['run', server.url, '--user-name', 'alice', ...flags], { cwd, env })
  const asksFor = async (...flags: string[]) => {
    asked.clear()
    await run(...flags)
    return [...asked]
  }
  return { accepted, run, exitCodeOf: async (...flags: string[]) => (await run(...flags)).exitCode, asksFor }
}

const GRANT_TYPES = ['--only', '4.1/unknown-grant-type']
const MEDIA_TYPES = ['--only', '4.1/other-media-type']

t.test('a failure for one input that a run drew is shown with that input again', async (t) => {
  const { accepted, exitCodeOf, asksFor } = await drawing(t)
  const usual = await asksFor(...GRANT_TYPES, '--seed', '2')
  const ofSeed = await asksFor(...GRANT_TYPES, '--seed', '1')
  const ofEffort = await asksFor(...GRANT_TYPES, '--seed', '1', '--effort', 'thorough')
  const own = ofSeed.find((one) => !usual.includes(one)) ?? 'none'
  accepted.add(own)
  t.equal(await exitCodeOf(...GRANT_TYPES, '--seed', '1'), 1)
  t.equal(await exitCodeOf('--last-failed'), 1, 'the seed is that of the last run')
  t.equal(await exitCodeOf(...GRANT_TYPES, '--seed', '2'), 0)
  t.equal(await exitCodeOf(...GRANT_TYPES, '--seed', '1'), 1)
  accepted.delete(own)
  accepted.add(ofEffort.find((one) => !usual.includes(one) && !ofSeed.includes(one)) ?? 'none')
  t.equal(await exitCodeOf(...GRANT_TYPES, '--seed', '1', '--effort', 'thorough'), 1)
  t.equal(await exitCodeOf('--last-failed'), 1, 'and so is the number of inputs')
  t.equal(await exitCodeOf('--last-failed', '--effort', 'thorough'), 1)
  accepted.clear()
  accepted.add('password')
  t.equal(await exitCodeOf('--last-failed'), 0)
})

t.test('what no one seed draws is refused', async (t) => {
  const { accepted, run, exitCodeOf, asksFor } = await drawing(t)
  for (const only of [GRANT_TYPES, MEDIA_TYPES]) {
    const usual = await asksFor(...only, '--seed', '2')
    const ofSeed = await asksFor(...only, '--seed', only === GRANT_TYPES ? '1' : '3')
    accepted.add(ofSeed.find((one) => !usual.includes(one)) ?? 'none')
  }
  t.equal(await exitCodeOf('--seed', '1'), 1)
  t.match(await run('--last-failed', '--seed', '2'), {
    exitCode: 2,
    stderr:
      'what failed was drawn by --seed 1 without --effort and --runs: give these flags, or none of them',
  })
  t.equal(await exitCodeOf(...MEDIA_TYPES, '--seed', '3'), 1)
  for (const flags of [[], ['--seed', '3']])
    t.match(
      await run('--last-failed', ...flags),
      { exitCode: 2, stderr: 'what failed was drawn by several runs (--seed 1 without' },
      flags.join(' '),
    )
})

t.test('a whole run stays red until its own inputs pass', async (t) => {
  const { url, cwd, fix } = await service(t)
  const run = (...flags: string[]) =>
    callCommand(['run', url, '--user-name', 'alice', '--runs', '1', ...flags], { cwd, env })
  await run('--seed', '1')
  const file = join(cwd, 'token-assay-report/report.json')
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const failed = report.results.find(({ outcome }: { outcome: string }) => outcome === 'failed')
  failed.judgements[0].counterexample = { values: {}, seed: 1, path: '0', shrinks: 0 }
  const drawn = JSON.stringify(report)
  fix()
  for (const [seed, expected] of [
    [2, 'running 1 result that failed'],
    [1, 'nothing failed in the last run'],
  ] as const) {
    writeFileSync(file, drawn)
    await run('--only', '2.1/token-response', '--seed', `${seed}`)
    t.match((await run('--last-failed')).stderr, expected)
  }
})

t.test('what failed in one deployment is not looked for in another', async (t) => {
  const { url, cwd } = await service(t)
  const account = `{ userName: ${ALICE.userName}, password: ${ALICE.password} }`
  writeFileSync(
    join(cwd, 't.yaml'),
    `baseUrl: ${url}\naccounts: [${account}]\nmaxFailedLogins: 0\ndeployments: { a: {}, b: {} }\n`,
  )
  const run = (...flags: string[]) => callCommand(['run', '--target', 't.yaml', '--quiet', ...flags], { cwd })
  t.equal((await run('--deployment', 'b')).exitCode, 1)
  const { exitCode, stderr } = await run('--last-failed', '--deployment', 'a')
  t.match(stderr, 'cannot be run with these flags and this target: ')
  t.equal(exitCode, 2)
  t.equal((await run('--last-failed')).exitCode, 1)
})

t.test('the report of another target, or one that cannot be read, says nothing of this one', async (t) => {
  const { cwd, run, url } = await service(t)
  await run()
  const file = join(cwd, 'token-assay-report/report.json')
  const report = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...report, target: { ...report.target, name: 'another' } }))
  t.match((await run('--last-failed', '--only', '4.1*')).stderr, '--last-failed names the results to run')
  const other = await run('--last-failed', '--skip', '4*')
  t.match(other.stderr, `is about another, not ${url}: running everything`)
  writeFileSync(file, '{')
  t.match((await run('--last-failed', '--skip', '4*')).stderr, /cannot be read \(.*\): running everything/)
})

t.test(
  '--open shows the page; without a browser it says where the page is, and the run is as ever',
  async (t) => {
    const { cwd, run } = await service(t)
    const page = join(cwd, 'token-assay-report/index.partial.html')
    const bin = t.testdir({ bin: {} })
    const open = (script: string) => {
      for (const name of ['xdg-open', 'open']) {
        writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
        chmodSync(join(bin, name), 0o755)
      }
    }
    const flags = ['--open', '--only', '4.1/password-grant']
    open(`printf %s "$1" > '${join(bin, 'opened')}'`)
    const path = process.env.PATH
    process.env.PATH = `${bin}:${path}`
    t.teardown(() => {
      process.env.PATH = path
    })
    const opened = await run(...flags)
    t.equal(opened.exitCode, 0)
    t.equal(readFileSync(join(bin, 'opened'), 'utf8'), pathToFileURL(page).href)
    t.ok(existsSync(page))
    open('exit 3')
    const failed = await run(...flags)
    t.equal(failed.exitCode, 0)
    t.match(failed.stderr, `could not open a browser (xdg-open ended with 3): the page is ${page}`)
  },
)

const inCapitals = (answer: Answer, isWrong: boolean) => {
  const body = String(answer.body)
  return {
    kind: 'answer',
    answer: { ...answer, body: isWrong ? body.replace('bearer', 'Bearer') : body },
  } as const
}

t.test('what failed in some answers alone is looked for in all of them', async (t) => {
  let hasErred = false
  const faults: Readonly<Record<string, Behaviour['deliver']>> = {
    'to another case': (answer, { contentType = '' }) => inCapitals(answer, /charset/i.test(contentType)),
    'after an error': (answer) => {
      const isAfter = hasErred
      hasErred = answer.status >= 400
      return inCapitals(answer, isAfter)
    },
  }
  for (const [name, deliver] of Object.entries(faults)) {
    const server = await startReferenceServer({
      accounts: [ALICE],
      hashing: 'fast',
      behaviour: { deliver },
    })
    t.teardown(() => server.close())
    const cwd = t.testdir()
    const run = (...flags: string[]) =>
      callCommand(['run', server.url, '--user-name', 'alice', '--runs', '1', '--seed', '1', ...flags], {
        cwd,
        env,
      })
    t.equal((await run()).exitCode, 1, name)
    const [failed] = readReport(cwd).results.filter(({ outcome }) => outcome === 'failed')
    t.equal(failed?.id, 'default/2.1/token-response')
    const again = await run('--last-failed')
    t.equal(again.exitCode, 1, again.stderr)
    t.match(again.stderr, /a failure was seen in some answers alone: running everything/)
  }
})

t.test('a failure that compares two cases is repeated with both', async (t) => {
  const server = await startReferenceServer({
    accounts: [{ ...ALICE, userId: 'usual' }],
    hashing: 'fast',
    includesUserId: true,
    behaviour: {
      deliver: (answer, { contentType = '' }) => {
        const body = String(answer.body)
        const isOther = /charset/i.test(contentType)
        return {
          kind: 'answer',
          answer: { ...answer, body: isOther ? body.replace('usual', 'other') : body },
        }
      },
    },
  })
  t.teardown(() => server.close())
  const target = {
    baseUrl: server.url,
    includesUserId: true,
    accounts: [{ userName: 'alice', password: '${TOKEN_ASSAY_PASSWORD}' }],
  }
  const cwd = t.testdir({ 'target.json': JSON.stringify(target) })
  const run = (...flags: string[]) =>
    callCommand(['run', '--target', 'target.json', '--runs', '1', '--seed', '1', ...flags], { cwd, env })
  t.equal((await run()).exitCode, 1)
  const whole = readReport(cwd)
  const failed = whole.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  t.strictSame(failed, ['default/2.1/token-response'])
  const again = await run('--last-failed')
  t.equal(again.exitCode, 1, again.stdout)
  const narrowed = readReport(cwd, PARTIAL)
  t.equal(executed(narrowed).length, 2)
})
