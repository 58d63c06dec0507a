import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { validateXML } from 'xmllint-wasm'
import type { Report } from '../../spec/model/report.js'
import { everywhere, PAYLOADS } from '../fixtures/hostile-report.js'
import { greenReport, inconclusiveReport, redReport } from '../fixtures/sample-report.js'
import { stopsOf } from '../model/stop-cause.js'
import { renderBadge } from './badge.js'
import { renderCtrf } from './ctrf.js'
import { renderEarl } from './earl.js'
import { renderShields } from './shields.js'

const emptyReport: Report = { ...greenReport, results: [], rules: [], plan: { hash: 'x', planned: 0 } }
/** A stale entry of the baseline, or that nothing was executed. */
const problemsOf = (report: Report): number =>
  (report.baseline?.stale.length ?? 0) + (report.results.length === 0 ? 1 : 0)

const samples: Readonly<Record<string, Report>> = {
  redReport,
  greenReport,
  inconclusiveReport,
  emptyReport,
  ...Object.fromEntries(
    Object.entries(PAYLOADS).map(([name, payload]) => [name, hostileReport((text) => text + payload)]),
  ),
}

/** A date is no text of the target: the schema of reports asks for one. */
function hostileReport(change: (text: string) => string): Report {
  return { ...everywhere(redReport, change), startedAt: redReport.startedAt }
}

async function validator(name: string) {
  const schema = JSON.parse(
    await readFile(new URL(`../fixtures/${name}.schema.json`, import.meta.url), 'utf8'),
  )
  return new Ajv2020({ allErrors: true }).compile(schema)
}

t.test('CTRF: valid, and the same counts', async (t) => {
  const validate = await validator('ctrf')
  for (const [name, report] of Object.entries(samples)) {
    const text = renderCtrf(report)
    t.ok(validate(JSON.parse(text)), name, { errors: validate.errors })
    t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, `${name}: harmless when printed`)
    const { tests, summary } = JSON.parse(text).results
    const number = (status: string): number =>
      tests.filter((test: { status: string }) => test.status === status).length
    const { passed, failed, skipped, pending, other } = summary
    t.equal(summary.tests, report.results.length + problemsOf(report), name)
    t.strictSame(
      [passed, failed, skipped, pending, other],
      ['passed', 'failed', 'skipped', 'pending', 'other'].map(number),
      name,
    )
  }
  const { results, ...head } = JSON.parse(renderCtrf(redReport))
  t.match(head, { reportFormat: 'CTRF', generatedBy: 'Token Assay 0.1.0' })
  t.match(results.summary, {
    // Gating: four failures, a stale entry; not decided: two, and one that the run did not come to.
    ...{ tests: 11, passed: 0, failed: 5, skipped: 3, pending: 0, other: 3, suites: 2 },
    ...{ start: 1_795_168_800_000, stop: 1_795_168_803_210 },
    extra: { verdict: 'nonconformant', waived: 1, seed: 42 },
  })
  t.match(results.tests[0], {
    name: '2.1/token-response a token response carries the documented members',
    status: 'failed',
    duration: 15,
    suite: ['default', 'section 2.1'],
    message: /^2\.1-token_type: The member token_type/,
    trace: /expected {3}bearer[\s\S]*\n {2}more +token-assay explain 2\.1-token_type/,
    tags: ['2.1-token_type'],
  })
})

