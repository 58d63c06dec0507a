import type { Rehearsal, RehearsedCell, RehearsedFact } from '../../../spec/generated/types/rehearsal.js'
import { xmlAttribute, xmlText } from '../shared/escape.js'

/** JUnit XML: a case for each cell and each fact of which something is expected, and an error for what is inconclusive. */
export function renderRehearsalJunit(report: Rehearsal): string {
  const cells = report.cells.filter(({ expected }) => expected !== undefined)
  const facts = report.facts.filter(({ expected }) => expected !== undefined)
  const untried = cells.filter(({ outcome }) => outcome === 'not-tried')
  const cases = [
    ...cells.map((cell) => testCase('cell', cell.id, cellContent(cell))),
    ...facts.map((fact) => testCase('fact', fact.id, failureOf(fact))),
    ...report.inconclusive.map((text) => testCase('rehearsal', text, element('error', 'inconclusive', text))),
  ]
  const counts = attributes({
    tests: cases.length,
    failures: [...cells, ...facts].filter(({ differs }) => differs).length,
    errors: report.inconclusive.length,
    skipped: untried.length,
    time: (report.durationMs / 1000).toFixed(3),
  })
  const name = attributes({ name: `token-assay rehearse: ${report.name}` })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite${name}${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`
}

function cellContent(cell: RehearsedCell): string {
  if (cell.outcome === 'not-tried') return `<skipped${attributes({ message: cell.why ?? 'not tried' })}/>`
  return failureOf(cell)
}

function failureOf({ id, differs, evidence }: RehearsedCell | RehearsedFact): string {
  if (!differs) return ''
  const { sentence, reproduce } = evidence ?? { sentence: id, reproduce: undefined }
  return element('failure', sentence, reproduce ?? sentence)
}

function element(name: 'failure' | 'error', message: string, text: string): string {
  return `<${name}${attributes({ message })}>${xmlText(text)}</${name}>`
}

function testCase(classname: string, name: string, content: string): string {
  const head = `    <testcase${attributes({ classname: `rehearse.${classname}`, name, time: '0.000' })}`
  return content === '' ? `${head}/>\n` : `${head}>\n      ${content}\n    </testcase>\n`
}

function attributes(all: Readonly<Record<string, string | number>>): string {
  return Object.entries(all)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('')
}
