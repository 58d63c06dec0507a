/** Reports that version 1 of the schema describes are read as ever, by every command that reads one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Outcome, Report } from '../../spec/model/report.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { applyBaseline } from './known-failures/apply-baseline.js'
import { readReport } from './read-report.js'

const counterexample = { values: { grant: 'passwore' }, seed: 7, path: '3', shrinks: 2 }
const replay = 'first/4.1/unknown-grant-type@7:3'
const reproduce = "curl -i 'http://127.0.0.1:5000/Token' --data-raw 'grant_type=passwore'"
const [status, body] = ['7-token-error-status', '7-token-error-body']

function resultV1(deployment: string, outcome: Outcome) {
  const failure = {
    rule: body,
    outcome,
    message: 'an extra member `error_description`',
    expected: '{"error":"unsupported_grant_type"}',
    actual: '{"error":"unsupported_grant_type","error_description":"passwore"}',
  }
  return {
    id: `${deployment}/4.1/unknown-grant-type`,
    case: '4.1/unknown-grant-type',
    deployment,
    title: 'a grant type other than password is refused',
    outcome,
    durationMs: 3,
    judgements: [
      { rule: status, outcome: 'passed' },
      outcome === 'failed' ? failure : { rule: body, outcome },
    ],
    exchanges: [],
    ...(outcome === 'failed' ? { counterexample, replay, reproduce } : {}),
  }
}

/** Of a part of a run: its deployment; the other one is another shard's. */
function reportV1(shard?: '1/2' | '2/2'): string {
  const results = (['first', 'second'] as const).map((name, index) => {
    if (shard !== undefined && shard !== `${index + 1}/2`)
      return { ...resultV1(name, 'untested'), judgements: [], reason: 'shard' }
    return resultV1(name, name === 'first' ? 'failed' : 'passed')
  })
  const count = (wanted: Outcome): number => results.filter(({ outcome }) => outcome === wanted).length
  const judging = results.flatMap(({ id, judgements }) => (judgements.length > 0 ? [id] : []))
  const isBroken = count('failed') > 0
  const rule = (id: string, outcome: Outcome) => ({
    ...{
      id,
      section: '7',
      level: 'must',
      statement: 'The error is as documented.',
      outcome,
      results: judging,
    },
  })
  const report = {
    schemaVersion: 1,
    suite: { name: 'token-assay', version: '0.1.0', specification: '0f3a' },
    target: {
      name: 'Contoso',
      deployments: ['first', 'second'].map((name) => ({
        name,
        baseUrl: 'http://127.0.0.1:5000',
        declared: {},
      })),
    },
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 100,
    seed: 7,
    ...(shard === undefined ? {} : { selection: { shard } }),
    verdict: isBroken ? 'nonconformant' : 'conformant',
    counts: {
      passed: count('passed'),
      failed: count('failed'),
      cantTell: 0,
      inapplicable: 0,
      untested: count('untested'),
      waived: 0,
    },
    rules: [rule(status, 'passed'), rule(body, isBroken ? 'failed' : 'passed')],
    results,
    observations: [],
    plan: { hash: 'sha256-77aa', planned: 2 },
  }
  return JSON.stringify(report)
}

const files = { 'old.json': reportV1(), 'one.json': reportV1('1/2'), 'two.json': reportV1('2/2') }

t.test('report', async (t) => {
  const cwd = t.testdir(files)
  const { exitCode, stdout, stderr } = await callCommand(['report', 'old.json', '--no-color'], { cwd })
  t.strictSame({ exitCode, stderr }, { exitCode: 0, stderr: '' })
  t.match(stdout, '✗ NOT CONFORMANT: 1 rule is broken: 7-token-error-body.')
  for (const part of [reproduce.slice(0, 30), replay, 'passwore', 'shrunk 2 times; seed 7, path 3'])
    t.match(stdout, part)

  const { results, limits, trouble, accounts, baseline } = readReport(join(cwd, 'old.json'))
  t.strictSame(
    results[0]?.judgements.map((judgement) => judgement.replay),
    [undefined, replay],
    'of what failed',
  )
  t.strictSame(
    { limits, trouble, accounts, baseline },
    { limits: [], trouble: [], accounts: [], baseline: undefined },
  )
})

t.test('report, of a stream', async (t) => {
  const { results, ...rest } = JSON.parse(reportV1())
  const { durationMs, verdict, counts, rules, observations, ...header } = rest
  const ids = results.map(({ id }: { id: string }) => id)
  const stream = [
    { type: 'header', ...header, ids },
    ...results.map((result: object) => ({ type: 'result', ...result })),
    { type: 'footer', durationMs, verdict, counts, rules, observations },
  ]
  const text = stream.map((line) => `${JSON.stringify(line)}\n`).join('')
  const cwd = t.testdir({ ...files, 'old.ndjson': text })
  t.strictSame(readReport(join(cwd, 'old.ndjson')), readReport(join(cwd, 'old.json')))
})

t.test('compare, with a report of version 2', async (t) => {
  const cwd = t.testdir(files)
  const saved = await callCommand(['report', 'old.json', '--reporter', 'json=new.json', '--quiet'], { cwd })
  t.equal(saved.exitCode, 0)
  const upgraded: Report = JSON.parse(readFileSync(join(cwd, 'new.json'), 'utf8'))
  t.equal(upgraded.schemaVersion, 2)
  const gate = ['--fail-on', 'regression']
  t.equal(
    (await callCommand(['compare', 'old.json', 'new.json', ...gate], { cwd })).exitCode,
    0,
    'no difference',
  )
  t.equal((await callCommand(['compare', 'two.json', 'old.json', ...gate], { cwd })).exitCode, 1)
})

t.test('merge', async (t) => {
  const cwd = t.testdir(files)
  const { exitCode, stderr } = await callCommand(['merge', 'two.json', 'one.json', '--out', 'o', '--quiet'], {
    cwd,
  })
  t.strictSame({ exitCode, stderr }, { exitCode: 1, stderr: '' })
  t.strictSame(readReport(join(cwd, 'o/report.json')), readReport(join(cwd, 'old.json')))
})

t.test('a baseline that was written then waives the same failure', async (t) => {
  const cwd = t.testdir(files)
  const baseline = {
    waived: [
      {
        rule: body,
        case: '4.1/unknown-grant-type',
        deployment: '*',
        // sha256 of ["7-token-error-body","4.1/unknown-grant-type","",message,expected,""] as JSON: of an input that was found, the kind.
        fingerprint: '2d5dab15a02903e7',
        reason: 'known',
        owner: 'us',
        until: '2027-01-31',
      },
    ],
  }
  const report = readReport(join(cwd, 'old.json'))
  const waived = applyBaseline(report, baseline, new Date('2026-11-22T00:00:00Z'), false)
  t.match(waived, { verdict: 'conformant', counts: { failed: 1, waived: 1 } })
})
