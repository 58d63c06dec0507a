import t from 'tap'
import { NO_LOCAL_PORT, type Report, type Result, type Stop } from '../../spec/model/report.js'
import { inconclusiveReport, redReport } from '../fixtures/sample-report.js'
import { recompose } from '../model/compose-report.js'
import { stopsOf } from '../model/stop-cause.js'
import { type ReporterName, reporterNames, reporters } from './reporters.js'

const trouble = (timedOut: number, dropped = 0): Report['trouble'][number] => ({
  ...{ deployment: 'default', requests: 815, serverErrors: 0, dropped, timedOut, rateLimited: 0 },
  waitedMs: 0,
})
const open = (reason: string, change: Partial<Result> = {}): readonly Result[] =>
  inconclusiveReport.results.map((result, index) => ({
    ...result,
    ...{ id: `default/4.1/case-${index}`, deployment: 'default', outcome: 'cantTell', reason },
    judgements: [{ rule: '4.1-R2', outcome: 'cantTell', reason }],
    ...change,
  }))
const notRun = (reason: string): Partial<Report> => ({
  results: open('', { outcome: 'untested', reason, judgements: [], exchanges: [] }),
})
const undecoded = (inconclusiveReport.results[0]?.exchanges ?? []).map((exchange) => ({
  ...exchange,
  failure: 'The body is not encoded as its Content-Encoding says.',
}))
const answered = (redReport.results[0]?.exchanges ?? []).slice(0, 1)

/** What happened, and what the last line of each format then says. */
const STOPS: Readonly<
  Record<string, { report: Partial<Report>; causes: readonly Stop['cause'][]; says: string; todo: string }>
> = {
  'a signal': {
    report: notRun('stopped'),
    causes: ['signal'],
    says: 'The run stopped early (by a signal): 12 cases were not finished.',
    todo: 'Run again to judge the rest.',
  },
  'the end of its time': {
    report: {
      ...notRun('stopped'),
      limits: [{ deployment: 'default', setting: '--max-duration', declared: 5, notTried: ['x'] }],
    },
    causes: ['maxDuration'],
    says: 'The run stopped early (`--max-duration` is 5): 12 cases were not finished.',
    todo: 'Give `--max-duration` more seconds, or remove it.',
  },
  'a first failure': {
    report: notRun('bail'),
    causes: ['bail'],
    says: 'The run stopped early (`--bail` ends a run at its first failure): 12 cases were not finished.',
    todo: 'Remove `--bail` to run all.',
  },
  'too little memory': {
    report: notRun('memory'),
    causes: ['memory'],
    says: 'The run stopped early (there was not enough memory): 12 cases were not finished.',
    todo: 'Give it more memory, or run it in shards.',
  },
  'a signal amid a case': {
    report: { results: open('the run was stopped', { exchanges: answered }) },
    causes: ['signal'],
    says: 'The run stopped early (by a signal): 12 cases were not finished.',
    todo: 'Run again to judge the rest.',
  },
  'no service': {
    report: { results: open('cannot reach http://127.0.0.1:5001: connection refused') },
    causes: ['unreachable'],
    says: 'Deployment default: connection refused.',
    todo: 'Check that the service is running, and that its base URL is right.',
  },
  'no service, without exchanges': {
    report: {
      results: open('the connection was refused', { exchanges: [] }),
      trouble: [trouble(0, 815)],
    },
    causes: ['unreachable'],
    says: 'Deployment default: the connection was refused.',
    todo: 'Check that the service is running, and that its base URL is right.',
  },
  'a service that never answers': {
    report: { results: open('cannot reach http://x: No complete answer came'), trouble: [trouble(2)] },
    causes: ['timeOut'],
    says: 'Deployment default: connection refused.',
    todo: 'Find out why the service does not answer in time, or set a longer `timeoutMs`.',
  },
  'something that is no HTTP': {
    report: { results: open('The answer is not valid HTTP/1.1.'), trouble: [trouble(0)] },
    causes: ['unreadable'],
    says: 'Deployment default: connection refused.',
    todo: 'Check that the base URL is that of a service which speaks HTTP/1.1.',
  },
  'answers in another coding than declared': {
    report: {
      results: open('x', { exchanges: undecoded }),
      trouble: [trouble(0)],
    },
    causes: ['unreadable'],
    says: 'Deployment default: The body is not encoded as its Content-Encoding says.',
    todo: 'Correct the Content-Encoding of its answers, or send them without one.',
  },
  'time-outs now and then': {
    report: {
      results: open('unstable: a time-out, which did not recur for the same request', {
        exchanges: answered,
      }),
      trouble: [trouble(20)],
    },
    causes: ['timeOut'],
    says: 'Deployment default: 20 of 815 requests timed out.',
    todo: 'Find out why the service does not answer in time, or set a longer `timeoutMs`.',
  },
  'a service that hangs during the run': {
    report: {
      results: open('Not sent: the deployment had stopped answering.', { exchanges: answered }),
      trouble: [trouble(20)],
    },
    causes: ['stoppedAnswering'],
    says: 'Deployment default: The service stopped answering during the run.',
    todo: "Look for the cause in the service's log, then run again.",
  },
  'a service that ends during the run': {
    report: {
      results: open('The connection was refused: nothing listens at that address.', { exchanges: answered }),
    },
    causes: ['stoppedAnswering'],
    says: 'Deployment default: The service stopped answering during the run.',
    todo: "Look for the cause in the service's log, then run again.",
  },
  'a machine without ports': {
    report: {
      results: open('the service has ceased to work: a plain login ends in a refused connection too', {
        exchanges: answered.map((exchange) => ({ ...exchange, response: null, failure: NO_LOCAL_PORT })),
      }),
    },
    causes: ['unreachable'],
    says: `Deployment default: ${NO_LOCAL_PORT}`,
    todo: 'End what holds many connections, or wait a minute, then run again.',
  },
  'nothing of that kind': {
    report: { results: open('bodies over 1 MiB are cut', { exchanges: answered }), trouble: [trouble(1)] },
    ...{ causes: [], says: '', todo: '' },
  },
}

