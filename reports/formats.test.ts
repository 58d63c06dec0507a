import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { Parser } from 'tap-parser'
import ts from 'typescript'
import { validateXML } from 'xmllint-wasm'
import type { Json, Report } from '../spec/types.js'
import { greenReport, hostile, inconclusiveReport, redReport } from './fixtures/sample-report.js'
import { renderJson } from './json.js'
import { renderJunit } from './junit.js'
import { isReporterName, reporterNames, reporters } from './reporters.js'
import { renderTap } from './tap.js'
import { xmlText } from './xml.js'

const samples = { redReport, greenReport, inconclusiveReport }
const emptyReport: Report = { ...greenReport, results: [], rules: [], plan: { hash: 'x', planned: 0 } }
const readJson = async (url: URL) => JSON.parse(await readFile(url, 'utf8'))
const schema = await readJson(new URL('../spec/schemas/report.schema.json', import.meta.url))
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
    yield { ...value, surplus: 1 }
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
  t.match(text, /^\{\n {2}"schemaVersion": 1,\n/)
  t.match(text, /\n\}\n$/)
  t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, 'harmless when printed')

  let surplus = 0
  for (const changed of withOneMore(JSON.parse(text))) {
    surplus += 1
    if (validate(changed)) t.fail('the schema takes a member that the types do not have', { changed })
  }
  t.ok(surplus > 80, 'members were added everywhere')
})

t.test('the schema has the members of the types, no more and no less', async (t) => {
  const source = await readFile(new URL('../spec/types.ts', import.meta.url), 'utf8')
  const interfaces = new Map<string, ts.InterfaceDeclaration>()
  for (const statement of ts.createSourceFile('types.ts', source, ts.ScriptTarget.ES2022).statements) {
    if (ts.isInterfaceDeclaration(statement)) interfaces.set(statement.name.text, statement)
  }
  const objects: [string, { properties: object; required: string[] }][] = [
    ['Report', schema],
    ...Object.entries<{ properties: object; required: string[] }>(schema.$defs).filter(
      ([, definition]) => definition.properties,
    ),
  ]
  t.equal(objects.length, 12)
  for (const [name, { properties, required }] of objects) {
    const members = (interfaces.get(name)?.members ?? []).flatMap((member) =>
      ts.isPropertySignature(member) && ts.isIdentifier(member.name)
        ? [{ name: member.name.text, optional: member.questionToken !== undefined }]
        : [],
    )
    t.strictSame(
      Object.keys(properties),
      members.map((member) => member.name),
      `${name}: members`,
    )
    t.strictSame(
      required,
      members.filter(({ optional }) => !optional).map((member) => member.name),
      `${name}: required`,
    )
  }
})

t.test('the JUnit report is valid, and its counts are right', async (t) => {
  const xsd = await readFile(new URL('fixtures/junit.xsd', import.meta.url), 'utf8')
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
    '<testsuites name="Token Assay: Contoso accounts" tests="10" failures="6" errors="2" time="3.210">',
  )
  t.match(
    xml,
    '<testsuite name="default" tests="7" failures="5" errors="0" skipped="2" time="1.468" timestamp="2026-11-20T10:00:00">',
  )
  t.match(xml, '<testsuite name="with-user-id" tests="3" failures="1" errors="2" skipped="0" time="0.011"')
  t.match(
    xml,
    '<testcase classname="default.section-4-1" name="4.1/form-encoding credentials with special characters round-trip" time="1.235">',
  )
  t.match(xml, '<skipped message="not applicable: The target declares no `registration`."/>')
  t.match(xml, '<skipped message="not run: The run stopped at --max-duration 5."/>')
  t.match(xml, '<error type="4.1-R2" message="Nobody answers at http://127.0.0.1:5001: connection refused.">')
  t.equal(xml.split('<failure ').length - 1, 6)
  t.notMatch(xml, /[^\P{C}\n]|<script|\]\]>|^\s*::|##\[/mu, 'hostile text stays text')
})

t.test('the TAP report parses strictly, with the same counts', async (t) => {
  for (const [name, report] of Object.entries({ ...samples, emptyReport })) {
    const problems: unknown[] = []
    const points: { ok: boolean; diag?: unknown; name: string }[] = []
    const parser = new Parser({ strict: true })
    parser.on('extra', (line) => problems.push(line))
    parser.on('assert', (point) => points.push(point))
    const complete = new Promise<Parser['results']>((resolve) => parser.on('complete', resolve))
    parser.end(renderTap(report))
    const results = await complete
    const number = (...outcomes: readonly string[]) =>
      report.results.filter(({ outcome }) => outcomes.includes(outcome)).length
    const expected = {
      count: report.results.length,
      fail: number('failed', 'cantTell'),
      skip: number('inapplicable', 'untested'),
      todo: report.results.filter(({ waived }) => waived).length,
    }
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
  t.match(text, /^TAP version 14\n1\.\.10\nnot ok 1 - default\/2\.1\/token-response a token response/)
  t.match(text, '\n  outcome: "cantTell"\n')
  t.match(text, '\n      expected: "application/json;charset=UTF-8"\n')
  t.match(text, /\nok 9 - .* # SKIP The target declares no `registration`\.\n/)
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

t.test('reporters are found by name', async (t) => {
  t.strictSame(reporterNames, [
    'console',
    'json',
    'ndjson',
    'junit',
    'tap',
    'html',
    'markdown',
    'github',
    'ctrf',
    'earl',
    'badge',
  ])
  t.equal(isReporterName('toString'), false)
  const options = { color: false, width: 80 }
  for (const name of reporterNames) {
    if (isReporterName(name)) t.ok((await reporters[name].render(greenReport, options)).endsWith('\n'), name)
  }
})
