import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Result } from '../../spec/model/report.js'
import { composeReport, recompose, startOf } from './compose-report.js'
import { reconcile } from './reconcile.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const start = startOf({
  specification: 'sha256:0123456789abcdef',
  target: { name: 'a service', deployments: [{ name: 'default', baseUrl: 'http://x', declared: {} }] },
  startedAt: new Date(0),
  seed: 7,
  selection: {},
  plan: { hash: '0123456789abcdef', planned: 1 },
})
const failed: Result = {
  id: 'default/one',
  case: 'one',
  deployment: 'default',
  title: 'one',
  outcome: 'failed',
  durationMs: 1,
  judgements: [{ rule: 'a-rule', outcome: 'failed', message: 'no' }],
  exchanges: [],
}
const rules = [{ id: 'a-rule', section: '1', level: 'must', statement: 'It holds.' }] as const

t.test('what follows from the results is worked out', async (t) => {
  const report = composeReport({ start, rules, results: [failed], durationMs: 1.6 }, {})
  t.strictSame(reconcile(report), [])
  t.match(report, { verdict: 'nonconformant', durationMs: 2, counts: { failed: 1, waived: 0 }, limits: [] })
  t.notOk('selection' in report, 'an empty selection is none')
  const waived = { ...failed, waived: { reason: 'known', until: '2027-01-31' } }
  const after = recompose(report, { results: [waived] }, {})
  t.strictSame(reconcile(after), [])
  t.match(after, { verdict: 'conformant', durationMs: 2, counts: { failed: 1, waived: 1 }, seed: 7 })
})

t.test('no other file builds a report', async (t) => {
  const rooms = ['cli', 'conformance', 'pages', 'prove', 'reports', 'spec']
  const sources = rooms.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)(?:fixtures|generated)\//.test(path))
      .map((path) => `${room}/${path}`),
  )
  const builders = sources.filter((path) =>
    /\bschemaVersion: 2\b/.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  t.strictSame(builders.toSorted(), ['reports/model/compose-report.ts', 'reports/model/upgrade-report.ts'])
})
