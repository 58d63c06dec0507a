import t from 'tap'
import { redReport } from '../../../reports/fixtures/sample-report.js'
import type { Result } from '../../../spec/model/report.js'
import type { Requirement } from '../../../spec/model/specification.js'
import { createLiveRun } from './live-run.js'
import { controlsPart, failsNote, mapOf, progressPart, verdictOf } from './run-part.js'
import type { Runner } from './runner.js'

const RULES: readonly Requirement[] = [
  { id: '1-a', section: '1', level: 'must', statement: 'A.' },
  { id: '1-b', section: '1', level: 'must', statement: 'B.' },
]

function result(rule: string, outcome: 'passed' | 'failed' | 'cantTell'): Result {
  const id = `default/${rule}`
  const judgements = [{ rule, outcome }]
  return {
    id,
    case: rule,
    deployment: 'default',
    title: rule,
    outcome,
    durationMs: 1,
    judgements,
    exchanges: [],
  }
}

/** A runner that has run all with these results, and a part with those. */
function runnerOf(all: readonly Result[], part?: readonly Result[]): Runner {
  const live = createLiveRun(RULES)
  for (const one of all) live.add(one)
  if (part) live.begin(true)
  for (const one of part ?? []) live.add(one)
  const status = { phase: 'done', isPart: part !== undefined, problem: undefined }
  return {
    live,
    status: () => status,
    report: () => redReport,
    target: () => undefined,
  } as Partial<Runner> as Runner
}

const controlsOf = (runner: Runner): string =>
  controlsPart(runner, { folder: undefined, load: () => [] }).markup

t.test('what failed and passes again says nothing of the rest, which may be broken by now', async (t) => {
  const runner = runnerOf([result('1-a', 'failed'), result('1-b', 'passed')], [result('1-a', 'passed')])
  const verdict = verdictOf(runner)?.markup ?? ''
  t.match(verdict, /<h1>What failed now passes<\/h1>/)
  t.notMatch(verdict, /CONFORMANT|✓|verdict conformant/, 'no verdict about the whole')
  t.match(verdict, /<button class="do main" id="start">Run all<\/button>/)
  t.notMatch(controlsOf(runner), 'id="start"', 'one button')
  t.notMatch(failsNote(runner).markup, 'No rule is broken')
  const { markup } = mapOf(runner.live)
  t.match(markup, '<a class="cell passed" href="#rule/1-a"')
  t.match(markup, '<a class="cell untested" href="#rule/1-b"')
})

t.test('a rule that fails, or failed and did not run again, is red', async (t) => {
  const before = [result('1-a', 'failed'), result('1-b', 'failed')]
  for (const again of [result('1-a', 'failed'), result('1-a', 'passed')])
    t.match(verdictOf(runnerOf(before, [again]))?.markup, '✗ NOT CONFORMANT')
  const open = runnerOf(before, [result('1-a', 'cantTell'), result('1-b', 'passed')])
  t.match(verdictOf(open)?.markup, '? INCONCLUSIVE')
})

t.test('what can run again is named for what it is', async (t) => {
  const [failed, open] = [result('1-a', 'failed'), result('1-b', 'cantTell')]
  t.match(controlsOf(runnerOf([failed])), '>Run what failed (1 case)<')
  t.match(controlsOf(runnerOf([open])), '>Run what was not judged (1 case)<')
  t.match(controlsOf(runnerOf([failed, open])), '>Run what failed or was not judged (2 cases)<')
  t.match(controlsOf(runnerOf([failed])), 'id="start">Run all<')
})

t.test('a run in progress counts all cases, and gives no time before it knows one', async (t) => {
  const figures = { planned: 85, finished: 52, inapplicable: 44, sent: 532, failures: 0, wait: undefined }
  const shown = (msLeft: number | undefined): string => {
    const foretold = 'a login takes 104 ms: about 55 s'
    const status = {
      ...figures,
      msLeft,
      foretold,
      phase: 'running',
      isPart: false,
      problem: undefined,
    } as const
    return progressPart({ ...runnerOf([]), status: () => status }).markup
  }
  t.match(shown(undefined), '<dd>52 of 85</dd>')
  t.match(shown(undefined), 'max="41" value="8"', 'what does not apply is no progress')
  t.notMatch(shown(undefined), 'Time left')
  t.match(shown(9100), '<dt>Time left</dt><dd>about 10 s</dd>')
  t.match(shown(9100), '<p class="hint">A login takes 104 ms: about 55 s.</p>')
})
