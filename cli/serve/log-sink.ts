import type { LogLine, LogSink } from '../../reference/log.js'
import { visible } from '../../reports/formats/shared/escape.js'
import type { LogFormat, LogLevel } from './settings.js'

const levels: readonly LogLevel[] = ['info', 'warn', 'error', 'silent']

/** Writes lines at a level or above; a path from outside cannot steer the terminal that shows them. */
export function createLogSink(
  { level = 'info', format = 'json' }: { readonly level?: LogLevel; readonly format?: LogFormat },
  write: (text: string) => void,
  now: () => Date = () => new Date(),
): LogSink {
  const render = format === 'json' ? renderJson : renderText
  return (line) => {
    if (levels.indexOf(line.level) >= levels.indexOf(level)) write(`${render(line, now().toISOString())}\n`)
  }
}

function renderJson(line: LogLine, time: string): string {
  // JSON itself leaves control characters above U+007F, and format characters, as they are.
  return JSON.stringify({ time, ...line }).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
}

function renderText({ level, event, ...details }: LogLine, time: string): string {
  const rest = Object.entries(details).map(
    ([name, value]) =>
      // Quoted where a reader might not see where it ends.
      `${name}=${typeof value === 'string' && /^[\w./:‹›-]+$/.test(value) ? value : JSON.stringify(value)}`,
  )
  return visible([time, level.padEnd(5), event, ...rest].join(' '))
}

/** As JSON spells it: one escape for each UTF-16 unit. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
