import { loadSpecification } from '../../spec/load/specification.js'
import type { Report } from '../../spec/model/report.js'
import { composeReport, startOf } from './compose-report.js'

/** The report of a run that was refused before anything was planned or sent: it says why, and no format of it is green. */
export function refusedReport(why: string, now: Date): Report {
  const { hash, requirements } = loadSpecification()
  const start = startOf({
    specification: hash,
    target: { name: 'not started', deployments: [] },
    startedAt: now,
    seed: 0,
    plan: { hash: '', planned: 0 },
  })
  const message = `The run did not start: ${why.replaceAll('\n', '; ').replace(/\.?$/, '.')}`
  return {
    ...composeReport({ start, rules: requirements, results: [], durationMs: 0 }, {}),
    stops: [{ cause: 'refused', message, remedy: 'Fix that, then run again.' }],
  }
}
