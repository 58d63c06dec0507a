import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Parser } from 'tap-parser'
import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import { startReferenceServer } from '../../reference/server.js'
import { folderReporterNames, type ReporterName, reporterNames } from '../../reports/formats/reporters.js'
import type { Outcome } from '../../spec/model/report.js'
import { callCommand } from '../fixtures/call-command.js'

const alice = { userName: 'alice', password: 'Alice-and-1-password' }

/** Seven decisions made otherwise than specified; a date without `GMT` breaks two rules, and the status 401 two. */
const FAULTS = {
  tokenType: () => 'Bearer',
  expiresIn: (lifetime: number) => lifetime - 2,
  includesUserId: () => true,
  errorStatus: () => 401,
  errorMediaType: () => 'application/json',
  supportsGrantType: (grantType: string) => grantType === 'password' || grantType === 'client_credentials',
  formatDate: (ms: number) => specifiedBehaviour.formatDate(ms).replace('GMT', 'UTC'),
} satisfies Partial<Behaviour>

const BROKEN: readonly string[] = [
  '2.1-token_type',
  '2.1-expires_in',
  '2.1-issued',
  '2.1-expires',
  '2.1-userId-absent',
  '4.1-grant_type',
  '4.1-R1',
  '7-token-error-status',
  '7-token-error-media-type',
]

type Counts = Readonly<Record<Outcome, number>>
const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']

t.test('seven planted faults: every format tells the same counts', async (t) => {
  t.equal(Object.keys(FAULTS).length, 7)
  await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast', behaviour: FAULTS })
  const cwd = t.testdir()
  const args = ['run', server.url, '--user-name', 'alice', '--seed', '3', '--out', 'o']
  const files = [...reporterNames, ...folderReporterNames].map((name) => `--reporter=${name}=o/${name}`)
  const env = { TOKEN_ASSAY_PASSWORD: alice.password }
  const { exitCode } = await callCommand([...args, ...files], { cwd, env })
  t.equal(exitCode, 1)
  const read = (name: string): string => readFileSync(join(cwd, 'o', name), 'utf8')
  const report = JSON.parse(read('report.json'))
  t.strictSame(
    report.rules.flatMap(({ id, outcome }: { id: string; outcome: string }) =>
      outcome === 'failed' ? [id] : [],
    ),
    BROKEN,
    'each fault is found, and nothing else',
  )

  const { waived: _, ...counts }: { waived: number } & Counts = report.counts
  const numbers = OUTCOMES.map((outcome) => counts[outcome])
  const { passed, failed, cantTell, inapplicable, untested } = counts
  const tests: Readonly<Record<ReporterName, (text: string) => void>> = {
    console: (text) => {
      const words = { passed, failed, 'cannot tell': cantTell, 'not applicable': inapplicable }
      for (const [word, n] of Object.entries(words))
        t.ok(n === 0 || text.includes(`${n} ${word}`), `console: ${n} ${word}`)
    },
    json: (text) => t.strictSame(JSON.parse(text).counts, report.counts, 'json'),
    ndjson: (text) =>
      t.strictSame(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').counts, report.counts, 'ndjson'),
    junit: (text) => {
      const [, ...found] =
        /tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"/.exec(text)?.map(Number) ?? []
      t.strictSame(found, [report.plan.planned, failed, cantTell, inapplicable + untested], 'junit')
    },
    tap: (text) => {
      const points = Parser.parse(text).flatMap(([name, point]: readonly unknown[]) =>
        name === 'assert' ? [point as { readonly ok: boolean; readonly skip: unknown }] : [],
      )
      t.strictSame(
        [points.length, points.filter(({ ok }) => !ok).length, points.filter(({ skip }) => skip).length],
        [report.plan.planned, failed + cantTell, inapplicable + untested],
        'tap',
      )
    },
    html: (text) => {
      const itemsOf = (outcome: Outcome): number =>
        text.split(
          new RegExp(
            `class="item[^"]*" data-state="${outcome}"[^>]*(?:id="result|><summary>.{0,200}<b>default/)`,
          ),
        ).length - 1
      t.strictSame(OUTCOMES.map(itemsOf), numbers, 'html')
    },
    markdown: (text) => t.match(text, `| ${[...numbers, 0].join(' | ')} |`, 'markdown'),
    github: (text) =>
      t.match(
        text,
        `${passed} passed, ${failed} failed, ${cantTell} cannot tell, ${inapplicable} not applicable, ${untested} not run, 0 waived`,
        'github',
      ),
    ctrf: (text) => {
      const { summary } = JSON.parse(text).results
      t.strictSame(
        [summary.passed, summary.failed, summary.other, summary.skipped, summary.pending],
        numbers,
        'ctrf',
      )
    },
    earl: (text) =>
      t.strictSame(
        OUTCOMES.map((outcome) => text.split(`"earl:${outcome}"`).length - 1),
        numbers,
        'earl',
      ),
    sarif: (text) => {
      const { results } = JSON.parse(text).runs[0]
      const errors = results.filter(({ level }: { level: string }) => level === 'error')
      t.strictSame(
        errors.map(({ ruleId }: { ruleId: string }) => ruleId),
        BROKEN,
        'sarif',
      )
    },
    shields: (text) => {
      const held = report.rules.filter(({ outcome }: { outcome: string }) => outcome === 'passed').length
      const message = `nonconformant, ${held}/${held + BROKEN.length}`
      t.match(JSON.parse(text), { schemaVersion: 1, message, color: 'red' }, 'shields')
    },
    badge: (text) => {
      const judged = report.rules.filter(({ outcome }: { outcome: string }) =>
        ['passed', 'failed'].includes(outcome),
      )
      const held = judged.filter(({ outcome }: { outcome: string }) => outcome === 'passed')
      t.match(text, `${held.length} of ${judged.length} judged rules passed`, 'badge')
    },
  }
  for (const name of reporterNames) tests[name](read(name))

  const statuses = readdirSync(join(cwd, 'o', 'allure')).map(
    (name) => JSON.parse(read(`allure/${name}`)).status,
  )
  t.strictSame(
    ['passed', 'failed', 'broken', 'skipped'].map(
      (status) => statuses.filter((one) => one === status).length,
    ),
    [passed, failed, cantTell, inapplicable + untested],
    'allure',
  )
})
