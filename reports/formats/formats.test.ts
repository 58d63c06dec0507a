import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { Parser } from 'tap-parser'
import { validateXML } from 'xmllint-wasm'
import type { Json } from '../../spec/model/json.js'
import type { Report } from '../../spec/model/report.js'
import { greenReport, hostile, inconclusiveReport, redReport } from '../fixtures/sample-report.js'
import { renderConsole } from './console/console.js'
import { renderJson } from './json.js'
import { renderJunit } from './junit.js'
import { reporterNames, reporters } from './reporters.js'
import { xmlText } from './shared/escape.js'
import { renderTap } from './tap.js'

const samples = { redReport, greenReport, inconclusiveReport }
const emptyReport: Report = { ...greenReport, results: [], rules: [], plan: { hash: 'x', planned: 0 } }
const readJson = async (url: URL) => JSON.parse(await readFile(url, 'utf8'))
const schema = await readJson(new URL('../../spec/schemas/report.schema.json', import.meta.url))
const validate = new Ajv2020({ allErrors: true }).compile<Report>(schema)

type JsonObject = { readonly [name: string]: Json }
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every copy of a value in which one object has one member more. */
function* withOneMore(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of withOneMore(item)) yield value.with(index, changed)
    }
  } else if (isObject(value)) {
    yield { ...value, extra: 1 }
    for (const [name, item] of Object.entries(value)) {
      // These two hold any JSON.
      if (name === 'declared' || name === 'values') continue
      for (const changed of withOneMore(item)) yield { ...value, [name]: changed }
    }
  }
}

t.test('the JSON report', async (t) => {
  for (const [name, report] of Object.entries(samples)) {
    t.ok(validate(report), name, { errors: validate.errors })
    t.strictSame(JSON.parse(renderJson(report)), report, `${name} comes back as it was`)
  }
  const text = renderJson(redReport)
  t.match(text, /^\{\n {2}"schemaVersion": 2,\n/)
  t.match(text, /\n\}\n$/)
  t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, 'harmless when printed')

  let added = 0
  for (const changed of withOneMore(JSON.parse(text))) {
    added += 1
    if (validate(changed)) t.fail('the schema takes a member that the types do not have', { changed })
  }
  t.ok(added > 80, 'members were added everywhere')
})

t.test('the JUnit report is valid, and its counts are right', async (t) => {
  const xsd = await readFile(new URL('../fixtures/junit.xsd', import.meta.url), 'utf8')
  const documents = [redReport, greenReport, inconclusiveReport, emptyReport].map(renderJunit)
  const bad = renderJunit(greenReport).replace(' classname=', ' class=')
  const { errors } = await validateXML({
    xml: [...documents, bad].map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: xsd,
  })
  const invalid = new Set(errors.map(({ loc }) => loc?.fileName))
  t.strictSame([...invalid], ['4.xml'], 'only the one that is spoilt is invalid')

  t.equal(xmlText('a\u0000\ufffe\ud800]]>\n::x'), 'a\\u0000\\ufffe\\ud800]]&gt;\n\\u003a:x')
  const xml = renderJunit(redReport)
  t.match(
    xml,
    '<testsuites name="Token Assay: Contoso accounts" tests="11" failures="5" errors="3" time="3.210">',
  )
  t.match(
    xml,
    '<testsuite name="default" tests="7" failures="3" errors="1" skipped="3" time="1.468" timestamp="2026-11-20T10:00:00">',
  )
  t.match(xml, '<testsuite name="with-user-id" tests="3" failures="1" errors="2" skipped="0" time="0.011"')
  t.match(
    xml,
    '<testcase classname="default.section-4-1" name="4.1/form-encoding credentials with special characters round-trip" time="1.235">',
  )
  t.match(xml, '<skipped message="not applicable: The target declares no `registration`."/>')
  t.match(xml, '<error type="untested" message="The run stopped at --max-duration 5.">')
  t.match(xml, '<skipped message="waived until 2027-01-31: ')
  t.match(xml, '<skipped message="only a recommendation: 4.1-content-type-spelling: ')
  t.match(
    xml,
    '<testsuite name="run" timestamp="2026-11-20T10:00:00" tests="1" failures="1" errors="0" skipped="0" time="0.000">',
  )
  t.match(xml, /<failure type="run" message="baseline\.yaml:3:5: [^"]*remove the entry">/)
  t.match(xml, '<error type="4.1-R2" message="No one answers at http://127.0.0.1:5001: connection refused.">')
  t.equal(xml.split('<failure ').length - 1, 5)
  t.match(
    xml,
    '>2.1-token_type: failed\n  rule       The member `token_type` is exactly `bearer`.\n  in ',
    'what is broken',
  )
  t.notMatch(xml, /[^\P{C}\n]|<script|\]\]>|^\s*::|##\[/mu, 'hostile text stays text')
})

