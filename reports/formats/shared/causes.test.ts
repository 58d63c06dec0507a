import t from 'tap'
import type { Report, ReportExchange, Result } from '../../../spec/model/report.js'
import { redReport } from '../../fixtures/sample-report.js'
import { causesOf, stepsOf } from './causes.js'
import { failuresOf } from './failures.js'

const exchange = (label: string, sent: string, status: number, came: string): ReportExchange => ({
  label,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:5000/Token',
    headers: [],
    body: { text: sent, truncated: false },
  },
  response: { status, headers: [], body: { text: came, truncated: false } },
  durationMs: 1,
})
const valid = exchange('control', 'valid', 200, '{}')

const failing = (name: string, rules: readonly string[], exchanges: readonly ReportExchange[]): Result => ({
  id: `default/${name}`,
  case: name,
  deployment: 'default',
  title: name,
  outcome: 'failed',
  durationMs: 1,
  judgements: rules.map((rule) => ({ rule, outcome: 'failed' })),
  exchanges: [...exchanges],
})

const reportOf = (results: readonly Result[]): Report => {
  const ids = [...new Set(results.flatMap(({ judgements }) => judgements.map(({ rule }) => rule)))].sort()
  const rules = ids.map((id) => ({
    id,
    section: '4.1',
    level: 'must' as const,
    statement: id,
    outcome: 'failed' as const,
    results: [],
  }))
  return { ...redReport, rules, results: [...results] }
}
const causes = (results: readonly Result[]) =>
  causesOf(failuresOf(reportOf(results)).broken).map((cause) =>
    cause.map(({ rule, shown }) => `${rule.id} in ${shown.result.case}`),
  )

t.test('rules that one answer breaks are one cause, and each rule is in one', async (t) => {
  t.strictSame(
    causes([
      failing('x', ['a', 'b'], [valid, exchange('request', 'json', 415, 'at 10:20:37')]),
      // The same answer a second later.
      failing('y', ['c'], [exchange('request', 'json', 415, 'at 10:20:38')]),
      failing('z', ['a', 'd'], [exchange('request', 'empty', 415, 'at 10:20:38')]),
      failing('w', ['e'], [exchange('request', 'json', 500, 'at 10:20:38')]),
    ]),
    [['a in x', 'b in x', 'c in y'], ['d in z'], ['e in w']],
  )
})

t.test('the answer that shows most comes first, and a plain case before a search', async (t) => {
  const searched = failing('searched', ['b'], [exchange('request', 'drawn', 400, '')])
  const drawn = searched.judgements.map((judgement) => ({
    ...judgement,
    counterexample: { values: {}, seed: 1, path: '0', shrinks: 0 },
  }))
  t.strictSame(
    causes([
      failing('one', ['a'], [exchange('request', 'one', 400, '')]),
      { ...searched, judgements: drawn },
      failing('plain', ['b'], [exchange('request', 'plain', 400, '')]),
      failing('two', ['c', 'd'], [exchange('request', 'two', 400, '')]),
    ]),
    [['c in two', 'd in two'], ['a in one'], ['b in plain']],
  )
})

t.test('without exchanges, a result is a cause of its own', async (t) => {
  t.strictSame(causes([failing('x', ['a', 'b'], []), failing('y', ['c'], [])]), [
    ['a in x', 'b in x'],
    ['c in y'],
  ])
  t.strictSame(causes([]), [])
})

t.test('the request that fails apart from its controls', async (t) => {
  const request = exchange('request', 'json', 415, '')
  const again = { ...valid, label: 'control again' }
  t.strictSame(stepsOf({ exchanges: [valid, request, again] }, {}), {
    steps: [request],
    controls: [valid, again],
  })
  t.strictSame(stepsOf({ exchanges: [valid, request, again] }, { exchanges: [0] }), {
    steps: [valid],
    controls: [],
  })
})
