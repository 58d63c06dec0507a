import type { Report, Result } from '../../spec/model/report.js'

/** Why a run ended before its plan did, and what to do: the same words in every format. */
export interface StopCause {
  readonly why: string
  readonly remedy: string
}

/** @param first a result that was not run, because the run had ended */
export function stopCause({ limits }: Pick<Report, 'limits'>, { reason }: Pick<Result, 'reason'>): StopCause {
  const limit = limits.find(({ setting }) => setting === '--max-duration')
  if (limit !== undefined)
    return { why: `\`--max-duration\` is ${limit.declared}`, remedy: 'give it more seconds, or remove it' }
  if (reason === 'bail')
    return { why: '`--bail` ends a run at its first failure', remedy: 'remove it to run all' }
  return { why: 'by a signal', remedy: 'run again to judge the rest' }
}

/** What to do where no request was answered. */
export function silenceRemedy({ trouble }: Pick<Report, 'trouble'>): string {
  return trouble.some(({ timedOut }) => timedOut > 0)
    ? 'Find out why the service does not answer in time, or set a longer `timeoutMs`.'
    : 'Check that the service is running, and that its base URL is right.'
}