t.test('the JUnit report counts in the words of the console', async (t) => {
  const junit = renderJunit(redReport)
  const counted = [...junit.matchAll(/name="cases" value="(\d+) cases?: ([^"]*)"/g)]
  t.equal(
    counted.reduce((sum, [, cases]) => sum + Number(cases), 0),
    redReport.results.length,
  )
  t.match(counted.map(([, , words]) => words).join(), /\d+ cannot tell/)

  // Of a recommendation that was not judged nothing depends: the errors are the others.
  const [first] = inconclusiveReport.rules
  if (!first) throw new Error('the sample has a rule')
  const reason = 'the request was refused'
  const results = inconclusiveReport.results.map((result, index) => ({
    ...result,
    reason,
    exchanges: redReport.results[0]?.exchanges ?? [],
    judgements: [{ rule: index > 0 ? first.id : 'recommended', outcome: 'cantTell' as const, reason }],
  }))
  const recommended = { ...first, id: 'recommended', level: 'should' as const, results: [] }
  const report = { ...inconclusiveReport, rules: [first, recommended], results }
  t.match(renderJunit(report), ' tests="12" failures="0" errors="11" ')
  const words = '12 cases: 12 cannot tell (1 of the undecided do not affect the verdict)'
  t.match(renderJunit(report), words)
  const text = renderConsole(report, { color: false, width: 100 })
  t.match(text, words)
  t.match(text, '11 cases could not be judged')
})

t.test('the TAP report parses strictly, with the same counts', async (t) => {
  // Of the red one: a waived failure and a recommendation are TODO; a stale entry is a point of its own.
  const counts: Readonly<Record<string, object>> = {
    redReport: { count: 11, fail: 10, skip: 1, todo: 2 },
    greenReport: { count: 2, fail: 0, skip: 1, todo: 0 },
    inconclusiveReport: { count: 12, fail: 12, skip: 0, todo: 0 },
    emptyReport: { count: 1, fail: 1, skip: 0, todo: 0 },
  }
  for (const [name, report] of Object.entries({ ...samples, emptyReport })) {
    const problems: unknown[] = []
    const points: { ok: boolean; diag?: unknown; name: string }[] = []
    const parser = new Parser({ strict: true })
    parser.on('extra', (line) => problems.push(line))
    parser.on('assert', (point) => points.push(point))
    const complete = new Promise<Parser['results']>((resolve) => parser.on('complete', resolve))
    parser.end(renderTap(report))
    const results = await complete
    const expected = counts[name]
    t.strictSame(problems, [], `${name}: nothing but TAP`)
    const { count, fail, skip, todo } = results ?? {}
    t.strictSame({ count, fail, skip, todo }, expected, name)
    t.equal(
      points.filter(({ ok, diag }) => !ok && !diag).length,
      0,
      `${name}: every failure has its diagnostics`,
    )
  }
  const text = renderTap(redReport)
  t.match(text, /^TAP version 14\n1\.\.11\nnot ok 1 - default\/2\.1\/token-response a token response/)
  t.match(text, '\n  outcome: "cantTell"\n')
  t.match(text, '\n      expected: "application/json;charset=UTF-8"\n')
  t.match(text, /\nok 9 - .* # SKIP The target declares no `registration`\.\n/)
  t.match(text, /\nnot ok 10 - default\/4\.1\/wrong-password [^#]*\n {2}---\n {2}outcome: "untested"\n/)
  t.match(text, /\nnot ok 11 - run: the baseline matches the run\n/)
  t.match(text, /\nBail out! The run stopped early \(.*\): 1 case was not finished\. .*\.\n$/)
  t.match(text, /\nnot ok 6 - .* # TODO waived until 2027-01-31: /)
  t.notMatch(text, /[^\P{C}\n]|^\s*::|##\[|^\s*not ok 99/mu)
  t.notMatch(
    renderTap({
      ...greenReport,
      results: greenReport.results.map((result) => ({ ...result, title: hostile })),
    }),
    /[^\\]# TODO/,
  )
})

t.test('every reporter renders a text that ends its last line', async (t) => {
  const options = { color: false, width: 80 }
  for (const name of reporterNames) {
    t.ok((await reporters[name].render(greenReport, options)).endsWith('\n'), name)
  }
})