t.test('EARL: valid, every name leads somewhere, and the same counts', async (t) => {
  const validate = await validator('earl')
  for (const [name, report] of Object.entries(samples)) {
    const text = renderEarl(report)
    const document = JSON.parse(text)
    t.ok(validate(document), name, { errors: validate.errors })
    t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, `${name}: harmless when printed`)
    const graph: readonly Readonly<Record<string, unknown>>[] = document['@graph']
    const ids = graph.map((node) => node['@id'])
    t.equal(new Set(ids).size, ids.length, `${name}: ids`)
    const named = graph.flatMap(({ assertedBy = [], subject = [], test = [], requires = [] }) =>
      [assertedBy, subject, test, requires].flat(),
    )
    t.strictSame(
      named.filter((id) => !ids.includes(id)),
      [],
      `${name}: names`,
    )
    const problems: Readonly<Record<string, number>> =
      name === 'emptyReport'
        ? { cantTell: 1 }
        : { failed: problemsOf(report), cantTell: stopsOf(report).length }
    for (const outcome of ['passed', 'failed', 'cantTell', 'inapplicable', 'untested'] as const)
      t.equal(
        text.split(`"outcome": "earl:${outcome}"`).length - 1,
        report.results.filter((result) => result.outcome === outcome).length + (problems[outcome] ?? 0),
        `${name}: ${outcome}`,
      )
  }
  const graph = JSON.parse(renderEarl(redReport))['@graph']
  t.match(
    graph.find((node: { identifier?: string }) => node.identifier === '2.1/token-response'),
    {
      '@id': '#case/2.1/token-response',
      requires: ['#rule/2.1-userName', '#rule/2.1-token_type', '#rule/2.1-userId'],
    },
  )
})

t.test('the badge is well-formed, and says the verdict', async (t) => {
  const badges = Object.values(samples).map(renderBadge)
  const schema =
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg"><xs:element name="svg"/></xs:schema>'
  const { errors } = await validateXML({
    xml: [...badges, '<svg><title></svg>'].map((contents, index) => ({ fileName: `${index}.svg`, contents })),
    schema,
  })
  // The last line only says that there were errors.
  const invalid = new Set(errors.flatMap(({ loc }) => loc?.fileName ?? []))
  t.strictSame([...invalid], [`${badges.length}.svg`], 'only the one that is spoilt is not')
  t.match(
    renderBadge(redReport),
    /<title>token contract: nonconformant \(part\), 2 of 8 judged rules passed\. Its time was over\. Give `--max-duration` more seconds/,
  )
  t.match(renderBadge(greenReport), '>✓ conformant, 1/1</text>')
  t.match(renderBadge(inconclusiveReport), '>? inconclusive, 0/0</text>')
  const { limits } = redReport
  const hostile = { ...hostileReport((text) => `${text}<`), limits }
  t.equal(renderBadge(hostile), renderBadge(redReport), 'nothing of the target')
})

t.test(
  'a badge is green only for a whole run that is conformant, and says what limits another',
  async (t) => {
    const baseline = { file: 'baseline.yaml', stale: ['baseline.yaml:3:5: remove the entry'], waived: 0 }
    const counts = { ...greenReport.counts, untested: 1 }
    const { selection: _, baseline: __, ...red } = redReport
    const badges: readonly (readonly [Partial<Report>, string, string])[] = [
      [greenReport, 'conformant, 1/1', 'brightgreen'],
      [{ ...greenReport, selection: { effort: 'quick' } }, 'conformant (quick), 1/1', 'blue'],
      [{ ...greenReport, selection: { only: ['2*'] } }, 'conformant (part), 1/1', 'blue'],
      [{ ...greenReport, counts }, 'conformant (part), 1/1', 'blue'],
      [{ ...greenReport, baseline }, 'baseline stale, 1/1', 'red'],
      [{ ...red, counts: greenReport.counts }, 'nonconformant, 2/8', 'red'],
      [{ ...red, selection: { effort: 'quick' } }, 'nonconformant (quick), 2/8', 'red'],
      [inconclusiveReport, 'inconclusive, 0/0', 'lightgrey'],
      [{ ...inconclusiveReport, selection: { effort: 'quick' } }, 'inconclusive (quick), 0/0', 'lightgrey'],
    ]
    for (const [change, message, color] of badges) {
      const report = { ...greenReport, ...change }
      t.strictSame(JSON.parse(renderShields(report)), {
        schemaVersion: 1,
        label: 'token contract',
        message,
        color,
      })
      t.equal(renderBadge(report).includes('fill="#17663a"'), color === 'brightgreen', `the SVG: ${message}`)
    }
  },
)
