import type { LogLine, LogSink } from '../../reference/log.js'
import { jsonLine } from '../../reports/formats/json.js'
import { visible } from '../../reports/formats/shared/escape.js'
import type { ServerConfig } from './settings.js'

type LogSettings = NonNullable<ServerConfig['log']>

const levels: readonly LogSettings['level'][] = ['info', 'warn', 'error', 'silent']

/** Writes lines at a level or above; a path from outside cannot steer the terminal that shows them. */
export function createLogSink(
  { level = 'info', format = 'json' }: LogSettings,
  write: (text: string) => void,
  now: () => Date = () => new Date(),
): LogSink {
  const sink = (line: LogLine): void => {
    if (levels.indexOf(line.level) < levels.indexOf(level)) return
    const time = now().toISOString()
    write(format === 'json' ? jsonLine({ time, ...line }) : `${renderText(line, time)}\n`)
  }
  return Object.assign(sink, { settings: { level, format } })
}

function renderText({ level, event, ...details }: LogLine, time: string): string {
  const rest = Object.entries(details).map(
    ([name, value]) =>
      // Quoted where a reader might not see where it ends.
      `${name}=${typeof value === 'string' && /^[\w./:‹›-]+$/.test(value) ? value : JSON.stringify(value)}`,
  )
  return visible([time, level.padEnd(5), event, ...rest].join(' '))
}