/** A text as a reader of the format gets it. */
const READ: Partial<Readonly<Record<ReporterName, (text: string) => string>>> = {
  console: (text) =>
    text
      .trimEnd()
      .replace(/\n {2}/g, ' ')
      .split('\n')
      .at(-1) ?? '',
  github: (text) => text.trimEnd().split('\n').at(-1) ?? '',
  tap: (text) => text.trimEnd().split('\n').at(-1) ?? '',
  json: (text) => (JSON.parse(text).stops ?? []).map((stop: Stop) => `${stop.message} ${stop.remedy}`).join(),
  ndjson: (text) => READ.json?.(text.trimEnd().split('\n').at(-1) ?? '') ?? '',
  ctrf: (text) => JSON.parse(text).results.summary.extra.summary,
  sarif: (text) => JSON.parse(text).runs[0].results[0].message.text,
  markdown: (text) => text.replaceAll('\\', ''),
}
const plain = (text: string): string =>
  text.replaceAll('&#96;', '`').replaceAll('&#39;', "'").replaceAll('&apos;', "'")

for (const [name, { report, causes, says, todo }] of Object.entries(STOPS))
  t.test(`${name}: every format says so, and what to do`, async (t) => {
    const base = { ...inconclusiveReport, trouble: [], ...report }
    const found = recompose(base, {}, {})
    t.strictSame(
      stopsOf(found).map(({ cause }) => cause),
      causes,
    )
    for (const format of reporterNames) {
      const text = await reporters[format].render(found, { color: false, width: 100 })
      const shown = plain((READ[format] ?? String)(text))
      // No room for it: that it is not green, its own test says.
      if (format === 'shields') continue
      // A badge has nothing that comes from the target.
      if (format !== 'badge') t.ok(shown.includes(says), `${format}: ${shown.slice(-300)}`)
      t.ok(shown.includes(todo), `${format}: ${shown.slice(-300)}`)
      if (causes[0] === 'unreadable') t.notMatch(shown, 'no request was answered', format)
      if (causes.length === 0) t.notMatch(shown, /running|timeoutMs|run again/, format)
    }
  })

t.test('causes of several deployments are each named, and those of the same cause together', async (t) => {
  const inDefault = open('cannot reach http://x: connection refused').slice(0, 3)
  const late = inconclusiveReport.results.slice(0, 2).map((result) => ({
    ...result,
    exchanges: result.exchanges.map((exchange) => ({ ...exchange, failure: 'No answer in time.' })),
  }))
  const row = { ...trouble(2), deployment: 'with-user-id', requests: 2 }
  const two = recompose({ ...inconclusiveReport, results: [...inDefault, ...late], trouble: [row] }, {}, {})
  t.match(two.stops, [
    { cause: 'unreachable', deployments: ['default'], message: 'Deployment default: connection refused.' },
    {
      cause: 'timeOut',
      deployments: ['with-user-id'],
      message: 'Deployment with-user-id: No answer in time.',
    },
  ])
  const same = recompose(
    { ...inconclusiveReport, results: [...inDefault, ...inconclusiveReport.results] },
    {},
    {},
  )
  t.match(same.stops, [{ message: 'Deployments default, with-user-id: connection refused.' }])
  t.equal(recompose({ ...same, results: [] }, {}, {}).stops, undefined, 'worked out again')
})
