import { groupBy } from '../../spec/model/items.js'
import {
  CEASED_TO_WORK,
  NO_LOCAL_PORT,
  NOT_STARTED,
  type Report,
  type Result,
  RUN_STOPPED,
  STOPPED_ANSWERING,
  type Stop,
} from '../../spec/model/report.js'
import { gateEffects } from '../../spec/model/verdict.js'
import { count, firstFew } from '../formats/shared/phrase.js'

type Judged = Pick<Report, 'rules' | 'results' | 'limits' | 'trouble' | 'target' | 'stops'>

/** Why a run judged less than it planned, and what to do about it: the same words in every format. */
export function stopsOf(report: Judged): readonly Stop[] {
  // Nothing else of such a report says it.
  if (report.stops !== undefined && isRefused(report)) return report.stops
  const { rules, results, target } = report
  const effectOf = gateEffects(rules)
  const stopped = results.filter((result) => {
    const effect = effectOf(result)
    return effect === 'stopped' || (effect === 'inconclusive' && isCutOff(result))
  })
  const open = groupBy(
    results.filter((result) => effectOf(result) === 'inconclusive'),
    ({ deployment }) => deployment,
  )
  const silent = [...open].flatMap(([name, results]) => silenceOf(name, results, report) ?? [])
  return [...earlyEnd(stopped, report), ...inGroups(silent, target.deployments.length > 1)]
}

/** Whether it is the report of a run that was refused before anything was planned. */
export function isRefused({ stops = [] }: Pick<Report, 'stops'>): boolean {
  return stops.some(({ cause }) => cause === 'refused')
}

function isCutOff({ judgements }: Result): boolean {
  return judgements.some(({ reason }) => reason?.toLowerCase().includes(RUN_STOPPED))
}

/** Whether not one request of these results was answered. */
export function isUnanswered(results: readonly Result[]): boolean {
  // What was judged was answered, whether the report keeps the exchange or not.
  return !results.some(
    ({ outcome, exchanges }) =>
      outcome === 'passed' || outcome === 'failed' || exchanges.some(({ response }) => response !== null),
  )
}

function earlyEnd(stopped: readonly Result[], { limits }: Judged): readonly Stop[] {
  const [first] = stopped
  if (first === undefined) return []
  const end = (cause: Stop['cause'], why: string, remedy: string): readonly Stop[] => {
    const cases = count(stopped.length, 'case was', 'cases were')
    return [{ cause, message: `The run stopped early (${why}): ${cases} not finished.`, remedy }]
  }
  const limit = limits.find(({ setting }) => setting === '--max-duration')
  if (limit !== undefined) {
    const why = `\`--max-duration\` is ${limit.declared}`
    return end('maxDuration', why, 'Give `--max-duration` more seconds, or remove it.')
  }
  if (first.reason === 'bail')
    return end('bail', '`--bail` ends a run at its first failure', 'Remove `--bail` to run all.')
  if (first.reason === 'memory')
    return end('memory', 'there was not enough memory', 'Give it more memory, or run it in shards.')
  return end('signal', 'by a signal', 'Run again to judge the rest.')
}

type SilentStop = Omit<Stop, 'deployments'> & { readonly deployments: readonly string[] }

/** Why results of a deployment are open, where its service gave no answers. */
function silenceOf(name: string, open: readonly Result[], report: Judged): SilentStop | undefined {
  const deployments = [name]
  const {
    timedOut = 0,
    requests = 0,
    ended,
  } = report.trouble.find(({ deployment }) => deployment === name) ?? {}
  const notStarted = open.find(({ reason }) => reason?.startsWith(NOT_STARTED))?.reason
  if (notStarted !== undefined)
    return { cause: 'notStarted', deployments, message: notStarted.replace(/\.?$/, '.'), remedy: SEE_START }
  if (open.some(({ exchanges }) => exchanges.some(({ failure }) => failure === NO_LOCAL_PORT)))
    return { cause: 'unreachable', deployments, message: NO_LOCAL_PORT, remedy: FREE_PORTS }
  const unanswered = whyUnanswered(name, open, report)
  const reasons = open.flatMap(({ judgements }) => judgements.flatMap(({ reason = '' }) => reason))
  const isGone = reasons.some((reason) => GONE.some((phrase) => reason.includes(phrase)))
  if (ended !== undefined && (isGone || unanswered?.cause === 'unreachable'))
    return {
      cause: 'stoppedAnswering',
      deployments,
      message: `During the run ${ended.replace(/\.?$/, '.')}`,
      remedy: RUN_AGAIN,
    }
  if (unanswered !== undefined) return { deployments, ...unanswered }
  if (isGone) return { cause: 'stoppedAnswering', deployments, ...STOPPED }
  if (timedOut === 0 || !reasons.some((reason) => /a time-out|No complete answer came/.test(reason)))
    return undefined
  const message = `${timedOut} of ${count(requests, 'request')} timed out.`
  return { cause: 'timeOut', deployments, message, remedy: WAIT_LONGER }
}

const GONE = [STOPPED_ANSWERING, CEASED_TO_WORK, 'nothing listens at that address']
const SEE_START = 'Run the command of `start` by hand; set `start.readyTimeoutMs` if it only needs longer.'
const START_IT = 'Check that the service is running, and that its base URL is right.'
const FREE_PORTS = 'End what holds many connections, or wait a minute, then run again.'
const NO_HTTP = 'Check that the base URL is that of a service which speaks HTTP/1.1.'
const WRONG_CODING = 'Correct the Content-Encoding of its answers, or send them without one.'
const WAIT_LONGER = 'Find out why the service does not answer in time, or set a longer `timeoutMs`.'
const RUN_AGAIN = 'Find out why it ended, then run again.'
const STOPPED = {
  message: 'The service stopped answering during the run.',
  remedy: "Look for the cause in the service's log, then run again.",
}

/** The failure of the first request, where none of a deployment was answered. */
function whyUnanswered(name: string, open: readonly Result[], report: Judged): Stop | undefined {
  if (!isUnanswered(report.results.filter(({ deployment }) => deployment === name))) return undefined
  const { failure } =
    open.flatMap(({ exchanges }) => exchanges).find((one) => one.failure !== undefined) ?? {}
  const row = report.trouble.find(({ deployment }) => deployment === name)
  const isLost = row !== undefined && row.requests > 0 && row.dropped + row.timedOut === row.requests
  // Where the report keeps no exchanges, it still has the reasons.
  const message = (failure ?? (isLost ? open[0]?.reason : undefined))?.replace(/\.?$/, '.')
  if (message === undefined) return undefined
  if (row !== undefined && row.timedOut > 0) return { cause: 'timeOut', message, remedy: WAIT_LONGER }
  if (row === undefined || isLost) return { cause: 'unreachable', message, remedy: START_IT }
  const isCoding = /Content-Encoding|content coding/.test(message)
  return { cause: 'unreadable', message, remedy: isCoding ? WRONG_CODING : NO_HTTP }
}

/** Deployments that stopped for the same reason are named together. */
function inGroups(stops: readonly SilentStop[], isNamed: boolean): readonly Stop[] {
  const groups = groupBy(stops, ({ cause, message }) => `${cause} ${message}`)
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const deployments = [first, ...others].flatMap((stop) => stop.deployments)
    const noun = deployments.length === 1 ? 'Deployment' : 'Deployments'
    const message = isNamed ? `${noun} ${firstFew(deployments, 3)}: ${first.message}` : first.message
    return [{ ...first, deployments, message }]
  })
}
